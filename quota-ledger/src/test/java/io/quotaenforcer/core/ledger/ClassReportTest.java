package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.message.ClassDemand;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClassReportTest {
  private static final Limit LOG = new SlidingLog(1_000, SECOND, false);

  private static List<ClassReport> then(
      List<ClassReport> before, ClassDemand demand, long since, Limit limit) {
    return ClassReport.then(before, List.of(demand), new ClassReport.Span(0, since, since), limit);
  }

  @Test
  void usedLately_comesNearADemandWithinAPeriod_andFadesWithoutIt() {
    List<ClassReport> reports = List.of();
    for (int i = 0; i < 100; i++) {
      reports = then(reports, new ClassDemand(50, 0), SECOND / 20, LOG);
    }
    assertThat(reports.get(0).usedLately()).isBetween(48.0, 50.0);

    for (int i = 0; i < 100; i++) {
      reports = then(reports, ClassDemand.NONE, SECOND / 20, LOG);
    }
    assertThat(reports.get(0).usedLately()).isBetween(0.0, 1.0);
  }

  /** Sixteen thousand were asked for in a period of a limit of a thousand. */
  @Test
  void usedLately_isNoMoreThanTheLimitHas() {
    List<ClassReport> asked = List.of(new ClassReport(1_000, 0, 0));
    Limit log = new SlidingLog(1_000, 16 * SECOND, false);

    assertThat(then(asked, ClassDemand.NONE, 16 * SECOND, log).get(0).usedLately())
        .isEqualTo(632.1, within(0.1));
    assertThat(then(asked, ClassDemand.NONE, SECOND, new FixedWindow(100, 16 * SECOND)).get(0))
        .isEqualTo(new ClassReport(0, 0, 100));
  }

  /** A window begins at 10 s: of 4 s of 7 a second 1 s is in it, or all are. */
  @ParameterizedTest
  @CsvSource({"7, 11, 7", "11, 15, 78", "3, 14, 28"})
  void usedLately_ofAWindow_isWhatWasAskedForInIt(long from, long to, double used) {
    List<ClassReport> asked = List.of(new ClassReport(7, 0, 50));
    ClassReport.Span span = new ClassReport.Span(from * SECOND, to * SECOND, (to - from) * SECOND);

    for (Limit limit :
        List.of(
            new FixedWindow(1_000, 10 * SECOND),
            new IntervalBucket(1_000, 10 * SECOND, 1_000, 1_000))) {
      assertThat(ClassReport.then(asked, List.of(ClassDemand.NONE), span, limit))
          .containsExactly(new ClassReport(0, 0, used));
    }
  }

  @Test
  void reports_ofAnotherNumberOfClasses_beginAnew() {
    List<ClassReport> one = List.of(new ClassReport(5, 1, 70));

    ClassReport.Span span = new ClassReport.Span(0, 1, 1);
    assertThat(ClassReport.then(one, List.of(), span, LOG)).isEmpty();
    assertThat(ClassReport.then(one, List.of(ClassDemand.NONE, ClassDemand.NONE), span, LOG))
        .containsExactly(new ClassReport(0, 0, 0), new ClassReport(0, 0, 0));
  }
}
