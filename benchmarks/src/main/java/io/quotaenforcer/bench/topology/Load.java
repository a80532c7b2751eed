package io.quotaenforcer.bench.topology;

import java.util.SplittableRandom;

/** How requests spread over quota keys. */
enum Load {
  /** Every key is as likely as any other. */
  UNIFORM("uniform"),
  /** Nine of ten requests are of one key, the others of any. */
  ONE_HOT_KEY("nine tenths on one key");

  private static final int OF_TEN = 9;

  private final String words;

  Load(String words) {
    this.words = words;
  }

  /** The key of a request: 0 is the hot one. */
  int key(SplittableRandom random, int keys) {
    return this == ONE_HOT_KEY && random.nextInt(10) < OF_TEN ? 0 : random.nextInt(keys);
  }

  @Override
  public String toString() {
    return words;
  }
}
