package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.ClassDemand;
import io.quotaenforcer.core.message.Need;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How much of what a holder asks for counts as steady, from one report to the next. */
class LastReportTest {
  private static final long AT = HolderBuilder.NOW;
  private static final Limit BUCKET = new TokenBucket(1_000, 2 * SECOND, 1_000);

  private static LastReport steady(double perSecond) {
    return new LastReport(perSecond, perSecond, 0, 0, ReportTime.came(AT), ClockBound.NONE);
  }

  private static double then(
      double steady, double demand, long asked, long nanos, long cutCosts, ClassReport... classes) {
    return steady(steady)
        .then(
            demand,
            asked,
            Need.NONE,
            0,
            ReportTime.came(AT + nanos),
            ClockBound.NONE,
            List.of(classes),
            cutCosts)
        .steadyPerSecond();
  }

  /** What was asked for is averaged over two seconds, and of no more than the last half second. */
  @ParameterizedTest
  @CsvSource({"500, 50, 25", "500, 60, 30", "5000, 500, 25", "100, 0, 5", "0, 0, 0", "-50, 0, 0"})
  void demand_thatComes_isSteadyLittleByLittle(long millis, long asked, double steady) {
    assertThat(then(0, 100, asked, millis * MILLI, 0)).isEqualTo(steady, within(1e-6));
  }

  /** Fewer may come by chance, and are followed in half a second; none at all is none. */
  @ParameterizedTest
  @CsvSource({"90, 98", "10, 82", "0, 0"})
  void demand_thatGoes_isNotSteadySooner(double demand, double steady) {
    assertThat(then(100, demand, 0, 100 * MILLI, 0)).isEqualTo(steady, within(1e-6));
  }

  /** Over forty requests, a period at least, and ten seconds at most. */
  @ParameterizedTest
  @CsvSource({"3, 8, 0.8", "3, 40, 6.666667", "7, 8, 0.571429", "3, 2, 0.1", "1, 100, 25"})
  void demand_isSteadyLater_whereACutCosts(long cutCostsSeconds, double demand, double steady) {
    long asked = Math.round(demand / 2);

    assertThat(then(0, demand, asked, SECOND / 2, cutCostsSeconds * SECOND))
        .isEqualTo(steady, within(1e-6));
  }

  @Test
  void demand_thatGoesByChance_isSteadyForLonger_whereACutCosts() {
    assertThat(then(100, 90, 0, 100 * MILLI, 4 * SECOND)).isEqualTo(99.75, within(1e-6));
    assertThat(then(100, 0, 0, 100 * MILLI, 4 * SECOND)).isEqualTo(0, within(1e-6));
  }

  /** A share cannot be had back at once, so that it is for the requests served first. */
  @Test
  void demand_ofTheFirstClassOnly_isSteady() {
    ClassReport few = new ClassReport(40, 0, 0);
    ClassReport many = new ClassReport(400, 0, 0);

    assertThat(then(0, 100, 50, SECOND / 2, 0, few, many)).isEqualTo(10, within(1e-6));
    assertThat(then(0, 100, 50, SECOND / 2, 0, many, few)).isEqualTo(25, within(1e-6));
  }

  @Test
  void cut_costsAPeriod_whereUseSlidesOut_butInShortOnesOnlyWithClasses() {
    assertThat(LastReport.cutCostsNanos(log(10 * SECOND), false)).isEqualTo(10 * SECOND);
    assertThat(LastReport.cutCostsNanos(log(2 * SECOND + 1), false)).isEqualTo(2 * SECOND + 1);
    assertThat(LastReport.cutCostsNanos(log(2 * SECOND), false)).isZero();
    assertThat(LastReport.cutCostsNanos(log(2 * SECOND), true)).isEqualTo(2 * SECOND);
    assertThat(LastReport.cutCostsNanos(new FixedWindow(9, 10 * SECOND), true)).isZero();
  }

  private static Limit log(long period) {
    return new SlidingLog(1_000, period, false);
  }

