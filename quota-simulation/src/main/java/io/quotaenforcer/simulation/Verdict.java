package io.quotaenforcer.simulation;

/**
 * What came of a run.
 *
 * @param violation the broken promise; empty if all were kept
 * @param liveness what was not served though nothing stood against it; empty if all was
 */
record Verdict(String violation, String liveness) {
  static final Verdict KEPT = new Verdict("", "");

  static Verdict broken(String violation) {
    return new Verdict(violation, "");
  }

  static Verdict notServed(String liveness) {
    return new Verdict("", liveness);
  }

  /** The one or the other; empty if neither. */
  String text() {
    return violation.isEmpty() ? liveness : violation;
  }
}
