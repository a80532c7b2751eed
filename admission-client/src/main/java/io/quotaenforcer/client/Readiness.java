package io.quotaenforcer.client;

import java.time.Instant;

/** Whether an admission client knows the rules to decide by, and if not, why. */
public sealed interface Readiness {

  /** Whether requests are decided by rules. */
  boolean isReady();

  /** The rules in force are those of the rules topic. */
  record Ready() implements Readiness {
    @Override
    public boolean isReady() {
      return true;
    }
  }

  /**
   * The rules in force are those of an earlier run, until the rules topic is read.
   *
   * @param asOf when they were last known to be those of the topic
   * @param why the topic's are not in force
   */
  record OfLastTime(Instant asOf, String why) implements Readiness {
    @Override
    public boolean isReady() {
      return true;
    }
  }

  /**
   * No rules are known: every decision is {@link io.quotaenforcer.core.Decision.NotReady}.
   *
   * @param why in words
   */
  record NotYet(String why) implements Readiness {
    @Override
    public boolean isReady() {
      return false;
    }
  }
}
