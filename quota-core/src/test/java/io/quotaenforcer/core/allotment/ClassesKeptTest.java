package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.message.ClassDemand;
import io.quotaenforcer.core.rule.DemandClass;
import io.quotaenforcer.core.rule.DemandClasses;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a class of requests leaves to those before it. */
class ClassesKeptTest {
  private static final long START = 7 * SECOND;
  private static final long HORIZON = 60 * MILLI;
  private static final DemandClasses CLASSES =
      new DemandClasses(
          List.of(
              new DemandClass("users", Map.of(), 3_000, DemandClass.WHOLE),
              DemandClass.of("jobs", Map.of("job", new Matcher.Any())),
              DemandClass.of("bulk", Map.of("bulk", new Matcher.Any()))));

  private final ClassDemands demands =
      new ClassDemands(
          CLASSES, new BookContext(BookSettings.defaults(), 10, new KeyHash(1, 2)), 1_000, START);

  /** In the 20 ms before the first look. */
  private void asked(long ofUsers, long ofJobs) {
    demands.asked(0, ofUsers);
    demands.asked(1, ofJobs);
    demands.measure(HORIZON, START);
  }

  @Test
  void kept_isWhatThoseBeforeAreLikelyToAskForUntilMoreIsGranted() {
    asked(100, 50);
    assertThat(demands.kept(0)).isZero();
    assertThat(demands.kept(1)).as("300 and 2.5 deviations").isEqualTo(344);
    assertThat(demands.kept(2)).as("150 and 2.5 deviations more").isEqualTo(344 + 181);
  }

  @Test
  void kept_isForThoseWhoWait_too() {
    demands.await(0, 9);
    demands.measure(0, START);
    assertThat(demands.kept(1)).isEqualTo(9);
    demands.await(0, -9);
    demands.await(0, -3);
    demands.measure(0, START + SECOND);
    assertThat(demands.kept(1)).isZero();
  }

  @Test
  void demand_isMeasuredNoMoreOftenThanThatOfAll() {
    asked(100, 0);
    demands.asked(0, 10_000);
    demands.measure(HORIZON, START + 15 * MILLI - 1);
    assertThat(demands.kept(1)).isEqualTo(344);
    demands.measure(HORIZON, START + 15 * MILLI);
    assertThat(demands.kept(1)).isGreaterThan(30_000);
  }

  @Test
  void putBack_isNotAskedFor() {
    demands.asked(0, 100);
    demands.asked(0, -100);
    demands.measure(HORIZON, START);
    assertThat(demands.kept(1)).isZero();
    assertThat(demands.askedBy(0)).isZero();
  }

  @Test
  void keptOfLimit_isWhatIsReserved_untilAnAnswerSaysOtherwise_orMoreIsAskedFor() {
    assertThat(demands.keptOfLimit(0)).isZero();
    assertThat(demands.keptOfLimit(1)).isEqualTo(300);
    assertThat(demands.kept(1, 100)).as("of a tenth of the limit").isEqualTo(30);

    demands.answered(List.of(0L, 20L, 40L), 50, START + SECOND);
    assertThat(demands.keptOfLimit(1)).isEqualTo(20);
    asked(100, 0);
    assertThat(demands.keptOfLimit(1)).isEqualTo(344);
    assertThat(demands.kept(1, 100)).isEqualTo(344);
  }

  @Test
  void answer_leavesNothingForAClass_itIsClosedUntilThatIsOver() {
    demands.answered(List.of(0L, 50L, 51L), 50, START + SECOND);
    assertThat(demands.isClosed(0, START)).isFalse();
    assertThat(demands.isClosed(1, START)).isFalse();
    assertThat(demands.isClosed(2, START)).isTrue();
    assertThat(demands.isClosed(2, START + SECOND - 1)).isTrue();
    assertThat(demands.isClosed(2, START + SECOND)).isFalse();

    demands.answered(List.of(0L, 51L), 0, START + SECOND);
    assertThat(demands.isClosed(2, START)).as("of other classes").isTrue();
    demands.answered(List.of(0L, 50L, 50L), 50, START + SECOND);
    assertThat(demands.isClosed(2, START)).isFalse();
  }

  @Test
  void demandAndNeed_areDividedInTheOrderOfTheClasses_andTheLastHasTheRest() {
    demands.await(0, 4);
    demands.await(1, 3);
    asked(96, 57);
    assertThat(demands.divide(9_000, 12))
        .containsExactly(
            new ClassDemand(5_000, 4), new ClassDemand(3_000, 3), new ClassDemand(1_000, 5));
    assertThat(demands.divide(6_000, 5))
        .containsExactly(
            new ClassDemand(5_000, 4), new ClassDemand(1_000, 1), new ClassDemand(0, 0));
  }
}
