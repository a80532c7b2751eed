package io.quotaenforcer.enforcer.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.enforcer.deadletters.DeadLetter;
import io.quotaenforcer.server.JsonResponse;
import java.time.Instant;

/** Dead letters as JSON, without their values. */
public final class LetterJson {
  private LetterJson() {}

  public static ObjectNode of(DeadLetter letter) {
    ObjectNode json =
        JsonResponse.object()
            .put("place", letter.aside().place())
            .put("time", time(letter.aside().millis()))
            .put("topic", letter.origin().topic())
            .put("reason", letter.aside().reason())
            .put("id", letter.origin().id())
            .put("bytes", letter.content().bytes());
    letter.origin().millis().ifPresent(millis -> json.put("originalTime", time(millis)));
    letter.origin().quotaKey().map(QuotaKey::toString).ifPresent(key -> json.put("quotaKey", key));
    return json;
  }

  public static String time(long epochMillis) {
    return Instant.ofEpochMilli(epochMillis).toString();
  }
}
