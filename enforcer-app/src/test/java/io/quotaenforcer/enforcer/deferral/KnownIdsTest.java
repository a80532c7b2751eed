package io.quotaenforcer.enforcer.deferral;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.enforcer.deferral.KnownIds.Known;
import io.quotaenforcer.enforcer.store.DeferredId;
import java.time.Duration;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.WindowStore;
import org.junit.jupiter.api.Test;

class KnownIdsTest {
  private static final long NOW = 1_800_000_000_000L;
  private static final Duration RETENTION = Duration.ofMinutes(10);

  private final WindowStore<Bytes, byte[]> store =
      Stores.inMemoryWindowStore("ids", RETENTION, Duration.ofMillis(1), false).get();
  private final KnownIds ids = new KnownIds(store, RETENTION);

  @Test
  void id_isKnownForItsTime_andTheLastOfIt() {
    ids.put(id("a"), Known.REFUSED, NOW);
    ids.put(id("a"), Known.ACCEPTED, NOW + 1);

    assertThat(ids.get(id("a"), NOW + 2)).contains(Known.ACCEPTED);
    assertThat(ids.get(id("a"), NOW + 1 + RETENTION.toMillis())).contains(Known.ACCEPTED);
    assertThat(ids.get(id("a"), NOW + 2 + RETENTION.toMillis())).isEmpty();
    assertThat(ids.get(id("b"), NOW)).isEmpty();
  }

  /** Else a request that comes again right after a takeover would be released twice. */
  @Test
  void id_ofAnEnforcerWhoseClockIsAhead_isKnown() {
    ids.put(id("a"), Known.ACCEPTED, NOW);

    assertThat(ids.get(id("a"), NOW - 150)).contains(Known.ACCEPTED);
  }

  @Test
  void id_ofAnotherQuotaKey_isAnother() {
    ids.put(id("a"), Known.ACCEPTED, NOW);

    assertThat(ids.get(new DeferredId(QuotaKey.parse("shop/jobs/bob"), "a"), NOW)).isEmpty();
  }

  private static DeferredId id(String text) {
    return new DeferredId(QuotaKey.parse("shop/jobs/ann"), text);
  }

  /**
   * Else what the enforcer before has seen of a request would stand for what became of it since.
   */
  @Test
  void id_putByAnEnforcerWhoseClockIsBehind_isWhatWasPutLast() {
    ids.put(id("a"), Known.REFUSED, NOW);
    ids.put(id("a"), Known.ACCEPTED, NOW - 150);
    ids.put(id("a"), Known.PUT_ASIDE, NOW - 100);

    assertThat(ids.get(id("a"), NOW - 50)).contains(Known.PUT_ASIDE);
    assertThat(ids.get(id("a"), NOW + 1)).contains(Known.PUT_ASIDE);
  }
}
