package io.quotaenforcer.simulation;

import static io.quotaenforcer.simulation.LoopSimulation.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.DemandClass;
import io.quotaenforcer.core.rule.DemandClasses;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.simulation.LoopSimulation.Network;
import io.quotaenforcer.simulation.MutantProbe.Aim;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of the classes that come first find room, however much the others ask for. */
class ClassesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long LOOP = 100 * MILLI;
  private static final Network CALM = new Network(10 * MILLI, 0, 0);
  private static final int INSTANCES = 4;

  private static final int SEEDS_OF_A_MUTANT = 60;

  @TempDir Path folder;

  private static final Request CRITICAL = Request.of("user", "u", "api", "POST /charges");
  private static final Request NORMAL = Request.of("user", "u");
  private static final Request BATCH = Request.of("user", "u", "job", "nightly");

  /** Windows of 3 s, in which the first class asks for little for a moment. */
  @ParameterizedTest
  @ValueSource(longs = {1896, 9032, 9768, 11608, 76664, 202024, 203576, 223352})
  void firstClass_afterALullByChance_isServedToTheEndOfItsWindow(long seed) {
    SeedRun run = SeedRun.of(seed);
    assertThat(run.kind()).isEqualTo(RunKind.CLASSES);
    assertThat(run.violation()).as(run.story()).isEmpty();
    assertThat(run.liveness()).as(run.story()).isEmpty();
  }

  record Case(Limit limit, Enforcement enforcement) {}

  static Stream<Case> cases() {
    return Stream.of(
            new FixedWindow(1_000, SECOND),
            new FixedWindow(6_000, 6 * SECOND),
            new SlidingWindow(1_000, SECOND),
            new TokenBucket(1_000, SECOND, 1_000),
            new TokenBucket(1_000, SECOND, 100))
        .flatMap(
            limit ->
                Stream.of(Enforcement.STRICT, Enforcement.BALANCED)
                    .map(enforcement -> new Case(limit, enforcement)));
  }

  private static DemandClasses classes(int upToOfBatch) {
    return new DemandClasses(
        List.of(
            DemandClass.of("critical", Map.of("api", new Matcher.Exact("POST /charges"))),
            DemandClass.of("normal", Map.of()),
            new DemandClass("batch", Map.of("job", new Matcher.Any()), 0, upToOfBatch)));
  }

  private static LoopSimulation simulation(Case c, DemandClasses classes) {
    Rule rule =
        Rule.of(new RuleId("test", "rule"), List.of("user"), c.limit)
            .withEnforcement(c.enforcement)
            .withClasses(classes)
            .withVersion(1, 1);
    return new LoopSimulation(rule, INSTANCES, CALM, 1);
  }

  private static void load(
      LoopSimulation simulation, Request request, double perSecond, long until) {
    for (int i = 0; i < INSTANCES; i++) {
      simulation.load(i, request, perSecond / INSTANCES, until);
    }
  }

  /** Three times the limit by classes below, from the start; the first class begins later. */
  @ParameterizedTest
  @MethodSource("cases")
  void firstClass_isServed_withinALoopOfItsStep(Case c) {
    LoopSimulation simulation = simulation(c, classes(DemandClass.WHOLE));
    long end = 20 * SECOND;
    long step = 6 * SECOND;
    load(simulation, NORMAL, 1_500, end);
    load(simulation, BATCH, 1_500, end);
    simulation.run(step);
    simulation.takeServed();
    load(simulation, CRITICAL, 300, end);
    simulation.run(step + LOOP);
    simulation.takeServed();
    simulation.run(end);
    Map<String, Served> served = simulation.takeServed();

    assertThat(served.get("critical").part()).as("%s", c).isGreaterThanOrEqualTo(0.99);
    assertThat(served.get("normal").part())
        .as("%s %s", c, served)
        .isGreaterThan(20 * served.get("batch").part());
    assertThat(usedOfLimit(c, simulation, end)).as("%s", c).isGreaterThan(0.85);
    if (c.enforcement == Enforcement.STRICT) {
      assertThat(simulation.worstExcess(c.limit)).as("%s", c).isZero();
    }
  }

  /** Permits above {@code up-to} stay unused, even if nobody else asks for any. */
  @ParameterizedTest
  @MethodSource("cases")
  void lastClass_isKeptFromTheLastPart(Case c) {
    LoopSimulation simulation = simulation(c, classes(5_000));
    long end = 12 * SECOND;
    load(simulation, BATCH, 3_000, end);
    simulation.run(end);

    double used = usedOfLimit(c, simulation, end);
    assertThat(used).as("%s", c).isGreaterThan(0.4);
    // What comes above the part that is left in a bucket is the last class's, too.
    if (isOfSeconds(c.limit)) {
      assertThat(used).as("%s", c).isLessThan(c.enforcement == Enforcement.STRICT ? 0.51 : 0.6);
    }
  }

  /** The part that is reserved is there at once, although the others have taken all they may. */
  @ParameterizedTest
  @MethodSource("cases")
  void reserve_isThereAtOnce(Case c) {
    DemandClasses reserving =
        new DemandClasses(
            List.of(
                new DemandClass(
                    "critical", Map.of("api", new Matcher.Exact("POST /charges")), 2_000, 10_000),
                DemandClass.of("normal", Map.of())));
    LoopSimulation simulation = simulation(c, reserving);
    long step = 9 * SECOND;
    long end = step + 500 * MILLI;
    load(simulation, NORMAL, 3_000, end);
    simulation.run(step);
    double used = usedOfLimit(c, simulation, step);
    simulation.takeServed();
    load(simulation, CRITICAL, 200, end);
    simulation.run(end);

    assertThat(simulation.takeServed().get("critical").part())
        .as("%s", c)
        .isGreaterThanOrEqualTo(0.9);
    assertThat(used).as("%s", c).isGreaterThan(0.65);
    if (isOfSeconds(c.limit)) {
      assertThat(used).as("%s", c).isLessThan(c.enforcement == Enforcement.STRICT ? 0.82 : 0.9);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void firstClass_ofAnyLimit_isServed_andNothingIsOver(long seed) {
    ClassRun run = new ClassRun(seed);
    assertThat(run.judge()).as("%s", run).isEqualTo(Verdict.KEPT);
  }

  static LongStream seeds() {
    return LongStream.range(0, Extent.seeds(30, 400));
  }

  @ParameterizedTest
  @EnumSource
  void mutant_isFound(ClassMutant mutant)
      throws IOException, ReflectiveOperationException, URISyntaxException {
    try (MutantClasses classes = MutantClasses.of(mutant.patches, folder)) {
      assertThat(MutantSeeds.search(mutant, Aim.CLASSES, SEEDS_OF_A_MUTANT, classes.probe()))
          .as("%s, %d seeds", mutant, SEEDS_OF_A_MUTANT)
          .isNotEmpty();
    }
  }

  /** Whether whole seconds hold as much as they say. */
  private static boolean isOfSeconds(Limit limit) {
    return !limit.isBucket() && limit.periodNanos() == SECOND;
  }

  private static double usedOfLimit(Case c, LoopSimulation simulation, long nanos) {
    double allowed = (double) c.limit.permits() * nanos / c.limit.periodNanos();
    return simulation.admissions.size() / allowed;
  }
}
