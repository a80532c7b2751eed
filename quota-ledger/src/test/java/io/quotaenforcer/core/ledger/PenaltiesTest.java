package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.HolderBuilder.GENERATION;
import static io.quotaenforcer.core.ledger.HolderBuilder.NOW;
import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.MINUTE;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.PenaltyTerms;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which throttled permits count towards a penalty: those of a limit that is used up. */
class PenaltiesTest {
  private static final long LOOP = 100 * MILLI;
  private static final long PERIOD = 10 * SECOND;
  private static final PenaltyTerms TERMS =
      new PenaltyTerms(5, MINUTE, 10 * MINUTE, 2, 60 * MINUTE);
  private static final RuleId ID = new RuleId("test", "rule");

  private static WorkingLedger ledger(long period, long used, long throttled) {
    return ledger(new FixedWindow(80, period), used, throttled, List.of());
  }

  private static WorkingLedger ledger(
      Limit limit, long used, long throttled, List<Holder> holders) {
    WorkingLedger ledger =
        HolderBuilder.ledger(limit, limit.book(limit.initial(NOW), used, NOW), NOW, holders);
    ledger.lend();
    ledger.countOnce(CellUsage.of(-1, NOW).withThrottled(throttled), NOW);
    return ledger;
  }

  private static void judge(WorkingLedger ledger, long reportedAgo) {
    Rule rule = Rule.of(ID, List.of("user"), ledger.limit).withPenalty(TERMS);
    Holder holder = new HolderBuilder("a", 1).reportedAgo(reportedAgo).get();
    Penalties.judge(ledger, rule, holder, new UsageReport("a", 1, NOW, LOOP, 0, List.of()));
  }

  /**
   * An eighth of 80 may be left, or what comes in the time since the report before: 20 in a quarter
   * of a second. What was refused is told within 0.45 s, in which 18 of a limit of two seconds
   * come: who asks again after a while, and has no grant yet, has used nothing of it.
   */
  @ParameterizedTest
  @CsvSource({
    "10, 70, 0, true",
    "10, 69, 0, false",
    "1, 60, 250, true",
    "1, 59, 250, false",
    "2, 62, 9000, true",
    "2, 61, 9000, false",
    "1, 0, 9000, false",
    "1, 70, -9000, true"
  })
  void throttled_count_whileTheLimitIsUsedUp_orMayHaveBeen(
      long periodSeconds, long used, long sinceMillis, boolean count) {
    WorkingLedger ledger = ledger(periodSeconds * SECOND, used, 5);
    judge(ledger, sinceMillis * MILLI);

    assertThat(ledger.penalty.isInForce(NOW)).isEqualTo(count);
  }

  private static boolean count(Limit limit, long used, HolderBuilder other) {
    WorkingLedger ledger = ledger(limit, used, 5, List.of(other.get()));
    judge(ledger, 0);
    return ledger.penalty.isInForce(NOW);
  }

  private static HolderBuilder other() {
    return new HolderBuilder("b", 0);
  }

  /**
   * Of 80 permits, 40 are another's: what it did not use of them is left, up to an eighth of 80.
   */
  @ParameterizedTest
  @CsvSource({"40, true", "30, true", "29, false", "0, false"})
  void throttled_count_onlyOnceTheSharesOfOthersAreUsed(long usedByShare, boolean count) {
    HolderBuilder says = other().shareUsed(0, 40, usedByShare);

    assertThat(count(new SlidingWindow(80, PERIOD), 40, says)).as("sliding").isEqualTo(count);
    assertThat(count(new TokenBucket(80, PERIOD, 80), 80, says)).as("bucket").isEqualTo(count);
    assertThat(
            count(
                new FixedWindow(80, PERIOD), 40, other().shareOf(40).usedByShare(NOW, usedByShare)))
        .as("window")
        .isEqualTo(count);
  }

  /** All of it may have been used. */
  @Test
  void throttled_count_whereTheUseOfAShareIsNotSaid() {
    assertThat(count(new SlidingWindow(80, PERIOD), 40, other().shareOf(40))).isTrue();
  }

  /** Its share is none of this limit's. */
  @Test
  void throttled_count_whateverIsLeftOfAnOlderGeneration() {
    HolderBuilder old = other().generation(GENERATION - 1).shareUsed(0, 40, 0);

    assertThat(count(new SlidingWindow(80, PERIOD), 80, old)).isTrue();
  }

  @Test
  void penalty_isThatOfTheRule_fromTheFirstOneThatIsTooMany() {
    WorkingLedger few = ledger(SECOND, 80, 4);
    judge(few, 0);
    assertThat(few.penalty.isInForce(NOW)).isFalse();
    assertThat(few.penalty.throttled()).hasSize(1);

    WorkingLedger enough = ledger(SECOND, 80, 5);
    judge(enough, 0);
    assertThat(enough.penalty.untilNanos()).isEqualTo(NOW + 10 * MINUTE);
  }

  @Test
  void report_thatNothingWasThrottledIn_leavesAllAsItIs() {
    WorkingLedger ledger = ledger(SECOND, 80, 0);
    judge(ledger, 0);

    assertThat(ledger.penalty).isEqualTo(PenaltyState.NONE);
  }

  /** What was refused under it may be reported two loops later. */
  @ParameterizedTest
  @CsvSource({"200, true", "199, false"})
  void throttled_afterAPenalty_count_onceTheReportBeforeWasSentAfterItsEnd(
      long millisAfter, boolean count) {
    WorkingLedger ledger = ledger(SECOND, 80, 5);
    long until = NOW - millisAfter * MILLI;
    ledger.penalty = new PenaltyState(List.of(), 0, 1, until, 10 * MINUTE);
    judge(ledger, 0);

    assertThat(ledger.penalty.isInForce(NOW)).isEqualTo(count);
  }

  @Test
  void penalty_ofLongAgo_isForgotten_andThatOfARuleWithoutOneAtOnce() {
    PenaltyState before = new PenaltyState(List.of(), 0, 1, NOW - 2 * SECOND, SECOND);
    WorkingLedger ledger = ledger(SECOND, 0, 0);
    ledger.penalty = before;
    judge(ledger, 0);
    assertThat(ledger.penalty).isEqualTo(PenaltyState.NONE);

    ledger.penalty = before;
    Rule none = Rule.of(ID, List.of("user"), ledger.limit);
    Holder holder = new HolderBuilder("a", 1).get();
    Penalties.judge(ledger, none, holder, new UsageReport("a", 1, NOW, LOOP, 0, List.of()));
    assertThat(ledger.penalty).isEqualTo(PenaltyState.NONE);
  }
}
