package io.quotaenforcer.core.deferral;

import io.quotaenforcer.core.Priority;

/** The requests of one quota key that wait in the order in which they came. */
public enum Lane {
  /** Requests that an operator wants next. */
  EXPEDITED,
  HIGH,
  NORMAL,
  LOW;

  public static Lane of(Priority priority) {
    return switch (priority) {
      case HIGH -> HIGH;
      case NORMAL -> NORMAL;
      case LOW -> LOW;
    };
  }
}
