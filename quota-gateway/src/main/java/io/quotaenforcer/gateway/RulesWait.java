package io.quotaenforcer.gateway;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.Readiness;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Before it listens, a gateway waits for its rules: a proxy goes to another gateway meanwhile,
 * instead of having its requests decided by {@code before.rules}. Not for long, since all of them
 * may start while Kafka is away.
 */
final class RulesWait {
  private static final Duration AT_MOST = Duration.ofSeconds(10);
  private static final long POLL_NANOS = 10_000_000L;

  private RulesWait() {}

  /** Returns once the rules are known, the time is up, or the thread is interrupted. */
  static void await(Admission admission) {
    long deadline = System.nanoTime() + AT_MOST.toNanos();
    while (admission.readiness() instanceof Readiness.NotYet
        && System.nanoTime() - deadline < 0
        && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }
}
