package io.quotaenforcer.core.backtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.backtest.BacktestResult.Against;
import io.quotaenforcer.core.backtest.BacktestResult.RuleCounts;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleOverride;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BacktestSituationsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long START = 1_700_000_000L * SECOND;

  private static Rule rule(String id, Limit limit, String... key) {
    return Rule.of(new RuleId("d", id), List.of(key), limit);
  }

  private static Rule perUser(String id, long permits) {
    return rule(id, new FixedWindow(permits, SECOND), "user");
  }

  private static Backtest backtest(List<Rule> rules) {
    return new Backtest(rules, Optional.empty(), BacktestBounds.DEFAULTS);
  }

  private static Backtest backtest(List<Rule> rules, Collection<Rule> against) {
    return new Backtest(rules, Optional.of(against), BacktestBounds.DEFAULTS);
  }

  @Test
  void noRequests_isNothing_andEveryRuleIsTold() {
    BacktestResult result = backtest(List.of(perUser("b", 1), perUser("a", 1))).end(10);

    assertThat(result.totals()).isEqualTo(new Totals(0, 0, 0));
    assertThat(result.firstNanos()).isZero();
    assertThat(result.lastNanos()).isZero();
    assertThat(result.keys()).isEmpty();
    assertThat(result.keysExact()).isTrue();
    assertThat(result.rules())
        .extracting(each -> each.rule().id().id(), RuleCounts::counts)
        .containsExactly(tuple("a", KeyCounts.NONE), tuple("b", KeyCounts.NONE));
  }

  @Test
  void noRules_everyRequestRuns() {
    Backtest backtest = backtest(List.of());
    backtest.add(Request.of("user", "ann"), START);
    BacktestResult result = backtest.end(10);

    assertThat(result.totals()).isEqualTo(new Totals(0, 0, 1));
    assertThat(result.rules()).isEmpty();
    assertThat(result.firstNanos()).isEqualTo(START);
  }

  @Test
  void totals_whileRequestsAreHeldBack_areOfThoseThatWereDecided() {
    Backtest backtest = backtest(List.of(perUser("r", 1)));
    backtest.add(Request.of("user", "ann"), START);
    assertThat(backtest.totals().requests()).as("held back").isZero();

    backtest.add(Request.of("user", "ann"), START + BacktestBounds.DEFAULTS.latenessNanos() + 1);
    assertThat(backtest.totals()).isEqualTo(new Totals(1, 0, 0));
    assertThat(backtest.end(1).totals()).isEqualTo(new Totals(2, 0, 0));
  }

  @Test
  void shadowRule_countsWhatItWouldThrottle_andTheRequestsRun() {
    Backtest backtest = backtest(List.of(perUser("r", 1).withMode(Mode.SHADOW)));
    for (int i = 0; i < 3; i++) {
      backtest.add(Request.of("user", "ann"), START);
    }
    BacktestResult result = backtest.end(1);

    assertThat(result.totals()).isEqualTo(new Totals(3, 0, 0));
    assertThat(result.rules().get(0).counts()).isEqualTo(new KeyCounts(1, 2, 0, 1));
    assertThat(result.keys().get(0).counts()).isEqualTo(new KeyCounts(1, 2, 0, 1));
  }

  @Test
  void deniedKey_isThrottledEachTime_exemptOne_isUnmatched() {
    Rule rule =
        perUser("r", 5)
            .withOverrides(
                List.of(
                    RuleOverride.denied(Map.of("user", "bot")),
                    RuleOverride.exempt(Map.of("user", "probe"))));
    Backtest backtest = backtest(List.of(rule));
    for (int i = 0; i < 3; i++) {
      backtest.add(Request.of("user", "bot"), START + i * 10 * SECOND);
      backtest.add(Request.of("user", "probe"), START + i * 10 * SECOND);
    }
    BacktestResult result = backtest.end(10);

    assertThat(result.totals()).isEqualTo(new Totals(0, 3, 3));
    assertThat(result.keys()).hasSize(1);
    assertThat(result.keys().get(0).counts()).isEqualTo(new KeyCounts(0, 3, 0, 0));
  }

  /** Where a log rounds the moments of use, it throttles a little more than it says. */
  @Test
  void roundedLog_isToldByTheRequestsThatItDecidedSo() {
    Backtest backtest = backtest(List.of(rule("r", new SlidingLog(1_000, SECOND, false), "user")));
    for (int i = 0; i < 150; i++) {
      backtest.add(Request.of("user", "ann"), START + i * 1_000_000L);
    }
    BacktestResult result = backtest.end(1);

    assertThat(result.totals().admitted()).isEqualTo(150);
    assertThat(result.rules().get(0).rounded()).isEqualTo(150 - 101);
  }

  @Test
  void throttledLog_countsThrottledRequests_thoughTheyTakeNothing() {
    Backtest backtest = backtest(List.of(rule("r", new SlidingLog(1, SECOND, true), "user")));
    for (int i = 0; i < 10; i++) {
      backtest.add(Request.of("user", "ann"), START + i * SECOND / 2);
    }
    assertThat(backtest.end(1).totals()).isEqualTo(new Totals(1, 9, 0));
  }

  @Test
  void against_aRuleThatIsGone_admitsWhatItThrottled_aNewOne_throttlesWhatRan() {
    Rule gone = perUser("gone", 1);
    Rule added = perUser("added", 2);
    Backtest backtest = backtest(List.of(added), List.of(gone));
    for (int i = 0; i < 5; i++) {
      backtest.add(Request.of("user", "ann"), START);
    }
    Against against = backtest.end(10).against().orElseThrow();

    assertThat(against.change()).isEqualTo(new Change(0, 1));
    assertThat(against.changes()).isEqualTo(Map.of(gone.id(), new Change(0, 1)));
    assertThat(against.keys()).hasSize(1);

    Backtest reversed = backtest(List.of(gone), List.of(added));
    for (int i = 0; i < 5; i++) {
      reversed.add(Request.of("user", "ann"), START);
    }
    Against back = reversed.end(10).against().orElseThrow();
    assertThat(back.change()).isEqualTo(new Change(1, 0));
    assertThat(back.changes()).isEqualTo(Map.of(gone.id(), new Change(1, 0)));
  }

  @Test
  void against_rulesThatSwapped_areBothTold() {
    Rule before = perUser("r", 1);
    Rule after = rule("r", new TokenBucket(1, SECOND, 2), "user");
    Backtest backtest = backtest(List.of(after), List.of(before));
    backtest.add(Request.of("user", "ann"), START);
    backtest.add(Request.of("user", "ann"), START);
    backtest.add(Request.of("user", "ann"), START + SECOND);
    backtest.add(Request.of("user", "ann"), START + SECOND);
    BacktestResult result = backtest.end(10);
    Against against = result.against().orElseThrow();

    assertThat(result.totals()).isEqualTo(new Totals(3, 1, 0));
    assertThat(against.totals()).isEqualTo(new Totals(2, 2, 0));
    assertThat(against.change()).as("the second runs now").isEqualTo(new Change(0, 1));
    assertThat(against.rules().get(0).rule()).isEqualTo(before);
    assertThat(result.rules().get(0).rule()).isEqualTo(after);
  }

  /** The newly throttled and newly admitted make up the difference of the totals. */
  @Test
  void against_anyRules_changesAreTheDifferenceOfTheTotals() {
    Seeded.check(
        100,
        random -> {
          List<Rule> rules = new ArrayList<>();
          List<Rule> others = new ArrayList<>();
          for (int i = random.nextInt(3); i >= 0; i--) {
            rules.add(perUser("r" + i, 1 + random.nextInt(5)));
            others.add(rule("r" + i, new FixedWindow(1 + random.nextInt(8), SECOND)));
          }
          Backtest backtest = backtest(rules, others);
          long now = START;
          int requests = 500;
          for (int i = 0; i < requests; i++) {
            now += random.nextLong(SECOND / 4);
            backtest.add(
                random.nextInt(5) == 0
                    ? Request.of("ip", "::1")
                    : Request.of("user", "u" + random.nextInt(4)),
                now);
          }
          BacktestResult result = backtest.end(100);
          Against against = result.against().orElseThrow();

          assertThat(result.totals().requests()).isEqualTo(requests);
          assertThat(against.totals().requests()).isEqualTo(requests);
          assertThat(result.totals().throttled() - against.totals().throttled())
              .isEqualTo(against.change().newlyThrottled() - against.change().newlyAdmitted());
          long byKey =
              against.keys().stream().mapToLong(each -> each.change().newlyThrottled()).sum();
          assertThat(byKey)
              .as("each has a reason")
              .isGreaterThanOrEqualTo(against.change().newlyThrottled());
          for (RuleCounts each : result.rules()) {
            long ofKeys =
                result.keys().stream()
                    .filter(key -> key.quotaKey().rule().equals(each.rule().id()))
                    .mapToLong(key -> key.counts().requests())
                    .sum();
            assertThat(ofKeys).isEqualTo(each.counts().requests());
          }
        });
  }
}
