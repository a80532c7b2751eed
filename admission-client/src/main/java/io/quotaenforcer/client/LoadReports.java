package io.quotaenforcer.client;

import io.quotaenforcer.client.internal.kafka.LoadSource;
import io.quotaenforcer.core.adapt.LoadSignal;
import io.quotaenforcer.core.message.LoadReport;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * When to say what of a service's load: once a second, while a rule follows it and there is
 * something to say. Used by one thread.
 */
final class LoadReports implements LoadSource {
  private static final long EVERY_NANOS = 1_000_000_000L;

  private final Load load;
  private final String instance;
  private final Set<String> domains;
  private final Supplier<RuleSet> rules;
  private RuleSet known = RuleSet.empty();
  private boolean isFollowed;
  private boolean isSaid;
  private long saidNanos;

  /**
   * @param domains whose rules decide here; empty for all
   */
  LoadReports(
      Load load, String instance, Set<String> domains, Supplier<RuleSet> rules, long nowNanos) {
    this.load = load;
    this.instance = instance;
    this.domains = domains;
    this.rules = rules;
    this.saidNanos = nowNanos;
  }

  @Override
  public Optional<LoadReport> due(long now) {
    long since = now - saidNanos;
    if (since < EVERY_NANOS || !load.isUsed()) {
      return Optional.empty();
    }
    saidNanos = now;
    LoadSignal signal = load.take(since);
    if (!isFollowed()) {
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
      isFollowed = now.declared().stream().anyMatch(rule -> rule.adapt().isPresent());
    }
    return isFollowed;
  }
}
