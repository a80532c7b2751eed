package io.quotaenforcer.core;

/** Urgency of a deferred request among those of its quota key. */
public enum Priority {
  HIGH,
  NORMAL,
  LOW
}
