package io.quotaenforcer.client.internal.replay;

import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.message.Replay;
import java.util.List;
import java.util.Map;

/** Replays for tests. */
final class Replays {
  private Replays() {}

  static Replay of(String id, String user) {
    return of(id, "posts", user, Priority.NORMAL, 0);
  }

  static Replay of(String id, String domain, String user, Priority priority, long deadlineMillis) {
    QuotaKey key = QuotaKey.parse(domain + "/per-user/" + user);
    return new Replay(
        id,
        key,
        Request.of("user", user),
        Payload.EMPTY,
        Map.of(),
        priority,
        1,
        deadlineMillis,
        List.of(key),
        1,
        0,
        1,
        4);
  }
}
