package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BookSettingsTest {
  private final BookSettings settings = BookSettings.defaults();

  @Test
  void scaled_isAllTimesTimesAsLong_andNothingElse() {
    BookSettings slow = settings.withMaxKeys(7).with(new Spreading(4, 1, 2)).scaled(10);
    assertThat(slow.reporting())
        .isEqualTo(
            new BookSettings.Reporting(200 * MILLI, 50 * MILLI, 10_000 * MILLI, 2_400 * MILLI));
    assertThat(slow.holding())
        .isEqualTo(
            new BookSettings.Holding(
                20_000 * MILLI, 16_000 * MILLI, 600_000 * MILLI, 1_000 * MILLI, 500 * MILLI));
    assertThat(slow.maxKeys()).isEqualTo(7);
    assertThat(slow.spreading()).isEqualTo(new Spreading(4, 1, 2));
    assertThat(slow.spareFrom()).isEqualTo(settings.spareFrom());
  }

  @Test
  void ofQueues_reportLessOften_andAreForgottenSooner() {
    BookSettings queues = BookSettings.ofQueues();
    assertThat(queues.reportIntervalNanos()).isEqualTo(100 * MILLI);
    assertThat(queues.evictAfterNanos()).isEqualTo(5_000 * MILLI);
    assertThat(queues.idleAfterNanos()).isEqualTo(settings.idleAfterNanos());
    assertThat(queues.ttlNanos()).isEqualTo(settings.ttlNanos());
  }

  @Test
  void sharesAreReportedTwelveIntervalsApart_atMostAQuarterOfASecond_noLessThanOne() {
    assertThat(reporting(20).ofShareNanos()).isEqualTo(240 * MILLI);
    assertThat(reporting(100).ofShareNanos()).isEqualTo(250 * MILLI);
    assertThat(reporting(300).ofShareNanos()).isEqualTo(300 * MILLI);
  }

  private static BookSettings.Reporting reporting(long intervalMillis) {
    return new BookSettings.Reporting(intervalMillis * MILLI, MILLI, 1_000 * MILLI);
  }

  @Test
  void fewPermits_areToldWithWhatAnIdleKeyGivesBack_butWithinALease() {
    assertThat(settings.fewReportIntervalNanos()).isEqualTo(1_720 * MILLI);
    BookSettings brief = settings.with(settings.holding().withTtl(500 * MILLI));
    assertThat(brief.fewReportIntervalNanos()).isEqualTo(500 * MILLI);
  }

  @Test
  void quickInterval_isAQuarterOfTheUsual_butNoneOfThoseOfANewKey() {
    assertThat(settings.quickIntervalNanos()).isEqualTo(5 * MILLI);
    assertThat(settings.with(reporting(40)).quickIntervalNanos()).isEqualTo(10 * MILLI);
    assertThat(settings.with(reporting(2)).quickIntervalNanos()).isEqualTo(MILLI);
  }
}
