package io.quotaenforcer.client;

import io.quotaenforcer.core.adapt.LoadSignal;
import io.quotaenforcer.core.rule.OwnLimits;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Looks at the load of this process once a second, by one of the threads that decide: without
 * requests no limit matters. Safe for any number of threads.
 */
final class LoadLooks {
  private static final long EVERY_NANOS = 1_000_000_000L;

  private final Load load = new Load();
  private final RuleSet rules;
  private final OwnLoad own;
  private final boolean isFollowed;
  private final AtomicBoolean looking = new AtomicBoolean();
  private volatile long lookedNanos;

  /**
   * @param rules which never change
   * @param now in nanoseconds since 1970
   */
  LoadLooks(RuleSet rules, OwnLoad own, long now) {
    this.rules = rules;
    this.own = own;
    this.isFollowed = rules.declared().stream().anyMatch(OwnLimits::areFollowed);
    this.lookedNanos = now;
  }

  Load load() {
    return load;
  }

  /**
   * To be called before each decision.
   *
   * @param now in nanoseconds since 1970, by a clock that never runs backwards
   */
  void look(long now) {
    if (!isFollowed || now - lookedNanos < EVERY_NANOS || !looking.compareAndSet(false, true)) {
      return;
    }
    try {
      long since = now - lookedNanos;
      if (since >= EVERY_NANOS) {
        lookedNanos = now;
        own.next(rules, load.isUsed() ? load.take(since) : LoadSignal.NOTHING, now);
      }
    } finally {
      looking.set(false);
    }
  }
}
