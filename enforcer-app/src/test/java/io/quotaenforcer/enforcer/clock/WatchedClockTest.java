package io.quotaenforcer.enforcer.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotaenforcer.enforcer.clock.BrokerTime.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WatchedClockTest {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;
  private static final long HOUR = 3_600 * SECOND;
  private static final long START = 1_700_000_000L * SECOND;
  private static final long SKEW = 200 * MILLI;

  /** True time, and what this host's clocks make of it. */
  private static final class Host implements BrokerTime {
    long trueNanos = START;
    long monotonicBehind = START - 77 * SECOND;
    long clockAhead;
    int asked;
    Answer instead = new Answer.Silent("");
    boolean tells = true;

    long monotonic() {
      return trueNanos - monotonicBehind;
    }

    WatchedClock clock() {
      return new WatchedClock(this::monotonic, () -> trueNanos + clockAhead, this, SKEW);
    }

    void passes(long nanos) {
      trueNanos += nanos;
    }

    /** Its monotonic clock stands still, that of the brokers does not. */
    void isSuspended(long nanos) {
      trueNanos += nanos;
      monotonicBehind += nanos;
    }

    @Override
    public Answer ask() {
      asked++;
      long before = monotonic();
      passes(3 * MILLI);
      return tells
          ? new Answer.Told(List.of(new TimeSample(before, monotonic(), trueNanos / MILLI)))
          : instead;
    }

    @Override
    public void close() {}
  }

  private final Host host = new Host();
  private int pauses;

  @Test
  void clock_notComparedYet_isNotTrusted() {
    assertThat(host.clock().trouble()).isPresent();
  }

  @Test
  void clock_thatAgrees_isTrusted() {
    WatchedClock clock = host.clock();
    clock.compare();
    assertThat(clock.trouble()).isEmpty();
    assertThat(clock.getAsLong()).isEqualTo(host.trueNanos);
  }

  @ParameterizedTest
  @ValueSource(longs = {60 * SECOND, HOUR, 24 * HOUR, -60 * SECOND, -HOUR, -24 * HOUR, 110 * MILLI})
  void clock_thatDiffers_isNotTrusted_untilItIsSet(long ahead) {
    host.clockAhead = ahead;
    WatchedClock clock = host.clock();
    clock.compare();
    assertThat(clock.trouble()).isPresent();
    assertThat(clock.trouble().orElseThrow())
        .contains(ahead > 0 ? "ahead of the brokers'" : "behind the brokers'")
        .contains("half of max.clock.skew");
    assertThat(clock.aheadSeconds()).isCloseTo(ahead / 1e9, within(0.005));

    host.clockAhead = 0;
    clock.compare();
    assertThat(clock.trouble()).isEmpty();
    assertThat(clock.getAsLong()).isEqualTo(host.trueNanos);
  }

  @Test
  void host_suspended_isNoticedByTheNextReading() {
    WatchedClock clock = host.clock();
    clock.compare();
    host.isSuspended(HOUR);
    assertThat(clock.getAsLong()).isEqualTo(host.trueNanos);
    assertThat(clock.trouble()).isEmpty();
    assertThat(host.asked).isEqualTo(2);
    clock.getAsLong();
    assertThat(host.asked).isEqualTo(2);
  }

  @Test
  void thread_thatWaitsBetweenTheClocks_isNoStep() {
    WatchedClock clock =
        new WatchedClock(
            () -> {
              long monotonic = host.monotonic();
              host.passes(pauses > 0 && pauses-- > 0 ? SECOND : 0);
              return monotonic;
            },
            () -> host.trueNanos,
            host,
            SKEW);
    clock.compare();
    int asked = host.asked;
    pauses = 2;
    clock.getAsLong();
    assertThat(host.asked).isEqualTo(asked);
  }

  @Test
  void host_suspendedTogetherWithItsClock_isNoticedBeforeATakeover() {
    WatchedClock clock = host.clock();
    clock.compare();
    host.isSuspended(HOUR);
    host.clockAhead = -HOUR;
    host.passes(SECOND);
    clock.confirm();
    assertThat(clock.trouble()).isPresent();
    host.clockAhead = 0;
    clock.compare();
    assertThat(clock.getAsLong()).isEqualTo(host.trueNanos);
  }

  @Test
  void hostsClock_setWrongLater_doesNotMoveTheTime() {
    WatchedClock clock = host.clock();
    clock.compare();
    host.clockAhead = HOUR;
    assertThat(clock.getAsLong()).isEqualTo(host.trueNanos);
    assertThat(clock.trouble()).isEmpty();
    int asked = host.asked;
    clock.getAsLong();
    assertThat(host.asked).isEqualTo(asked);
  }

  @Test
  void hostsClock_setBack_kafkasClientsStandStillUntilItIsWhereItWas() {
    WatchedClock clock = host.clock();
    clock.compare();
    assertThat(clock.standstill()).isEmpty();
    host.clockAhead = -60 * SECOND;
    clock.getAsLong();
    assertThat(clock.standstill().orElseThrow()).contains("set back by 60 s", "restart");
    host.passes(30 * SECOND);
    clock.compare();
    assertThat(clock.standstill()).isPresent();
    host.passes(31 * SECOND);
    clock.compare();
    assertThat(clock.standstill()).isEmpty();
  }

  @Test
  void hostsClock_setAheadAndRightAgain_isSetBackAllTheSame() {
    WatchedClock clock = host.clock();
    clock.compare();
    host.clockAhead = HOUR;
    clock.compare();
    assertThat(clock.standstill()).isEmpty();
    host.clockAhead = 0;
    clock.compare();
    assertThat(clock.standstill()).isPresent();
    host.clockAhead = HOUR;
    clock.compare();
    assertThat(clock.standstill()).isEmpty();
  }

  @Test
  void hostsClock_setRightBeforeKafkasClientsBegin_doesNotMatterToThem() {
    host.clockAhead = HOUR;
    WatchedClock clock = host.clock();
    clock.compare();
    host.clockAhead = 0;
    clock.compare();
    clock.clientsBegin();
    assertThat(clock.standstill()).isEmpty();
    clock.compare();
    assertThat(clock.standstill()).isEmpty();
  }

  @Test
  void hostsClock_setBackByLittle_isWaitedFor() {
    WatchedClock clock = host.clock();
    clock.compare();
    host.clockAhead = -2 * SECOND;
    clock.compare();
    assertThat(clock.standstill()).isEmpty();
  }

  @Test
  void hostsClock_setWhileBrokersAreSilent_grantsNothingUntilTheyAnswer() {
    WatchedClock clock = host.clock();
    clock.compare();
    host.tells = false;
    clock.compare();
    assertThat(clock.trouble()).isEmpty();
    host.clockAhead = HOUR;
    clock.getAsLong();
    assertThat(clock.trouble()).isPresent();
    int asked = host.asked;
    clock.getAsLong();
    assertThat(host.asked).isEqualTo(asked);
    host.tells = true;
    clock.compare();
    assertThat(clock.trouble()).isEmpty();
    assertThat(clock.getAsLong()).isEqualTo(host.trueNanos);
  }

  @Test
  void monotonicClock_thatDrifts_isLeftForTheHostsClock() {
    WatchedClock clock = host.clock();
    clock.compare();
    for (int i = 0; i < 20; i++) {
      host.passes(5 * SECOND);
      host.monotonicBehind += 9 * MILLI;
      clock.compare();
      assertThat(clock.trouble()).isEmpty();
    }
    assertThat(host.trueNanos - clock.getAsLong()).isBetween(0L, SKEW / 2);
  }

  @Test
  void topicThatIsNotStamped_clockIsBelieved() {
    host.tells = false;
    host.instead = new Answer.Untold("topic x has CreateTime");
    host.clockAhead = HOUR;
    WatchedClock clock = host.clock();
    clock.compare();
    assertThat(clock.trouble()).isEmpty();
    host.isSuspended(HOUR);
    clock.getAsLong();
    assertThat(clock.trouble()).isEmpty();
  }

  @Test
  void confirm_justCompared_asksNobody() {
    WatchedClock clock = host.clock();
    clock.compare();
    clock.confirm();
    assertThat(host.asked).isEqualTo(1);
    host.passes(SECOND);
    clock.confirm();
    assertThat(host.asked).isEqualTo(2);
  }
}
