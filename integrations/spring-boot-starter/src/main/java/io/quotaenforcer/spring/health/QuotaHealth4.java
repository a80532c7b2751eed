package io.quotaenforcer.spring.health;

import io.quotaenforcer.client.Admission;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Up while requests are decided by rules, otherwise out of service, for Spring Boot 4. Safe for use
 * by any number of threads.
 */
public final class QuotaHealth4 implements HealthIndicator {
  private final Admission admission;

  /** The health of this admission. */
  public QuotaHealth4(Admission admission) {
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
