package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.rule.Enforcement;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each instance has the whole limit for itself, whatever the algorithm. */
class PerInstanceTest {
  private static final int INSTANCES = 8;

  static Stream<Limit> limits() {
    return Stream.of(
        new FixedWindow(100, SECOND),
        new SlidingWindow(100, SECOND),
        new TokenBucket(100, SECOND, 100));
  }

  private static TestBook instance(Limit limit) {
    return new TestBook(rule("rule", limit, Enforcement.PER_INSTANCE));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void instances_eachAdmitsTheLimit(Limit limit) {
    int admitted = 0;
    for (int i = 0; i < INSTANCES; i++) {
      admitted += instance(limit).admitted(300);
    }
    assertThat(admitted).isEqualTo(800);
  }

  @ParameterizedTest
  @MethodSource("limits")
  void instance_aPeriodLater_admitsAgainAndReportsAll(Limit limit) {
    TestBook book = instance(limit);
    book.admitted(150);
    assertThat(book.decision().degraded()).isFalse();
    book.passes(2 * SECOND);
    assertThat(book.admitted(150)).isEqualTo(100);
    long used = book.cells().stream().mapToLong(CellUsage::used).sum();
    assertThat(used).isEqualTo(200);
  }

  @ParameterizedTest
  @MethodSource("limits")
  void instance_isGrantedPermits_givesThemBackAndAdmitsNoMore(Limit limit) {
    TestBook book = instance(limit);
    book.admits();
    book.granted(book.grant(limit, 5, 50));
    assertThat(book.admitted(300)).isEqualTo(99);
    book.passes(200 * MILLI);
    assertThat(book.openCell(5).closed()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("limits")
  void instance_enforcersClockIsHoursBehind_admitsAgainAPeriodLater(Limit limit) {
    TestBook book = instance(limit);
    book.admitted(150);
    book.reports();
    book.answer().madeAt(book.now - 18_000 * SECOND).send();
    assertThat(book.admitted(150)).isZero();
    book.passes(2 * SECOND);
    assertThat(book.admitted(150)).isEqualTo(100);
  }

  @ParameterizedTest
  @MethodSource("limits")
  void instance_clockStepsBack_admitsNoMore(Limit limit) {
    TestBook book = instance(limit);
    book.admitted(150);
    book.passes(-5 * SECOND);
    assertThat(book.admitted(150)).isZero();
  }
}
