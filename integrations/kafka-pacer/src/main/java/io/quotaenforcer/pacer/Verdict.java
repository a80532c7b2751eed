package io.quotaenforcer.pacer;

/** The treatment of the first record of a partition. */
sealed interface Verdict {

  /** It is handed out, and has paid. */
  record HandOut() implements Verdict {}

  /** It is dealt with, and not handed out. */
  record Skip() implements Verdict {}

  /**
   * It waits, and all behind it.
   *
   * @param nanos until it is decided again
   */
  record Hold(long nanos) implements Verdict {}
}
