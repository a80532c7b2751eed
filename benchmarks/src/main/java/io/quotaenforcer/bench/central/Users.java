package io.quotaenforcer.bench.central;

import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Users at random, drawn before they are needed. For one thread. */
final class Users {
  /** Users that there are. */
  static final int COUNT = 100;

  private static final int DRAWN = 1 << 14;

  private final int[] drawn;
  private int next;

  Users(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    drawn = IntStream.generate(() -> random.nextInt(COUNT)).limit(DRAWN).toArray();
  }

  int next() {
    return drawn[next++ & DRAWN - 1];
  }

  static String name(int user) {
    return "user-" + user;
  }
}
