package io.quotaenforcer.core.backtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.LeakyBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.algorithm.WarmUpBucket;
import io.quotaenforcer.core.algorithm.Windows;
import io.quotaenforcer.core.backtest.RuleRun.Part;
import io.quotaenforcer.core.backtest.RuleRun.Ruling;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.OverrideEffect;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleOverride;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.core.standalone.LocalQuotas;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * A back-test decides as {@link LocalQuotas}, the other way to run the algorithms in one process.
 *
 * <p>They differ where it is documented, and there are no such rules here. Of several rules without
 * room {@link LocalQuotas} asks the first, a back-test all: only the first rule counts throttled
 * requests. And each forgets an idle key in its own time: no bucket begins with less than it holds
 * when it is forgotten, and none that warms up is ever idle for long enough.
 */
class RuleRunPropertyTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long START = 28_000_000L * 60 * SECOND;
  private static final int REQUESTS = 400;
  private static final int MANY = 1_000_000;

  @Test
  void run_ofAnyRules_admitsAndThrottlesAsOneProcess() {
    int[] outcomes = new int[2];
    Seeded.check(
        400,
        random -> {
          List<Rule> rules = rules(random);
          RuleRun run = new RuleRun(rules, MANY);
          LocalQuotas quotas = new LocalQuotas(RuleSet.of(rules));
          Map<RuleId, Long> admitted = new HashMap<>();
          Map<RuleId, Long> expected = new HashMap<>();
          long meanGap = Seeded.oneOf(random, SECOND / 100, SECOND / 5, 4 * SECOND);
          long now = START;
          for (int i = 0; i < REQUESTS; i++) {
            now += random.nextInt(3) == 0 ? 0 : random.nextLong(2 * meanGap);
            Request request = request(random);
            Ruling ruling = run.decide(request, now);
            Decision decision = quotas.decide(request, now);

            assertThat(ruling.admitted())
                .as("request %d, %s, at %d ns: %s", i, request, now - START, rules)
                .isEqualTo(decision.admitted());
            outcomes[ruling.admitted() ? 1 : 0]++;
            if (ruling.admitted()) {
              ruling.parts().stream()
                  .filter(Part::room)
                  .forEach(part -> admitted.merge(part.rule().id(), request.cost(), Long::sum));
              decision.rules().stream()
                  .filter(RuleDecision::hadRoom)
                  .forEach(
                      rule -> expected.merge(rule.quotaKey().rule(), request.cost(), Long::sum));
            }
          }
          assertThat(admitted).as("permits taken: %s", rules).isEqualTo(expected);
        });
    assertThat(outcomes[0]).as("throttled").isGreaterThan(10_000);
    assertThat(outcomes[1]).as("admitted").isGreaterThan(10_000);
  }

  private static List<Rule> rules(SplittableRandom random) {
    List<Rule> rules = new ArrayList<>();
    int most = 1 + random.nextInt(3);
    while (rules.size() < most) {
      Rule rule = rule(random, new RuleId("d", "r" + rules.size()));
      if (rules.isEmpty() || !rule.limit().countsThrottled()) {
        rules.add(rule);
      }
    }
    return rules;
  }

  private static Rule rule(SplittableRandom random, RuleId id) {
    List<String> key =
        Seeded.oneOf(random, List.of(), List.of("user"), List.of("user", "api"), List.of("api"));
    Limit limit = limit(random);
    List<RuleOverride> overrides = new ArrayList<>();
    if (key.contains("user")) {
      overrides.add(override("u0", new OverrideEffect.Denied()));
      overrides.add(override("u1", new OverrideEffect.Exempt()));
      overrides.add(
          override("u2", new OverrideEffect.Limited(limit.withPermits(1 + random.nextInt(30)))));
    }
    return Rule.of(id, key, limit)
        .withOverrides(overrides.subList(0, random.nextInt(overrides.size() + 1)))
        .withTolerance(Seeded.oneOf(random, 0, 0, 2_500))
        .withMode(random.nextInt(4) == 0 ? Mode.SHADOW : Mode.ENFORCE);
  }

  private static RuleOverride override(String user, OverrideEffect effect) {
    return new RuleOverride(Map.of("user", new Matcher.Exact(user)), effect);
  }

  private static Request request(SplittableRandom random) {
    Request request =
        random.nextInt(10) == 0
            ? Request.of("api", "a0")
            : Request.of("user", "u" + random.nextInt(6), "api", "a" + random.nextInt(2));
    return request.withCost(random.nextInt(5) == 0 ? 1 + random.nextInt(4) : 1);
  }

  private static Limit limit(SplittableRandom random) {
    long permits = 1 + random.nextInt(20);
    long period = Seeded.oneOf(random, SECOND / 2, SECOND, 7 * SECOND, 60 * SECOND);
    long burst = 1 + random.nextInt(20);
    return switch (random.nextInt(10)) {
      case 0 -> new FixedWindow(permits, period);
      case 1 ->
          new FixedWindow(
              permits,
              new Windows.Calendar(Windows.CalendarUnit.MINUTE, ZoneId.of("Europe/Berlin")));
      case 2 -> new SlidingWindow(permits, period);
      case 3 -> new SlidingSubWindows(permits, period, Seeded.oneOf(random, 2, 5, 10));
      case 4 -> new SlidingLog(permits, period, false);
      case 5 -> new SlidingLog(permits, period, true);
      case 6 -> new TokenBucket(permits, period, burst);
      case 7 -> new IntervalBucket(permits, period, burst, burst);
      case 8 ->
          new WarmUpBucket(permits, period, burst, random.nextLong(burst + 1), 3_600 * SECOND);
      default -> LeakyBucket.of(permits, period, random.nextInt(20));
    };
  }
}
