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
  void bound_strict_isNothing_balanced_isAnOpeningForEach() {
    Rule balanced = rule(WINDOW);
    assertThat(connected(balanced.withEnforcement(Enforcement.STRICT), WINDOW, 3)).isZero();
    assertThat(connected(balanced, WINDOW, 3)).isEqualTo(3_000);
    assertThat(connected(balanced.withOpening(new Opening.Part(2_500)), WINDOW, 3)).isEqualTo(750);
    assertThat(connected(balanced.withOpening(Opening.SHARED), WINDOW, 3)).isEqualTo(30);
  }

  private static long connected(Rule rule, Limit limit, int epochs) {
    return Bound.connected(rule, limit, epochs, 10);
  }

  @Test
  void bound_perInstance_isWhatEachButOneAdmitsInAPeriod() {
    Limit bucket = new TokenBucket(100, SECOND, 20);

    Rule alone = rule(WINDOW).withEnforcement(Enforcement.PER_INSTANCE);
    assertThat(connected(alone, WINDOW, 3)).isEqualTo(2_000);
    assertThat(connected(alone, bucket, 3)).isEqualTo(240);
    assertThat(connected(alone, WINDOW, 0)).isZero();
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

    assertThat(Bound.of(shared(WINDOW), WINDOW, 10).away()).hasValue(100 + 1_000);
    assertThat(Bound.of(shared(bucket), bucket, 10).away()).hasValue(100 + 1_000 + 500);
    assertThat(away(OnUnavailable.DENY)).hasValue(100);
    assertThat(away(OnUnavailable.ALLOW)).isEmpty();
  }

  @Test
  void declared_fewPermitsShared_isOnePermitOfEachInstance() {
    Limit two = new FixedWindow(2, SECOND);

    assertThat(Bound.of(shared(two), two, 100).connected()).isEqualTo(100);
    assertThat(Bound.of(shared(two), two, 100).away()).hasValue(200);
  }

  @Test
  void declared_tenSharedPermitsForEachInstanceAndMore_isATenthOfTheLimitAtMost() {
    for (int instances : new int[] {1, 3, 7, 10, 100, 999}) {
      for (long permits = 10L * instances; permits < 30L * instances; permits++) {
        Limit limit = new FixedWindow(permits, SECOND);

        assertThat(Bound.of(shared(limit), limit, instances).connected())
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
    assertThat(Bound.of(rule, WINDOW, 10, 10, 900_000, loop).expected()).isEqualTo(10_000);
  }

  private static OptionalLong away(OnUnavailable onUnavailable) {
    Rule rule = shared(WINDOW).withOnUnavailable(onUnavailable);
    return Bound.of(rule, WINDOW, 10).away();
  }

  private static Rule shared(Limit limit) {
    return rule(limit).withOpening(Opening.SHARED);
  }

  private static Rule rule(Limit limit) {
    return Rule.of(new RuleId("test", "rule"), List.of("user"), limit);
  }
}
