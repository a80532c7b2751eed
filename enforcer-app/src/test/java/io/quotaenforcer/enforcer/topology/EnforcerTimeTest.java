package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.ledger.LedgerSettings;
import io.quotaenforcer.enforcer.clock.EnforcerClock;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

class EnforcerTimeTest {
  private static final LedgerSettings SETTINGS = LedgerSettings.defaults(100);
  private static final long SECOND = 1_000_000_000L;
  private static final long HOUR = 3_600 * SECOND;
  private static final long START = 1_700_000_000L * SECOND;

  private static final class Clock implements EnforcerClock {
    long nanos = START;
    boolean trusted = true;

    @Override
    public long getAsLong() {
      return nanos;
    }

    @Override
    public Optional<String> trouble() {
      return trusted ? Optional.empty() : Optional.of("in doubt");
    }
  }

  private final Clock clock = new Clock();
  private final KeyValueStore<Bytes, byte[]> store = Stores.inMemoryKeyValueStore("ledger").get();

  /** As on a host that was suspended, and has not been told the time yet. */
  @Test
  void takeover_byAClockThatIsBehindUntilItIsSet_leapsNotAhead() {
    EnforcerTime before = new EnforcerTime(SETTINGS, clock, store);
    before.now();
    before.write(1);

    clock.nanos = START - HOUR;
    clock.trusted = false;
    EnforcerTime time = new EnforcerTime(SETTINGS, clock, store);
    assertThat(time.now()).isBetween(START, START + SECOND);
    assertThat(time.mayAnswer(1)).isFalse();

    clock.nanos = START + 10 * SECOND;
    clock.trusted = true;
    assertThat(time.now()).isEqualTo(START + 10 * SECOND);
    assertThat(time.adopted()).isZero();
  }

  @Test
  void clock_inDoubtWhileItRuns_timeStandsStill() {
    EnforcerTime time = new EnforcerTime(SETTINGS, clock, store);
    assertThat(time.now()).isEqualTo(START);
    clock.nanos += HOUR;
    clock.trusted = false;
    assertThat(time.now()).isEqualTo(START);
    clock.trusted = true;
    assertThat(time.now()).isEqualTo(START + HOUR);
  }
}
