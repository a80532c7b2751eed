package io.quotaenforcer.client.internal.kafka;

import io.quotaenforcer.core.QuotaKey;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ObjLongConsumer;

/**
 * Serves those who wait for slots of a key, on the thread that gave some back. Whoever is served
 * may give slots back at once: what that makes due comes after what is being served, and not within
 * it, so that a thread's stack does not grow with those who wait. Safe for use by any number of
 * threads.
 */
final class Serving {
  private final ObjLongConsumer<QuotaKey> server;

  /** What each thread that serves has to serve yet: keys, with the time at which each was due. */
  private final Map<Thread, Map<QuotaKey, Long>> due = new ConcurrentHashMap<>();

  /**
   * @param server serves those whose turn it is at a time
   */
  Serving(ObjLongConsumer<QuotaKey> server) {
    this.server = server;
  }

  /** Serves a key, and whatever is due because of that; later, if this thread serves already. */
  void serve(QuotaKey key, long now) {
    Thread thread = Thread.currentThread();
    Map<QuotaKey, Long> already = due.get(thread);
    if (already != null) {
      already.put(key, now);
      return;
    }
    Map<QuotaKey, Long> keys = new LinkedHashMap<>();
    keys.put(key, now);
    due.put(thread, keys);
    try {
      while (!keys.isEmpty()) {
        QuotaKey next = keys.keySet().iterator().next();
        server.accept(next, Objects.requireNonNull(keys.remove(next)));
      }
    } finally {
      due.remove(thread);
    }
  }
}
