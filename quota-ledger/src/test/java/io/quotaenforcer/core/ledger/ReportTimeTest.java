package io.quotaenforcer.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotaenforcer.core.message.Need;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTimeTest {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;
  private static final int PER_SECOND = 1_000;
  private static final long EVERY = 20 * MILLI;

  @Test
  void until_isByTheSendersClock() {
    ReportTime first = new ReportTime(90 * SECOND, 5 * SECOND);
    assertThat(first.until(new ReportTime(97 * SECOND, 6 * SECOND))).isEqualTo(SECOND);
  }

  @Test
  void until_isByTheEnforcersClock_whereTheOtherIsNotKnown() {
    ReportTime first = ReportTime.came(90 * SECOND);
    assertThat(first.until(new ReportTime(97 * SECOND, 6 * SECOND))).isEqualTo(7 * SECOND);
  }

  @Test
  void until_ofAMessageThatWasOvertaken_isZero() {
    ReportTime newer = new ReportTime(97 * SECOND, 6 * SECOND);
    ReportTime older = new ReportTime(98 * SECOND, 5 * SECOND);
    assertThat(newer.until(older)).isZero();
    assertThat(newer.then(older)).isEqualTo(new ReportTime(98 * SECOND, 6 * SECOND));
  }

  /** A share followed the first of them, which seemed to say that nearly nothing is asked for. */
  @Test
  void steadyDemand_staysTheSame_whenTheEnforcerReadsAllReportsOfASecondAtOnce() {
    LastReport last = LastReport.none(0);
    long sent = 0;
    for (; sent < 10 * SECOND; sent += EVERY) {
      last = next(last, sent, sent);
    }
    double before = last.steadyPerSecond();
    assertThat(before).isCloseTo(PER_SECOND, within(10.0));

    for (; sent < 11 * SECOND; sent += EVERY) {
      last = next(last, sent, 11 * SECOND);
      assertThat(last.steadyPerSecond()).isCloseTo(before, within(10.0));
    }
  }

  private static LastReport next(LastReport last, long sent, long at) {
    return last.then(
        PER_SECOND,
        PER_SECOND * EVERY / SECOND,
        Need.NONE,
        EVERY,
        new ReportTime(at, sent),
        ClockBound.NONE,
        List.of(),
        0);
  }
}
