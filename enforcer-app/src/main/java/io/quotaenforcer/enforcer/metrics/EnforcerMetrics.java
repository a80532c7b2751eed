package io.quotaenforcer.enforcer.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.ledger.WindowCount;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the enforcer counts of itself. {@code quota.permits.used} plus {@code
 * quota.permits.throttled} is what was asked for; alert on any growth of {@code
 * quota.dead.letters}.
 */
public final class EnforcerMetrics {
  /** Quota keys of usage reports that were applied to the ledger. */
  public static final String REPORTED_QUOTAS = "quota.reported.quotas";

  /** Permits of admitted requests, by domain and rule. */
  public static final String PERMITS_USED = "quota.permits.used";

  /** Permits of throttled requests, by domain and rule. */
  public static final String PERMITS_THROTTLED = "quota.permits.throttled";

  /** Records put aside, by the topic they came from. */
  public static final String DEAD_LETTERS = "quota.dead.letters";

  /** Request events, by what became of them: counted, repeated, kept (counted by a client). */
  public static final String REQUEST_EVENTS = "quota.request.events";

  private final MeterRegistry registry;
  private final Counter reportedQuotas;
  private final Map<RuleId, Counter> used = new ConcurrentHashMap<>();
  private final Map<RuleId, Counter> throttled = new ConcurrentHashMap<>();

  public EnforcerMetrics(MeterRegistry registry) {
    this.registry = registry;
    this.reportedQuotas = registry.counter(REPORTED_QUOTAS);
  }

  public void reportApplied(int quotas) {
    reportedQuotas.increment(quotas);
  }

  public void counted(RuleId rule, List<WindowCount> counts) {
    for (WindowCount count : counts) {
      counter(used, PERMITS_USED, rule).increment(Math.max(0, count.used()));
      counter(throttled, PERMITS_THROTTLED, rule).increment(Math.max(0, count.throttled()));
    }
  }

  public void deadLettered(String topic) {
    registry.counter(DEAD_LETTERS, "topic", topic).increment();
  }

  public void requestEvent(String outcome) {
    registry.counter(REQUEST_EVENTS, "outcome", outcome).increment();
  }

  private Counter counter(Map<RuleId, Counter> counters, String name, RuleId rule) {
    return counters.computeIfAbsent(
        rule, id -> registry.counter(name, "domain", id.domain(), "rule", id.id()));
  }
}
