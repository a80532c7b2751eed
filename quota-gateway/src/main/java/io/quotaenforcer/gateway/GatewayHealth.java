package io.quotaenforcer.gateway;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.Readiness;
import io.quotaenforcer.server.Health;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Whether requests should be sent here. A gateway whose Kafka is away stays ready: its rules decide
 * by {@code on-unavailable}, and another gateway's Kafka is the same.
 */
final class GatewayHealth implements Supplier<Health> {
  private final Admission admission;
  private final PublishedLimits limits;
  private volatile Optional<String> ending = Optional.empty();

  GatewayHealth(Admission admission, PublishedLimits limits) {
    this.admission = admission;
    this.limits = limits;
  }

  /** From now on, it wants no more requests. */
  void end() {
    ending = Optional.of("the gateway ends");
  }

  @Override
  public Health get() {
    if (ending.isPresent()) {
      return new Health.Starting(ending.get());
    }
    Readiness readiness = admission.readiness();
    if (readiness.isReady()) {
      return limits
          .missing(admission.rules())
          .<Health>map(missing -> new Health.Failing("limits that are no rules yet: " + missing))
          .orElseGet(Health.Ready::new);
    }
    return readiness instanceof Readiness.NotYet notYet
        ? new Health.Starting(notYet.why())
        : new Health.Failing("rules that cannot be read: " + readiness);
  }
}
