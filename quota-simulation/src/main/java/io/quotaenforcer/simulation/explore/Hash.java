package io.quotaenforcer.simulation.explore;

/** 64-bit hashes in which every bit depends on every bit that went in. */
final class Hash {
  private Hash() {}

  /** Steele and Vigna's finaliser of SplitMix64. */
  static long mix(long word) {
    long z = word + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** Never 0. */
  static long of(int[] words, int count) {
    long hash = count;
    for (int i = 0; i < count; i++) {
      hash = mix(hash * 0xD6E8FEB86659FD93L ^ words[i]);
    }
    return hash == 0 ? 1 : hash;
  }
}
