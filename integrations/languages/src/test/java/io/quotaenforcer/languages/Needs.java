package io.quotaenforcer.languages;

import org.junit.jupiter.api.Assumptions;

/** Programs and packages that a machine may lack. */
final class Needs {
  private Needs() {}

  /** Skips the test without it; where CI says that it is CI, the test fails. */
  static void that(boolean isThere, String what) {
    if ("true".equals(System.getenv("CI")) && !isThere) {
      throw new AssertionError("must be there, as CI=true: " + what);
    }
    Assumptions.assumeTrue(isThere, what);
  }
}
