package io.quotaenforcer.enforcer.deferral;

import io.quotaenforcer.core.message.DeferralAnswer.Verdict;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.WindowStore;
import org.apache.kafka.streams.state.WindowStoreIterator;

/** Ids of requests that came lately, and what became of them, by the time at which they came. */
final class KnownIds {
  private final WindowStore<Bytes, byte[]> store;
  private final Duration retention;

  KnownIds(WindowStore<Bytes, byte[]> store, Duration retention) {
    this.store = store;
    this.retention = retention;
  }

  void put(String id, Verdict verdict, long nowMillis) {
    store.put(bytes(id), new byte[] {(byte) verdict.ordinal()}, nowMillis);
  }

  /** What became of it when it came last; empty if it did not come lately. */
  Optional<Verdict> verdict(String id, long nowMillis) {
    Instant now = Instant.ofEpochMilli(nowMillis);
    Optional<Verdict> newest = Optional.empty();
    try (WindowStoreIterator<byte[]> known = store.fetch(bytes(id), now.minus(retention), now)) {
      while (known.hasNext()) {
        newest = Optional.of(Verdict.values()[known.next().value[0]]);
      }
    }
    return newest;
  }

  private static Bytes bytes(String id) {
    return Bytes.wrap(id.getBytes(StandardCharsets.UTF_8));
  }
}
