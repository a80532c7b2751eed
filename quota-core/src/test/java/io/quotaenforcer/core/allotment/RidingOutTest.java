package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MAX_INSTANCES;
import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.balanced;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static io.quotaenforcer.core.allotment.TestBook.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.ThrottleReason;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.OnUnavailable;
import io.quotaenforcer.core.rule.Rule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An instance that has a share, while the enforcer does not answer. */
class RidingOutTest {
  private static final Limit WINDOWED = new FixedWindow(1_000, SECOND);
  private static final Limit BUCKET = new TokenBucket(1_000, SECOND, 1_000);
  private static final int SHARE = 40;

  /** A key in use whose enforcer has not answered for over a second, at the border of a window. */
  private static TestBook cutOff(Rule rule) {
    return cutOff(rule, 30 * SECOND);
  }

  private static TestBook cutOff(Rule rule, long termNanos) {
    TestBook client = new TestBook(rule);
    client.admits();
    client.granted(client.share(7, 1, SHARE, termNanos));
    for (int i = 0; i < 20; i++) {
      client.admits();
      client.ticks(100 * MILLI);
    }
    assertThat(client.book.isAway(key("rule", "42"), client.now)).isTrue();
    return client;
  }

  private static Rule balancedBy(Limit limit, OnUnavailable how) {
    return with(balanced(limit), how, Mode.ENFORCE);
  }

  @ParameterizedTest
  @EnumSource(OnUnavailable.class)
  void share_enforcerAway_admitsAsBefore_whateverTheRuleSaysOfOutages(OnUnavailable how) {
    for (Limit limit : new Limit[] {WINDOWED, BUCKET}) {
      TestBook client = cutOff(balancedBy(limit, how));
      client.passes(SECOND);

      RuleDecision admitted = client.decision();
      assertThat(admitted.source()).isEqualTo(PermitSource.GRANTED);
      assertThat(admitted.degraded()).isFalse();
      assertThat(admitted.remaining()).isEqualTo(SHARE - 1);
      assertThat(client.admitted(500)).isEqualTo(SHARE - 1);

      RuleDecision refused = client.decision();
      assertThat(refused.degraded()).isFalse();
      assertThat(refused.reason()).isEqualTo(ThrottleReason.OVER_LIMIT);
      assertThat(refused.remaining()).isZero();
    }
  }

  @Test
  void retryAfter_enforcerAway_isWhenTheShareHasPermits() {
    TestBook windowed = cutOff(strict(WINDOWED));
    windowed.passes(200 * MILLI);
    windowed.admitted(500);
    assertThat(windowed.decision().retryAfterNanos()).isEqualTo(800 * MILLI);
    assertThat(windowed.decision().resetNanos()).isEqualTo(800 * MILLI);

    TestBook bucket = cutOff(strict(BUCKET));
    bucket.admitted(500);
    assertThat(bucket.decision().retryAfterNanos()).isBetween(1L, SECOND / SHARE + 1);
  }

  @Test
  void termEnds_enforcerAway_ruleDecidesAsItSays() {
    TestBook allows = cutOff(balancedBy(WINDOWED, OnUnavailable.ALLOW));
    allows.ticks(27 * SECOND);
    assertThat(allows.admitted(500)).isEqualTo(SHARE);
    allows.ticks(SECOND);
    assertThat(allows.admitted(500)).isEqualTo(500);
    assertThat(allows.decision().degraded()).isTrue();

    TestBook local = cutOff(balancedBy(WINDOWED, OnUnavailable.LOCAL));
    local.ticks(28 * SECOND);
    assertThat(local.admitted(500)).isEqualTo(1_000 / MAX_INSTANCES);
    local.ticks(SECOND);
    assertThat(local.decision().source()).isEqualTo(PermitSource.DEGRADED);
  }

  @Test
  void local_termEndsWithinAWindow_admitsLessByWhatTheShareGaveInIt() {
    Limit limit = new FixedWindow(1_000, 10 * SECOND);
    TestBook local = cutOff(balancedBy(limit, OnUnavailable.LOCAL), 25 * SECOND);
    local.ticks(20 * SECOND);
    assertThat(local.admitted(500)).isEqualTo(SHARE);
    local.passes(3 * SECOND - 1);
    assertThat(local.admits()).isFalse();
    local.passes(1);

    assertThat(local.admitted(500)).isEqualTo(1_000 / MAX_INSTANCES - SHARE);
  }

  @Test
  void waiting_enforcerAway_isNotInVain() {
    TestBook client = cutOff(strict(BUCKET));
    for (int i = 0; i < 50; i++) {
      client.admits();
      client.ticks(100 * MILLI);
    }
    assertThat(client.book.isWaitedForInVain(key("rule", "42"), SECOND, client.now)).isFalse();

    client.passes(25 * SECOND);
    client.ticks(SECOND);
    assertThat(client.book.isWaitedForInVain(key("rule", "42"), SECOND, client.now)).isTrue();
  }

  @Test
  void debt_enforcerAway_isPaidByTheShareOnly() {
    TestBook client = cutOff(balancedBy(WINDOWED, OnUnavailable.ALLOW));
    client.charge(1).settle(SHARE + 11, client.now);
    assertThat(client.admits()).isFalse();
    client.passes(SECOND);

    assertThat(client.admitted(500)).isEqualTo(SHARE - 11);
  }

  @Test
  void opening_whileTheEnforcerAnswers_goesOnBesideAShare() {
    TestBook client = new TestBook(balanced(WINDOWED));
    client.admits();
    client.reports();
    client.answer().grants(client.share(7, 1, SHARE)).opening(100).send();

    assertThat(client.admitted(500)).isEqualTo(SHARE + 100);
  }
}
