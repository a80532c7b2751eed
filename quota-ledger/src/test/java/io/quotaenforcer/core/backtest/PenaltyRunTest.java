package io.quotaenforcer.core.backtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.PenaltyTerms;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleOverride;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A back-test of penalties, beside the same counted with a few maps. */
class PenaltyRunTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long START = 1_600_000_000L * SECOND;
  private static final int PERMITS = 3;
  private static final int AFTER = 4;
  private static final int WITHIN = 16;
  private static final int FOR = 20;
  private static final int FACTOR = 2;
  private static final int UP_TO = 60;

  private static final RuleId ID = new RuleId("d", "per-user");

  private static Rule rule() {
    return Rule.of(ID, List.of("user"), new FixedWindow(PERMITS, 10 * SECOND))
        .withPenalty(
            new PenaltyTerms(AFTER, WITHIN * SECOND, FOR * SECOND, FACTOR, UP_TO * SECOND));
  }

  /** What is known of a user, in seconds since the start; nothing is forgotten. */
  private static final class Simple {
    private final Map<Long, Integer> admitted = new HashMap<>();
    private final List<Long> throttledAt = new ArrayList<>();
    private long penaltyUntil;
    private long penaltyLength;
    private int inARow;
    private long penalties;

    boolean admits(long second) {
      if (second < penaltyUntil) {
        return false;
      }
      long window = second / 10;
      if (admitted.getOrDefault(window, 0) < PERMITS) {
        admitted.merge(window, 1, Integer::sum);
        return true;
      }
      throttledAt.add(second);
      if (throttledAt.stream().filter(at -> second - at < WITHIN).count() >= AFTER) {
        inARow = inARow > 0 && second <= penaltyUntil + penaltyLength ? inARow + 1 : 1;
        penaltyLength = (long) Math.min(UP_TO, FOR * Math.pow(FACTOR, inARow - 1.0));
        penaltyUntil = second + penaltyLength;
        throttledAt.clear();
        penalties++;
      }
      return false;
    }
  }

  /** Times are whole seconds, sixteen of which are the time within which it counts. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void decide_randomRequests_asASimpleCount(long seed) {
    RuleRun run = new RuleRun(List.of(rule()), 1_000_000);
    SplittableRandom random = new SplittableRandom(seed);
    Map<String, Simple> users = new HashMap<>();
    long second = 0;
    long longest = 0;
    for (int i = 0; i < 30_000; i++) {
      second += random.nextInt(5) == 0 ? 1 : 0;
      String user = "u" + (int) (random.nextDouble() * random.nextDouble() * 20);
      Simple simple = users.computeIfAbsent(user, name -> new Simple());
      boolean expected = simple.admits(second);
      longest = Math.max(longest, simple.penaltyLength);

      RuleRun.Ruling ruling = run.decide(Request.of("user", user), START + second * SECOND);

      assertThat(ruling.admitted()).as("seed %d, request %d", seed, i).isEqualTo(expected);
    }
    long penalties = users.values().stream().mapToLong(user -> user.penalties).sum();
    assertThat(run.penalties(rule())).as("seed %d", seed).isEqualTo(penalties).isGreaterThan(50);
    assertThat(longest).as("some came again").isEqualTo(UP_TO);
  }

  @Test
  void keyUnderAPenalty_isNotForgotten_whenItsLimitIs() {
    RuleRun run = new RuleRun(List.of(rule()), 100);
    Request offender = Request.of("user", "mallory");
    for (int i = 0; i < PERMITS + AFTER; i++) {
      run.decide(offender, START);
    }
    long later = START + 15 * SECOND;
    for (int i = 0; i < 90; i++) {
      run.decide(Request.of("user", "u" + i), later);
    }

    assertThat(run.decide(offender, later).admitted()).isFalse();
    assertThat(run.decide(offender, START + FOR * SECOND).admitted()).isTrue();
    assertThat(run.forgotten()).isZero();
  }

  @Test
  void deniedKey_isUnderNoPenalty_andAShadowedOneIsCounted() {
    Rule denied = rule().withOverrides(List.of(RuleOverride.denied(Map.of("user", "mallory"))));
    RuleRun run = new RuleRun(List.of(denied), 100);
    for (int i = 0; i < 50; i++) {
      run.decide(Request.of("user", "mallory"), START);
    }
    assertThat(run.penalties(denied)).isZero();

    Rule shadow = rule().withMode(Mode.SHADOW);
    RuleRun watched = new RuleRun(List.of(shadow), 100);
    for (int i = 0; i < 50; i++) {
      assertThat(watched.decide(Request.of("user", "mallory"), START).admitted()).isTrue();
    }
    assertThat(watched.penalties(shadow)).isOne();
  }

  /** A request that costs more than is left of a limit with much left is no offence. */
  @Test
  void costlyRequest_ofALimitThatIsNotUsedUp_bringsNoPenalty() {
    RuleRun run = new RuleRun(List.of(rule()), 100);
    for (int i = 0; i < 50; i++) {
      run.decide(Request.of("user", "mallory").withCost(PERMITS + 1), START);
    }
    assertThat(run.penalties(rule())).isZero();
  }
}
