package io.quotaenforcer.client;

import io.quotaenforcer.core.QuotaKey;
import java.time.Duration;
import java.util.Optional;

/** The enforcer's answer to a request that was handed over to be run later. */
public sealed interface Deferred {

  /** Names the request: the id that was given, or made up. */
  String id();

  /**
   * It waits, or has been released since: it will run, or become a dead letter with a reason.
   *
   * @param quotaKey that it waits for
   * @param waiting how many requests wait for this key, this one included
   */
  record Accepted(String id, QuotaKey quotaKey, long waiting) implements Deferred {}

  /**
   * It will not run.
   *
   * @param reason for people
   * @param retryAfter after which there may be room for it; empty if that is not known
   */
  record Refused(String id, String reason, Optional<Duration> retryAfter) implements Deferred {}
}
