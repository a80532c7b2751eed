package io.quotaenforcer.enforcer.operations;

import com.fasterxml.jackson.databind.JsonNode;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.DeferralInput;
import io.quotaenforcer.core.message.DeferralInput.Cancel;
import io.quotaenforcer.core.message.DeferralInput.Expedite;
import io.quotaenforcer.enforcer.deadletters.DeadLetter;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * A change of one deferred request, which an enforcer shows as JSON before and after.
 *
 * @param done one word for a changed request; the reason of the dead letter that it becomes, if it
 *     does, begins with it
 * @param gone what is known of a request that is no longer there
 * @param input for an id and its quota key
 * @param isDone whether a request that is still there shows the change
 */
public record RequestChange(
    String done,
    String gone,
    BiFunction<String, QuotaKey, DeferralInput> input,
    Predicate<JsonNode> isDone) {
  public static final String ASKED = "asked for";
  public static final String RELEASED = "released already: a service runs it";
  public static final String NOT_THERE =
      "not known: it has been run, is a dead letter, or was never deferred";

  /** Takes a request out of its queue. */
  public static RequestChange cancel(String reason) {
    return new RequestChange(
        "cancelled",
        "gone: cancelled, or run meanwhile",
        (id, key) -> new Cancel(id, key, reason),
        request -> false);
  }

  /** Makes a request the next of its quota key. */
  public static RequestChange release() {
    return new RequestChange(
        "next",
        "next",
        Expedite::new,
        request -> !waits(request) || request.path("lane").asText().equals("expedited"));
  }

  /** Whether a request is waiting, not released. */
  public static boolean waits(JsonNode request) {
    return request.path("state").asText().equals("waiting");
  }

  /** What became of a request since it was asked to change; empty while that is not seen yet. */
  public Optional<String> outcome(Optional<JsonNode> found) {
    if (found.isEmpty()) {
      return Optional.of(gone);
    }
    if (isDone.test(found.get())) {
      return Optional.of(done);
    }
    return waits(found.get()) ? Optional.empty() : Optional.of("released meanwhile");
  }

  /** Whether an outcome leaves open what became of a request, as only a dead letter can tell. */
  public boolean isOpen(String outcome) {
    return outcome.equals(gone) && !outcome.equals(done);
  }

  /** Whether a dead letter shows that a request was changed. */
  public boolean isShownBy(DeadLetter letter, String id, QuotaKey key) {
    return letter.aside().reason().startsWith(done + ": ")
        && letter.origin().id().equals(id)
        && letter.origin().quotaKey().equals(Optional.of(key));
  }
}
