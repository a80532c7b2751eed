package io.quotaenforcer.client;

import io.quotaenforcer.core.QuotaKey;
import java.time.Duration;

/** The enforcer's answer to a request that was handed over to be run later. */
public sealed interface Deferred {

  /** Names the request. */
  String id();

  /**
   * It waits, or has been released since: it will run, or become a dead letter with a reason.
   *
   * @param quotaKey that it waits for
   * @param waiting requests that wait for this key, this one included
   */
  record Accepted(String id, QuotaKey quotaKey, long waiting) implements Deferred {}

  /**
   * It will not run.
   *
   * @param retryAfter when there may be room for it
   */
  record Refused(String id, String reason, Duration retryAfter) implements Deferred {}
}
