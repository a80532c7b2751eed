package io.quotaenforcer.spring.health;

import io.quotaenforcer.client.Admission;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/**
 * Up while requests are decided by rules, otherwise out of service, for Spring Boot 3. Safe for use
 * by any number of threads.
 */
public final class QuotaHealth implements HealthIndicator {
  private final Admission admission;

  /** The health of this admission. */
  public QuotaHealth(Admission admission) {
    this.admission = admission;
  }

  @Override
  public Health health() {
    Standing standing = Standing.of(admission);
    return (standing.isReady() ? Health.up() : Health.outOfService())
        .withDetails(standing.details())
        .build();
  }
}
