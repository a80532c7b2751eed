package io.quotaenforcer.core.message;

import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import java.util.Map;

/**
 * Input of the queues of deferred requests, sent to the partition of its quota key or, if it
 * concerns many, to every partition.
 */
public sealed interface DeferralInput {

  /** Longest id of a deferred request, in characters. */
  int MAX_ID_CHARS = 100;

  /** Characters kept of a reason. */
  int MAX_REASON_CHARS = 2_000;

  /**
   * A deadline that never passes, epoch milliseconds: the last one that nanoseconds can express.
   */
  long NEVER_MILLIS = Long.MAX_VALUE / 1_000_000;

  /** Address for the answer to a deferred request. */
  record ReplyTo(String instance, long epoch, int partition) {
    /** Nobody is told. */
    public static final ReplyTo NOBODY = new ReplyTo("", 0, -1);
  }

  /**
   * A throttled request, handed over to be run later.
   *
   * @param id the same wherever the request is named
   * @param quotaKey of the rule that it waits for
   * @param headers for the service that runs it
   * @param deadlineMillis time after which it is not run any more, epoch milliseconds; 0 for none;
   *     at most {@link #NEVER_MILLIS}
   * @param deferredMillis when it was handed over, epoch milliseconds
   */
  record DeferredRequest(
      String id,
      QuotaKey quotaKey,
      Request request,
      Payload payload,
      Map<String, String> headers,
      Priority priority,
      long deadlineMillis,
      long deferredMillis,
      ReplyTo replyTo)
      implements DeferralInput {
    public DeferredRequest {
      checkId(id);
      headers = Map.copyOf(headers);
      deadlineMillis = Math.min(deadlineMillis, NEVER_MILLIS);
      if (deadlineMillis < 0) {
        throw new IllegalArgumentException("must be >= 0: deadlineMillis=" + deadlineMillis);
      }
    }

    /** The same without a deadline and without an address for the answer. */
    public DeferredRequest again() {
      return new DeferredRequest(
          id, quotaKey, request, payload, headers, priority, 0, deferredMillis, ReplyTo.NOBODY);
    }
  }

  /**
   * An inquiry about a deferred request whose answer did not come, or whether a replay is
   * acknowledged.
   *
   * @param release of the replay; 0 for an inquiry about the request, however often it was released
   */
  record Inquiry(String id, QuotaKey quotaKey, long deferredMillis, ReplyTo replyTo, long release)
      implements DeferralInput {
    public Inquiry {
      checkId(id);
    }

    /** A question about the request. */
    public Inquiry(String id, QuotaKey quotaKey, long deferredMillis, ReplyTo replyTo) {
      this(id, quotaKey, deferredMillis, replyTo, 0);
    }
  }

  /**
   * The service's result for a replay that it has run, or will not run.
   *
   * @param release of the replay; 0 if unknown
   */
  record ReplayResult(
      String id, QuotaKey quotaKey, boolean done, String reason, int attempts, long release)
      implements DeferralInput {
    public ReplayResult {
      checkId(id);
      reason = bounded(reason);
    }
  }

  /** Cancels a waiting request. */
  record Cancel(String id, QuotaKey quotaKey, String reason) implements DeferralInput {
    public Cancel {
      checkId(id);
      reason = bounded(reason);
    }
  }

  /** Moves a waiting request to the front of its quota key. */
  record Expedite(String id, QuotaKey quotaKey) implements DeferralInput {
    public Expedite {
      checkId(id);
    }
  }

  /**
   * Cancels all waiting requests of some quota keys.
   *
   * @param scope text of a quota key, or of a rule's id for all of its keys
   */
  record Purge(String scope, String reason) implements DeferralInput {
    public Purge {
      if (scope.length() > QuotaKey.MAX_TEXT_CHARS) {
        throw new IllegalArgumentException(
            "must have at most %d characters: scope has %d"
                .formatted(QuotaKey.MAX_TEXT_CHARS, scope.length()));
      }
      reason = bounded(reason);
    }
  }

  private static String bounded(String reason) {
    return reason.substring(0, Math.min(reason.length(), MAX_REASON_CHARS));
  }

  private static void checkId(String id) {
    if (id.isEmpty() || id.length() > MAX_ID_CHARS) {
      throw new IllegalArgumentException(
          "must have 1 to " + MAX_ID_CHARS + " characters: id=" + id);
    }
  }
}
