package io.quotaenforcer.micrometer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.LimitInForce;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How much of limits is in force by the load of one instance ({@code adapt: {load: instance}}); to
 * be given to its client as telemetry.
 *
 * <p>The meter is {@code rate_limiting.limit.in_force}: by {@code policy}, the part of the limit as
 * it is written, 1 for all of it. A rule whose limit follows the load no longer has none.
 */
public final class LimitMetrics implements ClientTelemetry {
  private static final String NAME = "rate_limiting.limit.in_force";

  private final MeterRegistry registry;
  private final Map<RuleId, Shown> shown = new ConcurrentHashMap<>();

  /** A gauge, and what it shows. */
  private static final class Shown {
    private volatile double part;
    private final Gauge gauge;

    Shown(RuleId rule, double part, MeterRegistry registry) {
      this.part = part;
      this.gauge =
          Gauge.builder(NAME, this, each -> each.part)
              .baseUnit("part")
              .tag("policy", rule.toString())
              .register(registry);
    }
  }

  public LimitMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void limitInForce(RuleId rule, Optional<LimitInForce> now) {
    if (now.isEmpty()) {
      Optional.ofNullable(shown.remove(rule)).ifPresent(old -> registry.remove(old.gauge));
      return;
    }
    double part = now.get().part();
    shown.computeIfAbsent(rule, id -> new Shown(id, part, registry)).part = part;
  }
}
