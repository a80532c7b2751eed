package io.quotaenforcer.core.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class BoundTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Limit WINDOW = new FixedWindow(1_000, SECOND);

  @Test
  void openingCredit_isATenthSharedAmongAll_atLeastOne_atMostWhatTheLimitHolds() {
    assertThat(Bound.openingCredit(WINDOW, 10)).isEqualTo(10);
    assertThat(Bound.openingCredit(WINDOW, 1_000)).isEqualTo(1);
    assertThat(Bound.openingCredit(new TokenBucket(1_000, SECOND, 4), 10)).isEqualTo(4);
    assertThat(Bound.openingCredit(new FixedWindow(0, SECOND), 10)).isZero();
  }

  @Test
  void bound_strict_isNothing_balanced_isACreditForEach() {
    assertThat(Bound.connected(Enforcement.STRICT, WINDOW, 3, 10)).isZero();
    assertThat(Bound.connected(Enforcement.BALANCED, WINDOW, 3, 10)).isEqualTo(30);
  }

  @Test
  void bound_perInstance_isWhatEachButOneAdmitsInAPeriod() {
    Limit bucket = new TokenBucket(100, SECOND, 20);

    assertThat(Bound.connected(Enforcement.PER_INSTANCE, WINDOW, 3, 10)).isEqualTo(2_000);
    assertThat(Bound.connected(Enforcement.PER_INSTANCE, bucket, 3, 10)).isEqualTo(240);
    assertThat(Bound.connected(Enforcement.PER_INSTANCE, WINDOW, 0, 10)).isZero();
  }

  @Test
  void share_ofABucket_isAPartOfItsBurst_evenWhereThePartOfItsRateIsRoundedUp() {
    assertThat(new TokenBucket(2, SECOND, 20).share(100)).isEqualTo(new TokenBucket(1, SECOND, 1));
    assertThat(new TokenBucket(1_000, SECOND, 500).share(10))
        .isEqualTo(new TokenBucket(100, SECOND, 50));
    assertThat(new FixedWindow(0, SECOND).share(10)).isEqualTo(new FixedWindow(0, SECOND));
  }

  @Test
  void declared_strict_isNothing_evenWhenTheEnforcerIsAway() {
    Rule strict = rule(WINDOW).withEnforcement(Enforcement.STRICT);

    assertThat(Bound.of(strict, WINDOW, 10)).isEqualTo(DeclaredBound.NOTHING);
    assertThat(Bound.of(strict, WINDOW, 10, 10, 1e6, SECOND)).isEqualTo(DeclaredBound.NOTHING);
  }

  @Test
  void declared_away_addsWhatEachShareGivesInAPeriod() {
    Limit bucket = new TokenBucket(1_000, SECOND, 500);

    assertThat(Bound.of(rule(WINDOW), WINDOW, 10).away()).hasValue(100 + 1_000);
    assertThat(Bound.of(rule(bucket), bucket, 10).away()).hasValue(100 + 1_000 + 500);
    assertThat(away(OnUnavailable.DENY)).hasValue(100);
    assertThat(away(OnUnavailable.ALLOW)).isEmpty();
  }

  @Test
  void declared_fewPermits_isOnePermitOfEachInstance() {
    Limit two = new FixedWindow(2, SECOND);

    assertThat(Bound.of(rule(two), two, 100).connected()).isEqualTo(100);
    assertThat(Bound.of(rule(two), two, 100).away()).hasValue(200);
  }

  @Test
  void declared_tenPermitsForEachInstanceAndMore_isATenthOfTheLimitAtMost() {
    for (int instances : new int[] {1, 3, 7, 10, 100, 999}) {
      for (long permits = 10L * instances; permits < 30L * instances; permits++) {
        Limit limit = new FixedWindow(permits, SECOND);

        assertThat(Bound.of(rule(limit), limit, instances).connected())
            .as("%d permits, %d instances", permits, instances)
            .isLessThanOrEqualTo(permits / 10);
      }
    }
  }

  @Test
  void expected_isTheDemandOfALoop_asFarAsTheBoundGoes() {
    Rule rule = rule(WINDOW);
    long loop = SECOND / 20;

    assertThat(Bound.of(rule, WINDOW, 10, 10, 0, loop).expected()).isZero();
    assertThat(Bound.of(rule, WINDOW, 10, 10, 1_000, loop).expected()).isEqualTo(50);
    assertThat(Bound.of(rule, WINDOW, 10, 10, 1_010, loop).expected()).isEqualTo(51);
    assertThat(Bound.of(rule, WINDOW, 10, 10, 9_000, loop).expected()).isEqualTo(100);
  }

  private static OptionalLong away(OnUnavailable onUnavailable) {
    Rule known = rule(WINDOW);
    Rule rule =
        new Rule(
            known.id(),
            known.match(),
            known.key(),
            known.limit(),
            known.toleranceBasisPoints(),
            known.enforcement(),
            known.overLimit(),
            onUnavailable,
            known.mode(),
            known.overrides(),
            known.version(),
            known.generation());
    return Bound.of(rule, WINDOW, 10).away();
  }

  private static Rule rule(Limit limit) {
    return Rule.of(new RuleId("test", "rule"), List.of("user"), limit);
  }
}
