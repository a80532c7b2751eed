package io.quotaenforcer.enforcer.rules;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** Waits longer from turn to turn, and never as long as another does. */
final class RandomPause implements RulesTopic.Pause {
  private static final long STEP_NANOS = 50_000_000L;

  @Override
  public void before(int turn) {
    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(STEP_NANOS * turn));
  }
}
