package io.quotaenforcer.core.algorithm;

import java.util.Arrays;

/**
 * What an algorithm remembers of one quota key: a few words whose meaning only that algorithm
 * knows. Immutable.
 */
public final class LimitState {
  private final long[] words;

  private LimitState(long[] words) {
    this.words = words;
  }

  public static LimitState of(long... words) {
    return new LimitState(words.clone());
  }

  public int size() {
    return words.length;
  }

  public long word(int index) {
    return words[index];
  }

  /** This state with another value of one word. */
  LimitState with(int index, long value) {
    long[] changed = words.clone();
    changed[index] = value;
    return new LimitState(changed);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LimitState that && Arrays.equals(words, that.words);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(words);
  }

  @Override
  public String toString() {
    return Arrays.toString(words);
  }
}
