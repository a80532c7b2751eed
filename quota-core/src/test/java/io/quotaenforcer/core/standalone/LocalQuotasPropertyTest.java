package io.quotaenforcer.core.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.ThrottleReason;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.OverLimit;
import io.quotaenforcer.core.rule.OverrideEffect;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleOverride;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class LocalQuotasPropertyTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long START = 28_000_000L * 60 * SECOND;

  private static Rule rule(Limit limit) {
    return Rule.of(new RuleId("test", "r"), List.of("user"), limit);
  }

  private static LocalQuotas quotas(Rule... rules) {
    return new LocalQuotas(RuleSet.of(List.of(rules)));
  }

  /** Keys that are forgotten and come back make no difference to anybody. */
  @Test
  void manyKeys_areDecidedAsEachWouldBeAlone() {
    Seeded.check(
        300,
        random -> {
          long permits = 1 + random.nextInt(5);
          Rule rule =
              rule(
                  Seeded.oneOf(
                      random,
                      new FixedWindow(permits, SECOND),
                      new SlidingWindow(permits, SECOND),
                      new SlidingLog(permits, SECOND, random.nextBoolean()),
                      new TokenBucket(permits, SECOND, permits)));
          LocalQuotas together = quotas(rule);
          Map<String, LocalQuotas> alone = new HashMap<>();
          long now = START;
          for (int i = 0; i < 300; i++) {
            now += random.nextLong(SECOND / 4);
            String user = "u" + random.nextInt(8);
            Request request = Request.of("user", user).withCost(1 + random.nextInt(2));
            Decision decision = together.decide(request, now);
            Decision expected =
                alone.computeIfAbsent(user, any -> quotas(rule)).decide(request, now);
            assertThat(decision).as("%s at %d", user, now - START).isEqualTo(expected);
          }
        });
  }

  /** Beside an account by hand: what is left of the window, and what is owed. */
  @Test
  void fixedWindow_settledAtAnyCost_keepsTheAccount() {
    Seeded.check(
        500,
        random -> {
          long permits = 5 + random.nextInt(20);
          LocalQuotas quotas = quotas(rule(new FixedWindow(permits, SECOND)));
          long now = START;
          long window = START;
          long used = 0;
          long owed = 0;
          for (int i = 0; i < 200; i++) {
            now += random.nextLong(SECOND / 3);
            long started = Math.floorDiv(now, SECOND) * SECOND;
            used = started > window ? 0 : used;
            window = started;
            long paid = Math.min(owed, permits - used);
            used += paid;
            owed -= paid;
            long cost = 1 + random.nextInt(4);
            boolean lawful = owed == 0 && permits - used >= cost;

            Charge charge = quotas.charge(Request.of("user", "42").withCost(cost), now);

            assertThat(charge.decision().admitted()).as("request %d", i).isEqualTo(lawful);
            RuleDecision rule = charge.decision().rule().orElseThrow();
            assertThat(rule.owed()).isEqualTo(owed);
            if (!lawful) {
              continue;
            }
            used += cost;
            assertThat(rule.remaining()).isEqualTo(permits - used);
            long actual = random.nextInt(8);
            charge.settle(actual, now);
            used -= Math.max(0, cost - actual);
            owed += Math.max(0, actual - cost);
          }
        });
  }

  /** Who waits as long as he is told, and comes alone, is admitted, and not a moment before. */
  @Test
  void retryAfter_nobodyElseComes_isTheFirstMomentWithRoom() {
    Seeded.check(
        2_000,
        random -> {
          long permits = 2 + random.nextInt(8);
          Limit limit =
              Seeded.oneOf(
                  random,
                  new FixedWindow(permits, SECOND),
                  new SlidingWindow(permits, SECOND),
                  new SlidingLog(permits, SECOND, false),
                  new TokenBucket(permits, SECOND, permits));
          List<Long> times = new ArrayList<>();
          long now = START;
          for (int i = random.nextInt(30); i > 0; i--) {
            now += random.nextLong(SECOND / 10);
            times.add(now);
          }
          long cost = 1 + random.nextLong(permits);
          LocalQuotas asked = after(limit, times);
          Decision decision = asked.decide(Request.of("user", "42").withCost(cost), now);
          if (decision.admitted()) {
            return;
          }
          long wait = decision.rule().orElseThrow().retryAfterNanos();
          assertThat(after(limit, times).decide(of(cost), now + wait).admitted())
              .as("%s after %d ns", limit, wait)
              .isTrue();
          assertThat(after(limit, times).decide(of(cost), now + wait - 1).admitted()).isFalse();
        });
  }

  private static Request of(long cost) {
    return Request.of("user", "42").withCost(cost);
  }

  private static LocalQuotas after(Limit limit, List<Long> times) {
    LocalQuotas quotas = quotas(rule(limit));
    times.forEach(time -> quotas.decide(of(1), time));
    return quotas;
  }

  @Test
  void denied_isThrottledForGood_andNeverDeferred_thoughTheRuleDefers() {
    Rule rule =
        rule(new FixedWindow(5, SECOND))
            .withOverLimit(OverLimit.Defer.DEFAULTS)
            .withOverrides(List.of(RuleOverride.denied(Map.of("user", "bot"))));
    LocalQuotas quotas = quotas(rule);

    Decision.Throttled bot = (Decision.Throttled) quotas.decide(Request.of("user", "bot"), START);
    assertThat(bot.deferrable()).isFalse();
    assertThat(bot.neverAdmitted()).isTrue();
    assertThat(bot.reason()).isEqualTo(ThrottleReason.DENIED);

    quotas.decide(Request.of("user", "42").withCost(5), START);
    Decision.Throttled full = (Decision.Throttled) quotas.decide(Request.of("user", "42"), START);
    assertThat(full.deferrable()).isTrue();
    assertThat(full.reason()).isEqualTo(ThrottleReason.OVER_LIMIT);
  }

  @Test
  void denied_byARuleThatOnlyWatches_isAdmitted_andSaidToBeDenied() {
    Rule watching =
        rule(new FixedWindow(5, SECOND))
            .withMode(Mode.SHADOW)
            .withOverrides(List.of(RuleOverride.denied(Map.of("user", "bot"))));

    Decision decision = quotas(watching).decide(Request.of("user", "bot"), START);

    assertThat(decision.admitted()).isTrue();
    assertThat(decision.rules()).singleElement().matches(RuleDecision::isDenied);
    assertThat(decision.rules().get(0).shadow()).isTrue();
  }

  @Test
  void exempt_isUnmatched_andTakesNothing() {
    Rule rule =
        rule(new FixedWindow(5, SECOND))
            .withOverrides(
                List.of(
                    new RuleOverride(
                        Map.of("user", new Matcher.Prefix("probe")), new OverrideEffect.Exempt())));
    LocalQuotas quotas = quotas(rule);

    for (int i = 0; i < 20; i++) {
      assertThat(quotas.decide(Request.of("user", "probe-1"), START))
          .isInstanceOf(Decision.Unmatched.class);
    }
    assertThat(quotas.size()).isZero();
  }

  @Test
  void throttledRequests_ofALogThatCountsThem_keepAClientOut() {
    LocalQuotas counting = quotas(rule(new SlidingLog(2, SECOND, true)));
    LocalQuotas plain = quotas(rule(new SlidingLog(2, SECOND, false)));
    int byCounting = 0;
    int byPlain = 0;
    for (int i = 0; i < 100; i++) {
      long now = START + i * SECOND / 10;
      byCounting += counting.decide(of(1), now).admitted() ? 1 : 0;
      byPlain += plain.decide(of(1), now).admitted() ? 1 : 0;
    }

    assertThat(byCounting).as("who does not slow down").isEqualTo(2);
    assertThat(byPlain).isEqualTo(20);
    assertThat(counting.decide(of(1), START + 12 * SECOND).admitted()).isTrue();
  }

  @Test
  void decision_ofAFixedWindow_saysWhichWindowItTookFrom() {
    RuleDecision ofWindow =
        quotas(rule(new FixedWindow(5, SECOND)))
            .decide(of(1), START + SECOND / 2)
            .rule()
            .orElseThrow();
    assertThat(ofWindow.windowStartNanos()).isEqualTo(START);
    assertThat(ofWindow.source()).isEqualTo(PermitSource.GRANTED);
    assertThat(ofWindow.known()).isTrue();
    assertThat(ofWindow.degraded()).isFalse();
    assertThat(ofWindow.atNanos()).isEqualTo(START + SECOND / 2);

    RuleDecision ofBucket =
        quotas(rule(new TokenBucket(5, SECOND, 5))).decide(of(1), START).rule().orElseThrow();
    assertThat(ofBucket.windowStartNanos()).isZero();
  }

  @Test
  void givenUpConditions_areToldOnce_withTheRuleAndHowOften() {
    Rule rule =
        rule(new FixedWindow(5, SECOND))
            .withMatch(Map.of("path", new Matcher.Regex(Pattern.compile("x*"))));
    LocalQuotas quotas = quotas(rule);
    assertThat(quotas.hasGivenUp()).isFalse();
    String awkward = "x".repeat(Matcher.Regex.MAX_VALUE_CHARS + 1);
    for (int i = 0; i < 3; i++) {
      quotas.decide(Request.of("user", "42", "path", awkward), START);
    }
    quotas.decide(Request.of("user", "42", "path", "xx"), START);

    assertThat(quotas.hasGivenUp()).isTrue();
    assertThat(quotas.takeGivenUp())
        .hasSize(1)
        .allSatisfy(
            (where, times) -> {
              assertThat(where.rule()).isEqualTo(rule.id());
              assertThat(where.attribute()).isEqualTo("path");
              assertThat(times).isEqualTo(3);
            });
    assertThat(quotas.hasGivenUp()).isFalse();
    assertThat(quotas.takeGivenUp()).isEmpty();
  }

  /** A random walk with random costs: whatever is admitted fits into the limit of each layer. */
  @Test
  void layers_anyRequests_neverMoreThanAnyOfThem() {
    Seeded.check(
        200,
        random -> {
          long ofAll = 5 + random.nextInt(20);
          long ofUser = 1 + random.nextInt(10);
          LocalQuotas quotas =
              quotas(
                  Rule.of(new RuleId("t", "a"), List.of(), new FixedWindow(ofAll, SECOND)),
                  Rule.of(new RuleId("t", "b"), List.of("user"), new FixedWindow(ofUser, SECOND)));
          Map<String, Long> used = new HashMap<>();
          long now = START;
          for (int i = 0; i < 300; i++) {
            now += step(random);
            long window = Math.floorDiv(now, SECOND);
            String user = "u" + random.nextInt(3);
            long cost = 1 + random.nextInt(4);
            boolean lawful =
                used.getOrDefault(window + "", 0L) + cost <= ofAll
                    && used.getOrDefault(window + user, 0L) + cost <= ofUser;
            Decision decision = quotas.decide(Request.of("user", user).withCost(cost), now);
            assertThat(decision.admitted()).as("request %d", i).isEqualTo(lawful);
            if (lawful) {
              used.merge(window + "", cost, Long::sum);
              used.merge(window + user, cost, Long::sum);
            }
          }
        });
  }

  private static long step(SplittableRandom random) {
    return random.nextInt(3) == 0 ? 0 : random.nextLong(SECOND / 8);
  }
}