  /** As if what was asked for faded away: 63 % in a period. */
  @Test
  void class_usedLately_comesNearWhatIsAskedForInAPeriod() {
    List<ClassReport> before = List.of(new ClassReport(50, 0, 20), new ClassReport(0, 0, 100));
    List<ClassDemand> demands = List.of(new ClassDemand(7, 3), ClassDemand.NONE);
    List<ClassReport> then =
        ClassReport.then(
            before, demands, new ClassReport.Span(0, 2 * SECOND, 2 * SECOND), log(2 * SECOND));

    assertThat(then.get(0).usedLately()).isEqualTo(20 + 80 * 0.63212, within(1e-3));
    assertThat(then.get(0).perSecond()).isEqualTo(7);
    assertThat(then.get(0).needed()).isEqualTo(3);
    assertThat(then.get(1).usedLately()).isEqualTo(36.788, within(1e-3));
  }

  private static LastReport next(LastReport before, double demand, long nanos) {
    ReportTime time = ReportTime.came(before.time().atNanos() + nanos);
    return before.then(demand, 0, Need.NONE, 0, time, ClockBound.NONE, List.of(), 0);
  }

  /** Of a thousand in a second, 905 may be chance. */
  @ParameterizedTest
  @CsvSource({
    "1000, 20, 20, 1000", "1000, 460, 40, 1000", "1000, 461, 40, 20",
    "3000, 20, 40, 1000", "710, 20, 20, 1000", "690, 20, 20, 6.9"
  })
  void demand_thatComesBackWithinHalfASecond_isAsSteadyAsBefore(
      double again, long millis, long later, double steady) {
    LastReport paused = next(steady(1_000), 0, 20 * MILLI);
    assertThat(paused.steadyPerSecond()).isZero();
    LastReport longer = next(paused, 0, millis * MILLI);
    assertThat(longer.steadyPerSecond()).isZero();
    assertThat(next(longer, again, later * MILLI).steadyPerSecond())
        .isEqualTo(steady, within(1e-6));
  }

  /** An enforcer that was late reads at once what came in half a second. */
  @Test
  void pause_isTimedByTheSender() {
    LastReport before = sent(steady(1_000), 1_000, 0, 0);
    LastReport paused = sent(before, 0, 20 * MILLI, 20 * MILLI);
    assertThat(sent(paused, 1_000, 60 * MILLI, SECOND).steadyPerSecond()).isEqualTo(1_000);
    assertThat(sent(paused, 1_000, SECOND, 20 * MILLI).steadyPerSecond()).isLessThan(500);
  }

  private static LastReport sent(LastReport before, double demand, long sent, long came) {
    ReportTime time = new ReportTime(AT + came, 7 * SECOND + sent);
    return before.then(demand, 0, Need.NONE, 0, time, ClockBound.NONE, List.of(), 0);
  }

  /** By steps, each of which is more than chance. */
  @Test
  void demand_thatFallsOnceMore_isAsSteadyAsBeforeTheFirstFall_forHalfASecondFromThat() {
    LastReport falling = next(next(steady(1_000), 500, 100 * MILLI), 0, 300 * MILLI);
    assertThat(next(falling, 1_000, 200 * MILLI).steadyPerSecond()).isEqualTo(1_000);
    assertThat(next(falling, 1_000, 201 * MILLI).steadyPerSecond()).isEqualTo(100.5);
  }

  private static double fallen(Limit limit, double demand, boolean endsShare) {
    HolderBuilder builder = new HolderBuilder("a", 1_000);
    Holder before = builder.shareOf(300).get();
    LedgerCell share = before.cells().get(0);
    CellUsage usage = endsShare ? share.usage().asClosed() : share.usage();
    Holder booked = before.withCells(List.of(share.withUsage(usage)));
    LastReport newest = new LastReport(demand, 900, 0, 0, ReportTime.came(AT), ClockBound.NONE);
    return FallenDemand.steadyOf(newest, before, booked, limit).steadyPerSecond();
  }

  /** 300 permits in two seconds. */
  @Test
  void demand_thatFell_letsNoShareOfABucketGrow() {
    assertThat(fallen(BUCKET, 500, false)).isEqualTo(150);
    assertThat(fallen(BUCKET, 950, false)).as("may be chance").isEqualTo(900);
    assertThat(fallen(new FixedWindow(1_000, 2 * SECOND), 500, false)).isEqualTo(900);
  }

  @Test
  void demand_ofAHolderThatEndsItsShare_isNotSteady() {
    assertThat(fallen(BUCKET, 950, true)).isZero();
  }
}
