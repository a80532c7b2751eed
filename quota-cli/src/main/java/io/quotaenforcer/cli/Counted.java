package io.quotaenforcer.cli;

/** Numbers of things, in words. */
final class Counted {
  private Counted() {}

  /** {@code 1 rule}, {@code 2 rules}. */
  static String of(int count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }
}
