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

/** Ids of requests that came or were put aside lately, and what became of them, by time. */
final class KnownIds {
  private static final Instant FOR_EVER = Instant.ofEpochMilli(Long.MAX_VALUE);

  private final WindowStore<Bytes, byte[]> store;
  private final Duration retention;

  /** What became of a request; a row is its ordinal. */
  enum Known {
    /** It waits, was released, or was run. */
    ACCEPTED,
    REFUSED,
    /** It waited, and is a dead letter: an operator may hand it over once more, a client not. */
    PUT_ASIDE;

    /** What a client is told: it must not hand over again what an operator has decided on. */
    Verdict verdict() {
      return this == REFUSED ? Verdict.REFUSED : Verdict.ACCEPTED;
    }
  }

  KnownIds(WindowStore<Bytes, byte[]> store, Duration retention) {
    this.store = store;
    this.retention = retention;
  }

  /** What becomes of it now, whatever was put before. */
  void put(DeferredId id, Known known, long nowMillis) {
    Bytes key = bytes(id);
    long newestMillis = nowMillis;
    // What is ahead of now is of another enforcer's clock, and would stand for the newest.
    try (WindowStoreIterator<byte[]> ahead =
        store.fetch(key, Instant.ofEpochMilli(nowMillis), FOR_EVER)) {
      while (ahead.hasNext()) {
        newestMillis = ahead.next().key;
      }
    }
    store.put(key, new byte[] {(byte) known.ordinal()}, newestMillis);
  }

  /** What became of it last; empty if nothing did lately. */
  Optional<Known> get(DeferredId id, long nowMillis) {
    Instant from = Instant.ofEpochMilli(nowMillis).minus(retention);
    Optional<Known> newest = Optional.empty();
    // Also what is ahead of now: the clock of the enforcer before may have been.
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
