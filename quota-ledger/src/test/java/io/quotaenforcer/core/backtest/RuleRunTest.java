package io.quotaenforcer.core.backtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.backtest.RuleRun.Part;
import io.quotaenforcer.core.backtest.RuleRun.Ruling;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.CountWhen;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleOverride;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RuleRunTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int MANY = 1_000;

  static List<Limit> limits() {
    return List.of(
        new FixedWindow(2, SECOND), new SlidingWindow(2, SECOND), new TokenBucket(2, SECOND, 2));
  }

  @Test
  void request_thatOneRuleHasNoRoomFor_takesNothingFromTheOthers() {
    RuleRun run = new RuleRun(List.of(rule("all", 3), rule("per-user", 1, "user")), MANY);

    assertThat(run.decide(of("ann"), 0).admitted()).isTrue();
    for (int i = 0; i < 5; i++) {
      Ruling ruling = run.decide(of("ann"), 0);
      assertThat(ruling.admitted()).isFalse();
      assertThat(ruling.parts()).extracting(Part::room).containsExactly(true, false);
    }
    assertThat(run.decide(of("bob"), 0).admitted()).isTrue();
    assertThat(run.decide(of("cyd"), 0).admitted()).isTrue();
    assertThat(run.decide(of("dan"), 0).parts())
        .extracting(Part::room)
        .containsExactly(false, true);
  }

  @Test
  void request_ofARuleThatCountsByOutcome_countsIfItsAttributesSaySo() {
    Rule failures =
        rule("failures", 2, "user")
            .withCount(new CountWhen(Map.of("status", new Matcher.Exact("401"))));
    RuleRun run = new RuleRun(List.of(failures), MANY);
    SplittableRandom random = new SplittableRandom(1);
    long[] failed = new long[20];
    for (int i = 0; i < 2_000; i++) {
      long now = i * SECOND / 100;
      boolean fails = random.nextInt(8) == 0;
      Request request = Request.of("user", "ann", "status", fails ? "401" : "200");
      int window = (int) (now / SECOND);
      Ruling ruling = run.decide(request, now);
      boolean admitted = ruling.admitted();

      assertThat(ruling.parts()).allMatch(part -> part.permits(request) == (fails ? 1 : 0));
      assertThat(admitted).as("request %d", i).isEqualTo(failed[window] < 2);
      failed[window] += admitted && fails ? 1 : 0;
    }
    assertThat(run.decide(of("bob"), 20 * SECOND).admitted()).isTrue();
    assertThat(run.decide(of("bob"), 20 * SECOND).admitted()).isTrue();
    assertThat(run.decide(of("bob"), 20 * SECOND).admitted()).as("none told").isFalse();
  }

  @Test
  void request_thatNoRuleMatches_isAdmittedWithoutParts() {
    RuleRun run = new RuleRun(List.of(rule("per-user", 1, "user")), MANY);

    assertThat(run.decide(Request.of("ip", "::1"), 0)).isEqualTo(new Ruling(true, List.of()));
  }

  @Test
  void shadowRule_withoutRoom_saysSoAndThrottlesNothing() {
    Rule shadow = in(Mode.SHADOW, 0, List.of(), rule("shadow", 1, "user"));
    RuleRun run = new RuleRun(List.of(rule("enforced", 2, "user"), shadow), MANY);

    assertThat(run.decide(of("ann"), 0).parts()).extracting(Part::room).containsExactly(true, true);
    Ruling second = run.decide(of("ann"), 0);
    assertThat(second.admitted()).isTrue();
    assertThat(second.parts()).extracting(Part::room).containsExactly(true, false);
    assertThat(second.parts()).noneMatch(Part::throttles);
    assertThat(run.decide(of("ann"), 0).admitted()).isFalse();
  }

  @Test
  void overridesToleranceAndCost_count() {
    Rule rule =
        in(
            Mode.ENFORCE,
            5_000,
            List.of(
                RuleOverride.limited(Map.of("user", "vip"), new FixedWindow(20, SECOND)),
                RuleOverride.exempt(Map.of("user", "probe"))),
            rule("per-user", 10, "user"));
    RuleRun run = new RuleRun(List.of(rule), MANY);

    assertThat(run.decide(of("ann").withCost(15), 0).admitted()).isTrue();
    assertThat(run.decide(of("ann"), 0).admitted()).isFalse();
    assertThat(run.decide(of("vip").withCost(30), 0).admitted()).isTrue();
    assertThat(run.decide(of("vip"), 0).admitted()).isFalse();
    assertThat(run.decide(of("probe").withCost(1_000), 0).parts()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("limits")
  void keys_thatAreIdle_areForgottenWithoutADifference(Limit limit) {
    RuleRun run = new RuleRun(List.of(Rule.of(new RuleId("d", "r"), List.of("user"), limit)), MANY);

    int most = 0;
    for (int i = 0; i < 10_000; i++) {
      long now = i * SECOND / 10;
      Request request = of("user" + i);
      assertThat(run.decide(request, now).admitted()).isTrue();
      assertThat(run.decide(request, now).admitted()).isTrue();
      assertThat(run.decide(request, now).admitted()).isFalse();
      most = Math.max(most, run.quotaKeys());
    }

    assertThat(most).isLessThan(40);
    assertThat(run.forgotten()).isZero();
  }

  @Test
  void keys_moreThanMayBeRemembered_areForgottenFromTheEldest() {
    RuleRun run = new RuleRun(List.of(rule("long", 1, "user"), rule("other", 5, "ip")), MANY);
    run.decide(Request.of("ip", "::1").withCost(5), 0);

    for (int i = 0; i < 3 * MANY; i++) {
      run.decide(of("user" + i), 0);
      assertThat(run.quotaKeys()).isLessThanOrEqualTo(MANY);
    }

    assertThat(run.forgotten()).isEqualTo(3 * MANY + 1 - run.quotaKeys());
    assertThat(run.decide(Request.of("ip", "::1"), 0).admitted()).isFalse();
    assertThat(run.decide(of("user" + (3 * MANY - 1)), 0).admitted()).isFalse();
    assertThat(run.decide(of("user0"), 0).admitted()).isTrue();
  }

  private static Request of(String user) {
    return Request.of("user", user);
  }

  private static Rule rule(String id, long permits, String... key) {
    return Rule.of(new RuleId("d", id), List.of(key), new FixedWindow(permits, SECOND));
  }

  private static Rule in(Mode mode, int tolerance, List<RuleOverride> overrides, Rule rule) {
    return rule.withTolerance(tolerance).withOverrides(overrides).withMode(mode);
  }
}
