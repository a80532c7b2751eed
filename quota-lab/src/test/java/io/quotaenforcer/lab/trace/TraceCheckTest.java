package io.quotaenforcer.lab.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.Windows;
import io.quotaenforcer.core.algorithm.Windows.CalendarUnit;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.OverrideEffect;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleOverride;
import io.quotaenforcer.lab.demo.Arrivals;
import io.quotaenforcer.lab.demo.Load;
import io.quotaenforcer.lab.demo.Workload;
import io.quotaenforcer.lab.trace.TraceCheck.RuleFigures;
import io.quotaenforcer.lab.verdict.DecisionConsumer;
import io.quotaenforcer.lab.verdict.DecisionLog;
import io.quotaenforcer.lab.verdict.DecisionMerge;
import io.quotaenforcer.lab.verdict.DelayedCountShadow;
import io.quotaenforcer.lab.verdict.KeyEntry;
import io.quotaenforcer.lab.verdict.KeyTable;
import io.quotaenforcer.lab.verdict.RuleVerdict;
import io.quotaenforcer.lab.verdict.Verdict;
import io.quotaenforcer.lab.verdict.VerdictTerms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TraceCheckTest {
  private static final long START = 1_700_000_000_123_456_789L;
  private static final long DELAY = 60_000_000L;
  private static final int INSTANCES = 3;
  private static final int BUCKET = 2;
  private static final PermitSource[] SOURCES = {
    PermitSource.NONE, PermitSource.GRANTED, PermitSource.GRANTED, PermitSource.OPENING
  };
  private static final List<String> NAMES = List.of("demo-0", "demo-1", "demo-2");
  private static final VerdictTerms TERMS = VerdictTerms.of(INSTANCES, 64);

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void exactDecisions_traced_areKeptAndFullyUsed(long seed) throws IOException {
    Verdict verdict = traceExactly(seed);

    TraceCheck.Result result = TraceCheck.check(directory);

    assertSame(result, verdict, seed);
    assertThat(result.kept()).as("seed %d", seed).isTrue();
    for (RuleFigures rule : result.perRule()) {
      assertThat(rule.requests()).as("seed %d", seed).isGreaterThan(500);
      assertThat(rule.over()).as("seed %d", seed).isZero();
      assertThat(rule.utilisation()).as("seed %d", seed).isEqualTo(1.0);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void decisionsFromADelayedCount_traced_areOverByWhatTheVerdictSays(long seed) throws IOException {
    Workload workload = workload(seed);
    Verdict verdict = new Verdict(workload.rules(), TERMS);
    try (TraceWriter trace = writer(workload)) {
      DecisionConsumer both = DecisionConsumer.all(verdict, trace);
      decideExactly(workload, new DelayedCountShadow(INSTANCES, DELAY, both));
    }

    TraceCheck.Result result = TraceCheck.check(directory);

    assertSame(result, verdict, seed);
    assertThat(result.kept()).as("seed %d", seed).isFalse();
    assertThat(result.perRule()).allSatisfy(rule -> assertThat(rule.over()).isPositive());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void trace_oneThrottledRequestTurnedIntoAnAdmission_isFoundAsOver(int ruleIndex)
      throws IOException {
    Verdict verdict = traceExactly(1);
    String rule = verdict.perRule().get(ruleIndex).rule().id().toString();
    List<String> lines = new ArrayList<>(Files.readAllLines(file(0)));
    int at = lastThrottledAfterAnAdmission(lines, rule);
    TraceRow row = TraceRow.parse(lines.get(at));
    String label = ruleIndex == 0 ? String.valueOf(row.epochMicros() / 1_000_000 * 1_000_000) : "";
    lines.set(
        at,
        lines
            .get(at)
            .replace("THROTTLED,,", "ADMITTED,granted,")
            .replaceAll(",\\d*$", "," + label));
    Files.write(file(0), lines);

    TraceCheck.Result result = TraceCheck.check(directory);

    assertThat(result.perRule().get(ruleIndex).over()).isEqualTo(1);
    assertThat(result.perRule().get(ruleIndex).worstOver()).isEqualTo(1);
    assertThat(replayed().perRule().get(ruleIndex).over()).isEqualTo(1);
    assertThat(result.perRule().get(0).kept()).isEqualTo(ruleIndex != 0);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void overridesAndCalendars_traced_areJudgedAsTheVerdictDoes(long seed) throws IOException {
    List<Rule> rules = rulesWithOverrides();
    KeyTable keys = new KeyTable(rules);
    SplittableRandom random = new SplittableRandom(seed);
    Verdict verdict = new Verdict(rules, TERMS);
    try (TraceWriter trace =
        TraceWriter.open(directory, NAMES, TERMS, DELAY, rules, "domain: demo")) {
      DecisionConsumer both = DecisionConsumer.all(verdict, trace);
      // From the afternoon before clocks are set back in New York.
      long now = 1_730_570_400_000_000_000L;
      for (int i = 0; i < 4_000; i++) {
        now += random.nextLong(60_000_000) * 1_000;
        KeyEntry key = key(keys, rules.get(random.nextInt(2)), random);
        PermitSource source = SOURCES[random.nextInt(SOURCES.length)];
        long label = source == PermitSource.NONE ? 0 : key.limit().cellWindow(now);
        both.accept(now, random.nextInt(INSTANCES), key, 1 + random.nextInt(3), source, label);
      }
    }

    TraceCheck.Result result = TraceCheck.check(directory);

    assertSame(result, verdict, seed);
    assertThat(result.perRule()).allSatisfy(rule -> assertThat(rule.over()).isPositive());
    assertThat(replayed().perRule().stream().map(RuleVerdict::over).toList())
        .as("seed %d", seed)
        .isEqualTo(result.perRule().stream().map(RuleFigures::over).toList());
  }

  private static KeyEntry key(KeyTable keys, Rule rule, SplittableRandom random) {
    String user = List.of("plain", "vip", "bad").get(random.nextInt(3));
    return keys.of(QuotaKey.of(rule.id(), List.of(user)));
  }

  private static List<Rule> rulesWithOverrides() {
    FixedWindow daily =
        new FixedWindow(500, new Windows.Calendar(CalendarUnit.DAY, ZoneId.of("America/New_York")));
    SlidingWindow hourly = new SlidingWindow(20, 3_600_000_000_000L);
    return List.of(
        withOverrides("daily", daily).withEnforcement(Enforcement.STRICT),
        withOverrides("hourly", hourly).withTolerance(1_000));
  }

  private static Rule withOverrides(String id, Limit limit) {
    return Rule.of(new RuleId("demo", id), List.of("user"), limit)
        .withOverrides(
            List.of(
                new RuleOverride(
                    Map.of("user", new Matcher.Exact("vip")),
                    new OverrideEffect.Limited(limit.withPermits(2 * limit.permits()))),
                new RuleOverride(
                    Map.of("user", new Matcher.Exact("bad")), new OverrideEffect.Denied())));
  }

  @Test
  void trace_withoutARequest_isRefused() throws IOException {
    writer(workload(1)).close();

    assertThatThrownBy(() -> TraceCheck.check(directory))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must hold a request");
  }

  @Test
  void trace_inWhichNothingIsAdmitted_showsNothing() throws IOException {
    traceExactly(1);
    for (int i = 0; i < INSTANCES; i++) {
      List<String> lines = new ArrayList<>(Files.readAllLines(file(i)));
      lines.replaceAll(TraceCheckTest::throttled);
      Files.write(file(i), lines);
    }

    assertThat(TraceCheck.check(directory).admitted()).isZero();
    assertThat(TraceCheck.check(directory).kept()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void trace_inWhichNothingIsAdmittedOfOneRule_isNotKept(int ruleIndex) throws IOException {
    Verdict verdict = traceExactly(1);
    String rule = verdict.perRule().get(ruleIndex).rule().id().toString();
    for (int i = 0; i < INSTANCES; i++) {
      List<String> lines = new ArrayList<>(Files.readAllLines(file(i)));
      lines.replaceAll(line -> line.contains("," + rule + ",") ? throttled(line) : line);
      Files.write(file(i), lines);
    }

    assertThat(TraceCheck.check(directory).perRule().get(ruleIndex).admitted()).isZero();
    assertThat(TraceCheck.check(directory).kept()).isFalse();
  }

  private static String throttled(String line) {
    return line.replaceAll("ADMITTED,[a-z-]*,", "THROTTLED,,").replaceAll(",\\d+$", ",");
  }

  @Test
  void trace_oneLabelMovedToAnotherWindow_isFoundAsMislabelled() throws IOException {
    traceExactly(1);
    List<String> lines = new ArrayList<>(Files.readAllLines(file(1)));
    for (int i = 1; i < lines.size(); i++) {
      TraceRow row = TraceRow.parse(lines.get(i));
      long intoWindow = Math.floorMod(row.epochMicros(), 1_000_000);
      if (row.admitted() && row.windowStartMicros().isPresent() && intoWindow < 800_000) {
        long moved = row.windowStartMicros().getAsLong() + 1_000_000;
        lines.set(i, lines.get(i).replaceAll(",\\d*$", "," + moved));
        break;
      }
    }
    Files.write(file(1), lines);

    assertThat(TraceCheck.check(directory).mislabelled()).isEqualTo(1);
    assertThat(TraceCheck.check(directory).kept()).isFalse();
    assertThat(replayed().perRule().get(0).mislabelled()).isEqualTo(1);
  }

  @Test
  void trace_rowsOutOfOrder_isRefusedWithFileAndLine() throws IOException {
    traceExactly(1);
    List<String> lines = new ArrayList<>(Files.readAllLines(file(2)));
    Collections.swap(lines, 1, lines.size() - 1);
    Files.write(file(2), lines);

    assertThatThrownBy(() -> TraceCheck.check(directory))
        .hasMessage("must be in the order of epochMicros: demo-2.csv:3");
  }

  @Test
  void trace_brokenRow_isRefusedWithFileAndLine() throws IOException {
    traceExactly(1);
    Files.writeString(file(2), TraceRow.HEADER + "\n1,demo-2,demo/x,demo/x/a,1,MAYBE,,\n");

    assertThatThrownBy(() -> TraceCheck.check(directory))
        .hasMessage("demo-2.csv:2: must be ADMITTED or THROTTLED: outcome=MAYBE");
  }

  @Test
  void trace_rulesAreWrittenBesideIt() throws IOException {
    traceExactly(1);

    assertThat(directory.resolve("rules.yaml")).hasContent("domain: demo");
    assertThat(TraceReader.open(directory).facts().rules().get(0))
        .isEqualTo(
            new RuleFacts(
                "demo/orders-per-customer",
                "fixed-window",
                20,
                1_000_000,
                20,
                0,
                "greedy",
                0,
                0,
                false,
                null,
                null,
                "strict",
                10_000));
    assertThat(TraceReader.open(directory).facts().terms()).isEqualTo(TERMS);
  }

  @Test
  void balanced_eachInstanceOpensTheLimitOnce_isKeptWithinOneLoop() throws IOException {
    write(0, opened(0, 0, 20), opened(100, 0, 20));
    write(1, opened(0, 1, 20));
    measured(40);

    RuleFigures rule = balanced();

    assertThat(rule.opened()).isEqualTo(60);
    assertThat(rule.mostOpened()).isEqualTo(40);
    assertThat(rule.openingAllowed()).as("of three periods of its clock").isEqualTo(3 * 20 * 2);
    assertThat(rule.worstOver()).isEqualTo(40);
    assertThat(rule.bound()).as("40 in a slice, of which a loop touches 2").isEqualTo(80);
    assertThat(rule.worstCase()).isEqualTo(3 * 40);
    assertThat(rule.grantedOver()).isZero();
    assertThat(rule.kept()).isTrue();
    assertThat(replayed().perRule(OptionalLong.of(40_000_000)).get(BUCKET).bound()).isEqualTo(80);
  }

  @Test
  void balanced_instanceOpensTooMuchInAPeriod_isBroken() throws IOException {
    write(0, opened(0, 0, 40), opened(500, 0, 40), opened(900, 0, 40), opened(950, 0, 1));
    measured(60);

    RuleFigures rule = balanced();

    assertThat(rule.mostOpened()).isEqualTo(121);
    assertThat(rule.openingAllowed()).isEqualTo(120);
    assertThat(rule.worstOver()).isLessThanOrEqualTo(rule.bound());
    assertThat(rule.kept()).isFalse();
    assertThat(replayed().perRule().get(BUCKET).kept()).isFalse();
  }

  @Test
  void balanced_grantedOver_isBrokenThoughTheOpenedAreMore() throws IOException {
    write(0, opened(0, 0, 20), granted(1, 0, 20), granted(1, 0, 1));
    measured(60);

    RuleFigures rule = balanced();

    assertThat(rule.grantedOver()).isEqualTo(1);
    assertThat(rule.worstOver()).isLessThanOrEqualTo(rule.bound());
    assertThat(rule.kept()).isFalse();
    assertThat(replayed().perRule().get(BUCKET).grantedOver()).isEqualTo(1);
  }

  @Test
  void balanced_overByMoreThanOneLoopAsksFor_isBroken() throws IOException {
    write(0, rows(12, at -> opened(at * 50L, 0, 3)));
    write(1, rows(12, at -> opened(at * 50L, 1, 3)));
    measured(40);

    RuleFigures rule = balanced();

    assertThat(rule.bound()).as("6 in a slice, of which a loop touches 2").isEqualTo(12);
    assertThat(rule.worstOver()).isGreaterThan(12).isLessThan(rule.worstCase());
    assertThat(rule.mostOpened()).isLessThanOrEqualTo(rule.openingAllowed());
    assertThat(rule.grantedOver()).isZero();
    assertThat(rule.kept()).isFalse();
    assertThat(replayed().perRule(OptionalLong.of(40_000_000)).get(BUCKET).kept()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ADMITTED,,", "ADMITTED,lent,", "THROTTLED,granted,"})
  void row_sourceThatDoesNotFitTheOutcome_isRefused(String outcome) {
    assertThatThrownBy(() -> TraceRow.parse("1,demo-2,demo/x,demo/x/a,1," + outcome))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("source=");
  }

  private static TraceRow opened(long millis, int instance, long cost) {
    return row(millis, instance, cost, PermitSource.OPENING);
  }

  private static TraceRow granted(long millis, int instance, long cost) {
    return row(millis, instance, cost, PermitSource.GRANTED);
  }

  private static TraceRow row(long millis, int instance, long cost, PermitSource source) {
    String rule = "demo/uploads-per-tenant";
    long micros = 1_700_000_000_000_000L + millis * 1000;
    return new TraceRow(
        micros, NAMES.get(instance), rule, rule + "/a", cost, source, OptionalLong.empty());
  }

  private static TraceRow[] rows(int count, IntFunction<TraceRow> row) {
    return IntStream.range(0, count).mapToObj(row).toArray(TraceRow[]::new);
  }

  /** Decisions of the balanced token bucket of 20 permits a second. */
  private void write(int instance, TraceRow... rows) throws IOException {
    if (!Files.exists(file(instance))) {
      writer(workload(1)).close();
    }
    StringBuilder text = new StringBuilder(TraceRow.HEADER + "\n");
    for (TraceRow row : rows) {
      row.appendTo(text);
    }
    Files.writeString(file(instance), text);
  }

  private void measured(long loopMillis) throws IOException {
    TraceFacts facts = TraceReader.open(directory).facts();
    Files.writeString(
        directory.resolve(TraceFacts.FILE_NAME), facts.withLoop(loopMillis * 1_000_000).toJson());
  }

  private RuleFigures balanced() throws IOException {
    return TraceCheck.check(directory).perRule().get(BUCKET);
  }

  private Verdict replayed() throws IOException {
    TraceReader reader = TraceReader.open(directory);
    Verdict verdict = new Verdict(reader.rules(), reader.facts().terms());
    reader.replay(verdict);
    return verdict;
  }

  private Verdict traceExactly(long seed) throws IOException {
    Workload workload = workload(seed);
    Verdict verdict = new Verdict(workload.rules(), TERMS);
    try (TraceWriter trace = writer(workload)) {
      decideExactly(workload, DecisionConsumer.all(verdict, trace));
    }
    return verdict;
  }

  private TraceWriter writer(Workload workload) throws IOException {
    return TraceWriter.open(directory, NAMES, TERMS, DELAY, workload.rules(), "domain: demo");
  }

  private Path file(int instance) {
    return directory.resolve(NAMES.get(instance) + ".csv");
  }

  private static Workload workload(long seed) {
    return new Workload(Load.of(seed, INSTANCES, 2000, Duration.ofSeconds(4)));
  }

  /** Decides as one process would that sees every request: never over, never under. */
  private static void decideExactly(Workload workload, DecisionConsumer consumer) {
    List<DecisionLog> arrived = new ArrayList<>();
    for (int i = 0; i < INSTANCES; i++) {
      DecisionLog log = new DecisionLog();
      Arrivals arrivals = workload.arrivals(i);
      while (arrivals.due(4_000_000_000L)) {
        long at = START + arrivals.nextNanos();
        log.record(at, arrivals.take(), 1, PermitSource.NONE, 0);
      }
      log.close();
      arrived.add(log);
    }
    Map<KeyEntry, LimitState> states = new HashMap<>();
    new DecisionMerge(
            workload.keys(),
            arrived,
            (stampNanos, instance, key, cost, ignored, none) -> {
              Limit limit = key.limit();
              LimitState state = states.computeIfAbsent(key, k -> limit.initial(stampNanos));
              boolean admitted =
                  limit.available(limit.advance(state, stampNanos), stampNanos) >= cost;
              if (admitted) {
                states.put(key, limit.book(limit.advance(state, stampNanos), cost, stampNanos));
              }
              PermitSource source = admitted ? PermitSource.GRANTED : PermitSource.NONE;
              long label = limit.cellWindow(stampNanos);
              consumer.accept(stampNanos, instance, key, cost, source, label);
            })
        .drain();
  }

  /** A throttled request while its key was at the limit, of the busiest key of the rule. */
  private static int lastThrottledAfterAnAdmission(List<String> lines, String rule) {
    for (int i = lines.size() - 1; i > 0; i--) {
      TraceRow row = TraceRow.parse(lines.get(i));
      if (row.rule().equals(rule) && !row.admitted()) {
        return i;
      }
    }
    throw new AssertionError("no throttled request of " + rule);
  }

  private static void assertSame(TraceCheck.Result result, Verdict verdict, long seed) {
    List<RuleVerdict> expected = verdict.perRule();
    for (int i = 0; i < expected.size(); i++) {
      RuleVerdict rule = expected.get(i);
      assertThat(result.perRule().get(i))
          .as("seed %d", seed)
          .isEqualTo(
              new RuleFigures(
                  rule.rule().id().toString(),
                  rule.requests(),
                  rule.admitted(),
                  rule.admittedPermits(),
                  rule.allowedPermits(),
                  rule.over(),
                  rule.worstOver(),
                  rule.bound(),
                  rule.worstCase(),
                  rule.grantedOver(),
                  rule.opened().permits(),
                  rule.opened().most(),
                  rule.opened().allowed(),
                  rule.mislabelled()));
    }
  }
}
