package io.quotaenforcer.bench.accuracy.innocents;

/** Users by what they ask for, as an exact central counter sees it. */
enum UserClass {
  /** Never beyond the limit. */
  INNOCENT("innocents"),
  /** Beyond it now and then. */
  NOW_AND_THEN("nowAndThen"),
  /** A hundred times the limit. */
  ABUSER("abusers");

  private final String label;

  UserClass(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }
}
