package io.quotaenforcer.enforcer.fuzz;

import java.time.Duration;

/**
 * How long fuzzers run, and from which seed: {@code -Dfuzz.seconds} each, {@code -Dfuzz.seed}. With
 * {@code -Dlong} they take ten minutes together instead of twenty seconds.
 */
public final class Fuzzing {
  /** Printed with each failure. */
  public static final long SEED = Long.getLong("fuzz.seed", 1);

  private static final int LONGER = 30;

  private Fuzzing() {}

  /** The time of a fuzzer that runs for {@code seconds} with every build. */
  public static Duration time(int seconds) {
    String asked = System.getProperty("long");
    boolean longer = asked != null && !asked.equals("false");
    return Duration.ofSeconds(
        Integer.getInteger("fuzz.seconds", longer ? LONGER * seconds : seconds));
  }
}
