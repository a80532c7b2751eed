package io.quotaenforcer.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Promises 1 and 3 while the enforcer crashes, instances pause, forget keys and restart, clocks are
 * wrong and rules change; and that all works again afterwards. The seed is the test's name.
 */
class ChaosTest {
  private static final int SEEDS = Extent.seeds(200, 400);
  private static final long FIRST = Long.getLong("chaos.first", 0);

  /** Runs that more than one test looks at: each is made once. */
  private static final Map<Long, SeedRun> STRICT = new ConcurrentHashMap<>();

  private static final Map<Long, SeedRun> COUNTED = new ConcurrentHashMap<>();

  private static SeedRun strict(long seed) {
    return STRICT.computeIfAbsent(seed, SeedRun::strict);
  }

  private static SeedRun counted(long seed) {
    return COUNTED.computeIfAbsent(seed, SeedRun::counted);
  }

  static LongStream seeds() {
    return LongStream.range(FIRST, FIRST + SEEDS);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void strictRule_anyTrouble_isNeverOverAndRecovers(long seed) {
    SeedRun run = strict(seed);
    assertThat(run.violation()).as("%s", run).isEmpty();
    assertThat(run.liveness()).as("%s", run).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void balancedRule_anyTroubleButCrashes_countsAllThatWasAdmitted(long seed) {
    SeedRun run = counted(seed);
    assertThat(run.violation()).as("%s", run).isEmpty();
    assertThat(run.liveness()).as("%s", run).isEmpty();
  }

  /** Leases shorter than the time between requests, of a window and of a bucket of one permit. */
  @ParameterizedTest
  @ValueSource(longs = {1996, 3481, 13306})
  void shortLeases_fewRequests_areRenewed(long seed) {
    SeedRun run = SeedRun.strict(seed);
    assertThat(run.liveness()).as("%s", run).isEmpty();
  }

  /**
   * The enforcer's clock was set back, and began to run again while nothing counted any more: what
   * it would have shown before says nothing of what was admitted then.
   */
  @ParameterizedTest
  @ValueSource(longs = {50442, 61377})
  void clock_thatWasSetBack_renewedNothingTooEarly(long seed) {
    SeedRun run = SeedRun.strict(seed);
    assertThat(run.violation()).as("%s", run).isEmpty();
  }

  /**
   * Answers took long, then an instance's reports were lost one after the other: it was to report
   * again after half a minute.
   */
  @ParameterizedTest
  @ValueSource(longs = {50978, 62398})
  void reports_lostAfterLateAnswers_areMadeAgainSoon(long seed) {
    SeedRun run = SeedRun.of(seed);
    assertThat(run.liveness()).as("%s", run).isEmpty();
  }

  /**
   * Its last demand was known, and nothing was set aside for it: it was answered after each commit.
   */
  @Test
  void queueInWhichNothingWaits_isNotAnsweredWithoutEnd() {
    SeedRun run = SeedRun.of(604036);
    assertThat(run.violation()).as("%s", run).isEmpty();
    assertThat(run.liveness()).as("%s", run).isEmpty();
  }

  /** The limit was raised in a window that was still open by the clock of a successor, behind. */
  @Test
  void limitThatWasRaised_isPromisedInAWindowThatASuccessorIsStillIn() {
    SeedRun run = SeedRun.strict(504086);
    assertThat(run.violation()).as("%s", run).isEmpty();
  }

  /** Sub-windows: their border had passed by the clock of an enforcer that then crashed. */
  @Test
  void grantedByAnEnforcerThatCrashed_isJudgedByItsClock() {
    SeedRun run = SeedRun.of(100431);
    assertThat(run.violation()).as("%s", run).isEmpty();
  }

  /** A bucket refilled at intervals, of whose shares each change cost a part of a refill. */
  @Test
  void bucketOfIntervals_isUsed() {
    SeedRun run = SeedRun.of(70914);
    assertThat(run.liveness()).as("%s", run).isEmpty();
  }

  /** Its clock was ahead, and the key was at rest before the window that it had opened it for. */
  @Test
  void opened_forAWindowToCome_isNotOpenedAgainInThatWindow() {
    SeedRun run = SeedRun.of(63899);
    assertThat(run.violation()).as("%s", run).isEmpty();
  }

  /** Five requests in the calm end, of which three are first requests again. */
  @Test
  void load_fewerRequestsThanItsRateSays_isJudgedByThem() {
    SeedRun run = SeedRun.strict(3025);
    assertThat(run.liveness()).as("%s", run).isEmpty();
  }

  /**
   * An instance is cut off while it leaves; two of its last reports are lost one after the other.
   */
  @Test
  void lastReport_lostAgainAndAgain_isWaitedFor() {
    SeedRun run = SeedRun.counted(4958);
    assertThat(run.liveness()).as("%s", run).isEmpty();
  }

  /** Runs that were over the limit once, by a little. */
  @Test
  void seedsThatBrokeAPromiseOnce_areKept() {
    List<SeedRun> runs = List.of(SeedRun.strict(30), SeedRun.of(5355), SeedRun.counted(5355));
    assertThat(runs).allSatisfy(run -> assertThat(run.isKept()).as("%s", run).isTrue());
  }

  @Test
  void requestEvents_amongTrouble_areCountedInManySeeds() {
    List<SeedRun> runs =
        LongStream.range(0, 60)
            .mapToObj(ChaosTest::counted)
            .filter(run -> run.story().contains("request events"))
            .toList();
    assertThat(runs).hasSizeGreaterThan(4).allMatch(SeedRun::isKept);
  }

  @Test
  void seed_runTwice_isTheSameRun() {
    assertThat(SeedRun.of(17)).usingRecursiveComparison().isEqualTo(SeedRun.of(17));
  }

  /** A run of slots, of a takeover of slots, of classes and of elastic rules. */
  @ParameterizedTest
  @ValueSource(longs = {5, 7, 8, 12})
  void seed_ofAnotherKind_isKept_andTheSameRunAgain(long seed) {
    SeedRun run = SeedRun.of(seed);
    assertThat(run.isKept()).as("%s", run).isTrue();
    assertThat(run).usingRecursiveComparison().isEqualTo(SeedRun.of(seed));
  }

  @Test
  void seeds_drawEveryKind() {
    assertThat(LongStream.range(0, 16).mapToObj(RunKind::of).distinct())
        .containsExactlyInAnyOrder(RunKind.values());
  }

  @Test
  void faults_overManySeeds_allHit() {
    List<SeedRun> runs =
        LongStream.range(0, 60)
            .mapToObj(seed -> seed % 4 == 3 ? counted(seed) : strict(seed))
            .toList();
    for (Fault fault : Fault.values()) {
      assertThat(runs.stream().mapToLong(run -> run.faults().of(fault)).sum())
          .as("%s", fault)
          .isPositive();
    }
  }
}
