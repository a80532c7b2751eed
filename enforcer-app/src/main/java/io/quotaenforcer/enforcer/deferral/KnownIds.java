package io.quotaenforcer.enforcer.deferral;

import io.quotaenforcer.core.message.DeferralAnswer.Verdict;
import io.quotaenforcer.enforcer.store.DeferredId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.WindowStore;
import org.apache.kafka.streams.state.WindowStoreIterator;

/** Ids and states of requests that came or were put aside recently, by time. */
final class KnownIds {
  private static final Instant FOR_EVER = Instant.ofEpochMilli(Long.MAX_VALUE);

  private final WindowStore<Bytes, byte[]> store;
  private final Duration retention;

  /** State of a request; its row holds the ordinal. */
  enum Known {
    /** Waiting, released or run. */
    ACCEPTED,
    REFUSED,
    /** A dead letter after waiting: an operator may submit it again, a client may not. */
    PUT_ASIDE;

    /** The verdict for a client, which must not submit again what an operator has decided on. */
    Verdict verdict() {
      return this == REFUSED ? Verdict.REFUSED : Verdict.ACCEPTED;
    }
  }

  KnownIds(WindowStore<Bytes, byte[]> store, Duration retention) {
    this.store = store;
    this.retention = retention;
  }

  /** Sets a request's state, replacing any earlier one. */
  void put(DeferredId id, Known known, long nowMillis) {
    Bytes key = bytes(id);
    long newestMillis = nowMillis;
    // A state from the future is from another enforcer's clock, and would be taken for the newest.
    try (WindowStoreIterator<byte[]> ahead =
        store.fetch(key, Instant.ofEpochMilli(nowMillis), FOR_EVER)) {
      while (ahead.hasNext()) {
        newestMillis = ahead.next().key;
      }
    }
    store.put(key, new byte[] {(byte) known.ordinal()}, newestMillis);
  }

  /** The latest state; empty if there is no recent one. */
  Optional<Known> get(DeferredId id, long nowMillis) {
    Instant from = Instant.ofEpochMilli(nowMillis).minus(retention);
    Optional<Known> newest = Optional.empty();
    // Includes states from the future: the previous enforcer's clock may have been ahead.
    try (WindowStoreIterator<byte[]> known = store.fetch(bytes(id), from, FOR_EVER)) {
      while (known.hasNext()) {
        newest = Optional.of(Known.values()[known.next().value[0]]);
      }
    }
    return newest;
  }

  private static Bytes bytes(DeferredId id) {
    return Bytes.wrap(id.text().getBytes(StandardCharsets.UTF_8));
  }
}
