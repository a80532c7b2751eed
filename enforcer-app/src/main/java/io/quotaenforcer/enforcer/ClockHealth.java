package io.quotaenforcer.enforcer;

import io.quotaenforcer.server.Health;
import java.util.Optional;

/** Health of an enforcer on a host whose clock was set back. */
final class ClockHealth {
  private ClockHealth() {}

  /**
   * @param health of the enforcer
   * @param standstill why its Kafka clients stand still
   */
  static Health of(Health health, Optional<String> standstill) {
    // If they go on nevertheless, a restart is pointless.
    return health instanceof Health.Ready || health instanceof Health.Failed
        ? health
        : standstill.<Health>map(Health.Failed::new).orElse(health);
  }
}
