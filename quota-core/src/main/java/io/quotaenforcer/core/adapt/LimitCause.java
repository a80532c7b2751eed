package io.quotaenforcer.core.adapt;

import java.util.Locale;

/** Why so much of a limit is in force, for programs. */
public enum LimitCause {
  /** No condition lowers it: it is at its ceiling. */
  AT_REST,
  /** The condition of a step has lasted. */
  LOWERED,
  /** The condition is over, and the limit comes back slowly. */
  RECOVERING,
  /** Signals stopped coming, and the limit is held as it was. */
  SIGNAL_LOST,
  /** Signals have not come for so long that the limit for that case is in force. */
  WITHOUT_SIGNAL,
  /** Said by an enforcer that is older than causes. */
  UNSAID;

  /** {@code WITHOUT_SIGNAL} is {@code without-signal}. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
