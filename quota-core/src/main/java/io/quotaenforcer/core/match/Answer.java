package io.quotaenforcer.core.match;

/** Outcome of testing a value against a condition. */
public enum Answer {
  YES,
  NO,
  /** Not known: to find out would have cost too much, and the value may be made for that. */
  GIVEN_UP;

  static Answer of(boolean holds) {
    return holds ? YES : NO;
  }
}
