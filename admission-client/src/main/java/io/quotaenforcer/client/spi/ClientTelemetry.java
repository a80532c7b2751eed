package io.quotaenforcer.client.spi;

import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;

/**
 * Hears what an admission client throttles, and what its background threads do. Methods must return
 * quickly and may be called by several threads; one that throws is logged once and then ignored.
 */
public interface ClientTelemetry {

  /** Hears nothing. */
  ClientTelemetry NONE = new ClientTelemetry() {};

  /** A report was handed to the producer. */
  default void reported(int partition, int quotas, int bytes) {}

  /** An answer arrived and was applied, {@code loopNanos} after its report was sent. */
  default void answered(int partition, int quotas, long loopNanos) {}

  /** Rules came into force; {@code rules} is how many there are now. */
  default void rulesChanged(int rules) {}

  /**
   * So many rules of the rules topic cannot be read; 0 when all can be again. Alert on it: the
   * versions before them are in force, and where there is none, requests are decided as {@code
   * before.rules} says.
   */
  default void rulesUnreadable(int rules) {}

  /**
   * A request was throttled: {@link RuleDecision#reason} of the rule that did it tells a limit that
   * is used up from permits that were <em>not granted yet</em>, of which those that wait get some.
   * Called by the thread that asked, or that ended the wait. Not told of {@link
   * io.quotaenforcer.client.Admission#tryAcquire} and of handles, which know of no reason.
   */
  default void throttled(RuleDecision decidedBy) {}

  /**
   * A request that was to wait for permits was decided at once instead. Called by the thread that
   * asked, which may be many.
   */
  default void notWaited(NotWaited why) {}

  /**
   * A rule was taken to match so many requests since the last call, because its expression for an
   * attribute could not be tried to the end: their value is too long, or takes too many steps.
   * Called once a second at most for each; a request that is decided again and again counts twice.
   */
  default void matchGivenUp(RuleId rule, String attribute, long times) {}

  /** Handing over a deferred request has ended. */
  default void deferred(DeferralOutcome outcome) {}

  /**
   * A replay was handled, or given up.
   *
   * @param attempts how often it was handled here, this time included; 0 for one that was given up
   *     before
   */
  default void replayed(ReplayOutcome outcome, int attempts) {}

  /**
   * So many permits that requests cost more than was reserved for them are never paid: the client
   * is closed, or their rule is gone.
   */
  default void unpaid(long permits) {}

  /** A record could not be read, or Kafka could not be reached. */
  default void failed(String what, Exception cause) {}
}
