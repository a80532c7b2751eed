package io.quotaenforcer.core.rule;

/** Whether a rule acts on what it finds. */
public enum Mode {
  ENFORCE,
  /** Counts and decides, but never throttles. */
  SHADOW
}
