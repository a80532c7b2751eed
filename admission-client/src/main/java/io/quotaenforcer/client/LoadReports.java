package io.quotaenforcer.client;

import io.quotaenforcer.client.internal.kafka.LoadSource;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.adapt.LoadSignal;
import io.quotaenforcer.core.message.LoadReport;
import io.quotaenforcer.core.rule.OwnLimits;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What to say of a service's load, and what of limits is in force by the load of this instance
 * alone: once a second, while a rule follows it. Used by one thread.
 */
final class LoadReports implements LoadSource {
  private static final long EVERY_NANOS = 1_000_000_000L;

  private final Load load;
  private final String instance;
  private final Set<String> domains;
  private final Supplier<RuleSet> rules;
  private final OwnLoad own;
  private RuleSet known = RuleSet.empty();
  private boolean isFollowed;
  private boolean isSaid;
  private long saidNanos;

  /** The wall clock may step, and only says since when a limit is in force. */
  private final long epochOffset;

  /**
   * @param domains whose rules decide here; empty for all
   * @param own works out what is in force by the load of this instance
   */
  LoadReports(
      Load load,
      String instance,
      Set<String> domains,
      Supplier<RuleSet> rules,
      OwnLoad own,
      Clocks clocks) {
    this.load = load;
    this.instance = instance;
    this.domains = domains;
    this.rules = rules;
    this.own = own;
    this.saidNanos = clocks.monotonicNanos().getAsLong();
    this.epochOffset = clocks.epochNanos().getAsLong() - saidNanos;
  }

  @Override
  public Optional<LoadReport> due(long now) {
    long since = now - saidNanos;
    if (since < EVERY_NANOS) {
      return Optional.empty();
    }
    saidNanos = now;
    boolean isUsed = load.isUsed();
    LoadSignal signal = isUsed ? load.take(since) : LoadSignal.NOTHING;
    own.next(rules.get(), signal, now + epochOffset);
    if (!isUsed || !isFollowed()) {
      return Optional.empty();
    }
    isSaid = true;
    return Optional.of(new LoadReport(instance, domains, false, signal));
  }

  @Override
  public Optional<LoadReport> leaving() {
    return isSaid
        ? Optional.of(new LoadReport(instance, domains, true, LoadSignal.NOTHING))
        : Optional.empty();
  }

  private boolean isFollowed() {
    RuleSet now = rules.get();
    if (now != known) {
      known = now;
      isFollowed = now.declared().stream().anyMatch(LoadReports::followsTheService);
    }
    return isFollowed;
  }

  private static boolean followsTheService(Rule rule) {
    return rule.adapt().isPresent() && !OwnLimits.areFollowed(rule);
  }
}
