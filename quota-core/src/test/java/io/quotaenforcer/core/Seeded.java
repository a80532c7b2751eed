package io.quotaenforcer.core;

import java.util.SplittableRandom;

/** Runs a check over many seeds; a failure names the seed that reproduces it. */
public final class Seeded {
  private Seeded() {}

  /** The check, which draws everything that varies from {@code random}. */
  @FunctionalInterface
  public interface Check {
    void run(SplittableRandom random);
  }

  /** Runs {@code check} with the seeds 0 to {@code seeds - 1}. */
  public static void check(int seeds, Check check) {
    for (long seed = 0; seed < seeds; seed++) {
      checkSeed(seed, check);
    }
  }

  /** Runs {@code check} with one seed, as to reproduce a failure. */
  public static void checkSeed(long seed, Check check) {
    try {
      check.run(new SplittableRandom(seed));
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("with seed " + seed + ": " + e.getMessage(), e);
    }
  }

  @SafeVarargs
  public static <T> T oneOf(SplittableRandom random, T... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
