package io.quotaenforcer.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.verdict.Judge;
import io.quotaenforcer.lab.verdict.Judgement;
import io.quotaenforcer.lab.verdict.RuleVerdict;
import io.quotaenforcer.lab.verdict.RuleVerdict.Opened;
import io.quotaenforcer.lab.verdict.RuleVerdict.Place;
import io.quotaenforcer.lab.verdict.RuleVerdict.Places;
import io.quotaenforcer.lab.verdict.RuleVerdict.WorstWindow;
import io.quotaenforcer.lab.verdict.RunPace;
import io.quotaenforcer.lab.verdict.TurnedAway;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class DemoReportTest {
  private static final List<Rule> RULES = DemoRules.forRate(20_000);
  private static final LoopTimes LOOP = new LoopTimes(12.5, 80);
  private static final List<RuleVerdict> KEPT =
      List.of(rule(0, 0, 0, 0), rule(1, 7, 3, 4), rule(2, 9, 2, 8));
  private static final List<RuleVerdict> PLAIN =
      List.of(rule(0, 50, 9, 0), rule(1, 60, 9, 4), rule(2, 70, 9, 8));
  private static final Optional<Place> PLACE =
      Optional.of(new Place("demo/x/b", 1_700_000_000_000_000_000L, 1));
  private static final DeferralFigures DEFERRED = new DeferralFigures(100, 95, 5, 0, 0, 0);
  private static final Map<RuleId, Long> EXACT = counted(60, 60, 60);
  private static final RunPace PACE = new RunPace(300_000_000, 200_000_000, 1);
  private static final RunPace SLOW = new RunPace(300_000_000, 201_000_000, 1);

  @Test
  void json_promisesKept_holdsEveryFigure() throws IOException {
    DemoReport report = report(KEPT);
    JsonNode json = new ObjectMapper().readTree(report.toJson());

    assertThat(json.get("requests").asLong()).isEqualTo(300);
    assertThat(json.get("admitted").asLong()).isEqualTo(180);
    assertThat(json.get("throttled").asLong()).isEqualTo(120);
    assertThat(json.get("overAdmittedStrict").asLong()).isZero();
    assertThat(json.get("overAdmittedBalanced").asLong()).as("closest to its bound").isEqualTo(3);
    assertThat(json.get("balancedBound").asLong()).isEqualTo(4);
    assertThat(json.get("worstCase").asLong()).isEqualTo(40);
    assertThat(json.get("grantedOver").asLong()).isZero();
    assertThat(json.get("overAdmittedBalancedTotal").asLong()).isEqualTo(16);
    assertThat(json.get("utilisationStrict").asDouble()).isEqualTo(60 / 64.0);
    assertThat(json.get("loopMs").get("p50").asDouble()).isEqualTo(12.5);
    assertThat(json.get("loopMs").get("p99").asDouble()).isEqualTo(80);
    assertThat(json.get("countedExactly").asBoolean()).isTrue();
    assertThat(json.get("turnedAwayPct").asDouble()).isEqualTo(10);
    assertThat(json.get("innocentsTurnedAwayPct").asDouble()).isZero();
    assertThat(json.get("mislabelled").asLong()).isZero();
    assertThat(json.get("kept").asBoolean()).isTrue();
    assertThat(json.get("deferred").asLong()).isEqualTo(100);
    assertThat(json.get("replayed").asLong()).isEqualTo(95);
    assertThat(json.get("expired").asLong()).isEqualTo(5);
    for (String never : List.of("lost", "duplicated", "outOfOrder")) {
      assertThat(json.get(never).asLong()).as(never).isZero();
    }
    JsonNode rule = json.get("perRule").get(1);
    assertThat(rule.get("rule").asText()).isEqualTo("demo/reads-per-key");
    assertThat(rule.get("over").asLong()).isEqualTo(7);
    assertThat(rule.get("bound").asLong()).isEqualTo(4);
    assertThat(rule.get("worstCase").asLong()).isEqualTo(40);
    assertThat(rule.get("opened").asLong()).isEqualTo(20);
    assertThat(rule.get("mostOpened").asLong()).isEqualTo(15);
    assertThat(rule.get("openingAllowed").asLong()).isEqualTo(15);
    assertThat(rule.get("turnedAwayPct").asDouble()).isEqualTo(10);
    assertThat(rule.get("innocentsTurnedAwayPct").asDouble()).isZero();
    assertThat(rule.get("delayedCountAdmitted").asLong()).isEqualTo(60);
    assertThat(rule.get("delayedCountOver").asLong()).isEqualTo(60);
  }

  @Test
  void report_innocentsTurnedAway_isNotKeptUnlessTheMachineWasTooSlow() {
    List<RuleVerdict> turned = List.of(KEPT.get(0), turningAway(1, 1), KEPT.get(2));

    DemoReport quick = report(turned, new RunPace(250_000_000, 50_000_000, 1), EXACT, DEFERRED);
    DemoReport slow = report(turned, new RunPace(250_000_000, 51_000_000, 1), EXACT, DEFERRED);

    assertThat(quick.kept()).isFalse();
    assertThat(DemoText.verdict(quick))
        .contains(
            "PROMISES BROKEN: 2.5 % of the requests of innocents were turned away",
            "1 by demo/reads-per-key, 1 of them at demo/x/b, the first in the window from 2023-11-");
    assertThat(slow.kept()).isTrue();
    assertThat(DemoText.verdict(slow))
        .contains(
            "not judged: the machine was too slow (an answer took up to 250 ms, a thread came up to"
                + " 51 ms late):\n  2.5 % of the requests of innocents",
            "PROMISES KEPT as far as judged");
  }

  @Test
  void report_strictCallersTurnedAway_isKept() {
    List<RuleVerdict> turned = List.of(turningAway(0, 1), KEPT.get(1), KEPT.get(2));

    assertThat(report(turned).kept()).isTrue();
  }

  @Test
  void report_strictRuleOverOrCountWrong_isNotKept() {
    List<RuleVerdict> over = List.of(rule(0, 1, 1, 0), KEPT.get(1), KEPT.get(2));

    DemoReport overLimit = report(over);
    DemoReport wrongCount = report(KEPT, PACE, counted(60, 59, 60), DEFERRED);

    assertThat(overLimit.kept()).isFalse();
    assertThat(DemoText.verdict(overLimit))
        .contains(
            "PROMISES BROKEN: demo/orders-per-customer is over by 1 at demo/x/a in the"
                + " window from 1970-01-01T00:00:00Z (bound 0)");
    assertThat(wrongCount.kept()).isFalse();
    assertThat(DemoText.verdict(wrongCount))
        .contains(
            "demo/reads-per-key was not counted exactly: 59 permits of 60 that were admitted");
  }

  @Test
  void report_grantedOverOrOpenedTooMuch_isNotKept() {
    List<RuleVerdict> granted = List.of(KEPT.get(0), rule(1, 7, 3, 4, 2, 15), KEPT.get(2));
    List<RuleVerdict> opened = List.of(KEPT.get(0), KEPT.get(1), rule(2, 9, 2, 8, 0, 16));

    DemoReport grantedOver = report(granted);
    DemoReport openedOver = report(opened);

    assertThat(grantedOver.kept()).isFalse();
    assertThat(grantedOver.grantedOver()).isEqualTo(2);
    assertThat(DemoText.verdict(grantedOver))
        .contains(
            "PROMISES BROKEN: demo/reads-per-key was granted 2 over its limit, first at demo/x/b in"
                + " the window from 2023-11-14T22:13:20Z");
    assertThat(openedOver.kept()).isFalse();
    assertThat(DemoText.verdict(openedOver))
        .contains(
            "PROMISES BROKEN: demo/uploads-per-tenant: an instance admitted 16 by its own count in"
                + " one period at demo/x/b in the window from 2023-11-14T22:13:20Z (allowed 15)");
  }

  @Test
  void report_deferredRequestLost_isNotKept() {
    DeferralFigures lost = new DeferralFigures(100, 94, 5, 1, 0, 0);

    DemoReport report = report(KEPT, PACE, EXACT, lost);

    assertThat(report.kept()).isFalse();
    assertThat(DemoText.verdict(report))
        .contains("PROMISES BROKEN: deferred requests: 1 lost, 0 duplicated");
  }

  @Test
  void text_promisesKept_saysSoWithThePlainWayBesideIt() {
    String text = DemoText.verdict(report(KEPT));

    assertThat(text)
        .contains("PROMISES KEPT")
        .contains("200/1s")
        .contains("70 (116.7 %)")
        .contains("demo/reads-per-key 40, demo/uploads-per-tenant 80")
        .contains("balanced rules: 0.0 %");
  }

  @Test
  void liveTable_withoutTerminal_isOnePlainLinePerFrame() {
    LiveTable table = new LiveTable(false);

    assertThat(table.frame(3, KEPT.subList(0, 1), Optional.of(LOOP)))
        .isEqualTo(
            "  3 s | orders-per-customer: requests 100, admitted 60, throttled 40, over 0,"
                + " utilisation 93.8 % | loop p50 13 ms, p99 80 ms\n");
    assertThat(table.frame(4, KEPT, Optional.empty())).doesNotContain("\u001b").endsWith("yet\n");
  }

  @Test
  void liveTable_onATerminal_drawsOverTheLastFrame() {
    LiveTable table = new LiveTable(true);

    assertThat(table.frame(1, KEPT, Optional.empty())).doesNotContain("\u001b[5A");
    assertThat(table.frame(2, KEPT, Optional.of(LOOP))).startsWith("\u001b[5A");
  }

  private static Map<RuleId, Long> counted(long... permits) {
    Map<RuleId, Long> counted = new HashMap<>();
    for (int i = 0; i < permits.length; i++) {
      counted.put(RULES.get(i).id(), permits[i]);
    }
    return counted;
  }

  private static DemoReport report(List<RuleVerdict> verdicts) {
    return report(verdicts, PACE, EXACT, DEFERRED);
  }

  private static DemoReport report(
      List<RuleVerdict> verdicts,
      RunPace pace,
      Map<RuleId, Long> counted,
      DeferralFigures deferral) {
    Judgement judgement =
        Judge.judge(verdicts, verdicts, pace)
            .plus(Judge.counted(verdicts, counted, pace))
            .plus(deferral.findings(pace));
    return DemoReport.of("allotment", verdicts, PLAIN, LOOP, pace, counted, deferral, judgement);
  }

  @Test
  void report_machineTooSlow_judgesNothingThatItExplainsAndAllElse() {
    List<RuleVerdict> byUsual = List.of(KEPT.get(0), rule(1, 9, 9, 4), KEPT.get(2));
    List<RuleVerdict> byLongest = List.of(KEPT.get(0), rule(1, 9, 9, 40), KEPT.get(2));
    List<RuleVerdict> granted = List.of(KEPT.get(0), rule(1, 7, 3, 4, 2, 15), KEPT.get(2));

    Judgement overOnce = Judge.judge(byUsual, byLongest, PACE);

    assertThat(overOnce.broken()).isEmpty();
    assertThat(overOnce.notJudged())
        .containsExactly(
            "demo/reads-per-key is over by 9 at demo/x/a in the window from 1970-01-01T00:00:00Z"
                + " (bound 4)");
    assertThat(Judge.judge(byUsual, byUsual, SLOW).kept()).isFalse();
    assertThat(report(granted, SLOW, EXACT, DEFERRED).kept()).isFalse();
    assertThat(report(KEPT, SLOW, counted(60, 59, 60), DEFERRED).notJudged()).hasSize(1);
    assertThat(report(KEPT, SLOW, counted(60, 61, 60), DEFERRED).broken()).hasSize(1);
    assertThat(report(KEPT, SLOW, EXACT, new DeferralFigures(9, 4, 4, 1, 1, 0)).kept()).isTrue();
    assertThat(report(KEPT, SLOW, EXACT, new DeferralFigures(9, 4, 4, 1, 1, 2)).kept()).isFalse();
  }

  @Test
  void report_nothingDeferred_isNotKept() {
    assertThat(report(KEPT, PACE, EXACT, DeferralFigures.NONE).broken())
        .containsExactly("no request that was throttled could be deferred");
    assertThat(report(KEPT, SLOW, EXACT, DeferralFigures.NONE).notJudged()).hasSize(1);
  }

  private static RuleVerdict rule(int index, long over, long worst, long bound) {
    return rule(index, over, worst, bound, 0, 15);
  }

  private static RuleVerdict rule(
      int index, long over, long worst, long bound, long grantedOver, long mostOpened) {
    return rule(index, over, worst, bound, grantedOver, mostOpened, 0);
  }

  private static RuleVerdict turningAway(int index, long innocents) {
    return rule(index, 0, 0, 0, 0, 15, innocents);
  }

  private static RuleVerdict rule(
      int index,
      long over,
      long worst,
      long bound,
      long grantedOver,
      long mostOpened,
      long innocentsTurnedAway) {
    return new RuleVerdict(
        RULES.get(index),
        100,
        60,
        40,
        60,
        64,
        over,
        worst == 0 ? Optional.empty() : Optional.of(new WorstWindow("demo/x/a", 0, worst)),
        bound,
        bound * 10,
        grantedOver,
        new Opened(20, mostOpened, 15),
        0,
        new TurnedAway(50, 5),
        new TurnedAway(20, innocentsTurnedAway),
        new Places(PLACE, PLACE, PLACE, innocentsTurnedAway == 0 ? Optional.empty() : PLACE));
  }
}
