package io.quotaenforcer.core.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** How declared bounds go with what they are made of. */
class BoundPropertyTest {
  private static final long SECOND = 1_000_000_000L;

  private static Limit limit(SplittableRandom random) {
    return random.nextBoolean()
        ? new FixedWindow(random.nextInt(500), SECOND)
        : new TokenBucket(1 + random.nextInt(500), SECOND, 1 + random.nextInt(500));
  }

  private static Rule rule(Limit limit, SplittableRandom random) {
    Opening opening =
        random.nextBoolean() ? Opening.SHARED : new Opening.Part(random.nextInt(10_001));
    return Rule.of(new RuleId("d", "r"), List.of("user"), limit)
        .withOpening(opening)
        .withEnforcement(Seeded.oneOf(random, Enforcement.values()));
  }

  @Test
  void bound_moreInstances_isNeverLess() {
    Seeded.check(
        5_000,
        random -> {
          Limit limit = limit(random);
          Rule rule = rule(limit, random);
          int most = 1 + random.nextInt(50);
          long before = 0;
          for (int epochs = 0; epochs <= most; epochs++) {
            long connected = Bound.connected(rule, limit, epochs, most);
            assertThat(connected).as("%s with %d", rule, epochs).isGreaterThanOrEqualTo(before);
            before = connected;
          }
          assertThat(Bound.of(rule, limit, most).connected()).isEqualTo(before);
        });
  }

  @Test
  void bound_whileTheEnforcerIsAway_isNeverLess_andNothingMoreForStrictRules() {
    Seeded.check(
        5_000,
        random -> {
          Limit limit = limit(random);
          Rule rule = rule(limit, random);
          DeclaredBound bound = Bound.of(rule, limit, 1 + random.nextInt(50));
          OptionalLong away = bound.away();
          assertThat(away).isPresent();
          if (rule.enforcement() == Enforcement.BALANCED) {
            assertThat(away.getAsLong()).isGreaterThanOrEqualTo(bound.connected());
          } else {
            assertThat(away.getAsLong()).isEqualTo(bound.connected());
          }
          if (rule.enforcement() == Enforcement.STRICT) {
            assertThat(bound).isEqualTo(DeclaredBound.NOTHING);
          }
        });
  }

  @Test
  void expected_moreDemandOrALongerLoop_isNeverLess_andNeverAboveTheWorstCase() {
    Seeded.check(
        5_000,
        random -> {
          Limit limit = limit(random);
          Rule rule = rule(limit, random);
          int instances = 1 + random.nextInt(20);
          double demand = random.nextDouble() * 10_000;
          long loop = random.nextLong(SECOND);
          DeclaredBound some = Bound.of(rule, limit, instances, instances, demand, loop);
          DeclaredBound more = Bound.of(rule, limit, instances, instances, 2 * demand, loop);
          DeclaredBound longer = Bound.of(rule, limit, instances, instances, demand, 2 * loop);
          assertThat(some.expected()).isBetween(0L, some.connected());
          assertThat(more.expected()).isGreaterThanOrEqualTo(some.expected());
          assertThat(longer.expected()).isGreaterThanOrEqualTo(some.expected());
          assertThat(more.connected()).isEqualTo(some.connected());
        });
  }

  @Test
  void largest_isThatOfTheOverrideWithTheMost() {
    Limit limit = new FixedWindow(100, SECOND);
    Rule rule =
        Rule.of(new RuleId("d", "r"), List.of("user"), limit)
            .withOverrides(
                List.of(
                    RuleOverride.limited(Map.of("user", "a"), new FixedWindow(900, SECOND)),
                    RuleOverride.limited(Map.of("user", "b"), new FixedWindow(7, SECOND)),
                    RuleOverride.exempt(Map.of("user", "c"))));

    assertThat(Bound.largest(rule, 10)).isEqualTo(Bound.of(rule, new FixedWindow(900, SECOND), 10));
    assertThat(Bound.largest(rule.withTolerance(10_000), 10).connected()).isEqualTo(18_000);
    assertThat(Bound.largest(rule.withOverrides(List.of()), 10))
        .isEqualTo(Bound.of(rule, limit, 10));
  }

  @Test
  void away_byWhatTheRuleSays_isNothing_aShareOfEach_orWithoutABound() {
    Limit limit = new FixedWindow(1_000, SECOND);

    assertThat(Bound.away(OnUnavailable.DENY, limit, 10, 10)).isZero();
    assertThat(Bound.away(OnUnavailable.LOCAL, limit, 10, 10)).isEqualTo(1_000);
    assertThat(Bound.away(OnUnavailable.LOCAL, limit, 3, 10)).isEqualTo(300);
    assertThat(Bound.away(OnUnavailable.LOCAL, limit, 10, 100)).isEqualTo(100);
    assertThat(Bound.away(OnUnavailable.LOCAL, new TokenBucket(1_000, SECOND, 500), 10, 10))
        .as("a share's burst beside its rate")
        .isEqualTo(1_500);
    assertThat(Bound.away(OnUnavailable.ALLOW, limit, 1, 10)).isEqualTo(Long.MAX_VALUE);
  }
}
