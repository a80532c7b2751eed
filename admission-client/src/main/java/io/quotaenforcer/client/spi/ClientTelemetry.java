package io.quotaenforcer.client.spi;

import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.LimitInForce;
import java.util.Optional;

/**
 * Hears what an admission client throttles, and what its background threads do.
 *
 * <p>Each method does nothing unless it is overridden. Methods must return quickly and may be
 * called by several threads at once. An exception that one throws changes nothing; the first is
 * logged.
 */
public interface ClientTelemetry {

  /** Hears nothing. */
  ClientTelemetry NONE = new ClientTelemetry() {};

  /**
   * A usage report was handed to the producer.
   *
   * @param partition of the usage topic
   * @param quotas quota keys in the report
   * @param bytes size of the record's value
   */
  default void reported(int partition, int quotas, int bytes) {}

  /**
   * A quota snapshot arrived and was applied.
   *
   * @param partition of the usage topic, whose enforcer has answered
   * @param quotas quota keys in the answer
   * @param loopNanos nanoseconds since the report that it answers was sent
   */
  default void answered(int partition, int quotas, long loopNanos) {}

  /**
   * Other rules came into force.
   *
   * @param rules how many there are now; 0 as long as they cannot be decided by
   */
  default void rulesChanged(int rules) {}

  /**
   * Some rules of the rules topic cannot be read, or all can be again. Alert on it: the versions
   * before them are in force, and where there is none, requests are decided as {@code before.rules}
   * says.
   *
   * @param rules how many cannot be read; 0 when all can
   */
  default void rulesUnreadable(int rules) {}

  /**
   * A request was throttled. Called by the thread that asked, or by the one that ended the wait.
   * Not called for {@link io.quotaenforcer.client.Admission#tryAcquire} and for handles.
   *
   * @param decidedBy the rule that had no room; its {@link RuleDecision#reason} tells a limit that
   *     is used up from permits that were <em>not granted yet</em>, which callers who wait may get
   */
  default void throttled(RuleDecision decidedBy) {}

  /**
   * A request that was to wait for permits was decided at once instead. Called by the thread that
   * asked, which may be many.
   */
  default void notWaited(NotWaited why) {}

  /**
   * A rule was taken to match requests because its expression for an attribute could not be tried
   * to the end: the value is too long, or takes too many steps. Called at most once a second for
   * each rule and attribute.
   *
   * @param times how often this has happened since the last call; a request that is decided again
   *     and again counts twice
   */
  default void matchGivenUp(RuleId rule, String attribute, long times) {}

  /**
   * Another part of a rule's limit came to be in force by the load of this instance, or the same
   * for another reason. Rules that follow the load of the whole service are not told of: their
   * decisions say it, by {@link RuleDecision#adapted}.
   *
   * @param now empty once the limit follows the load of this instance no longer
   */
  default void limitInForce(RuleId rule, Optional<LimitInForce> now) {}

  /** A request that was handed over to be deferred has its answer, or gets none any more. */
  default void deferred(DeferralOutcome outcome) {}

  /**
   * A replay was handled, or given up.
   *
   * @param attempts how often this instance has handled it, this time included; 0 if it was given
   *     up before the first time
   */
  default void replayed(ReplayOutcome outcome, int attempts) {}

  /**
   * Permits that requests cost beyond what was reserved for them will never be paid, because the
   * client is closed or their rule is gone.
   *
   * @param permits how many, since the last call
   */
  default void unpaid(long permits) {}

  /**
   * A record could not be read or written, or Kafka could not be reached.
   *
   * @param what was tried, for people
   */
  default void failed(String what, Exception cause) {}
}
