package io.quotaenforcer.core;

/** How urgent a deferred request is among those of its quota key. */
public enum Priority {
  HIGH,
  NORMAL,
  LOW
}
