package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.balanced;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.ThrottleReason;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.rule.Enforcement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a decision tells of how a quota key stands. */
class StandingTest {
  private static final Limit LIMIT = new FixedWindow(100, 10 * SECOND);
  private static final Limit BUCKET = new TokenBucket(100, SECOND, 100);

  private static RuleDecision decision(TestBook client, long cost) {
    return client.decide("42", cost).rule().orElseThrow();
  }

  @Test
  void limitOfEachInstance_isWhatItsOwnCountLeft_untilItsWindowEnds() {
    TestBook client = new TestBook(TestBook.rule("rule", LIMIT, Enforcement.PER_INSTANCE));
    client.passes(4 * SECOND);
    RuleDecision first = decision(client, 30);
    assertThat(first.remaining()).isEqualTo(70);
    assertThat(first.resetNanos()).isEqualTo(6 * SECOND);

    RuleDecision refused = decision(client, 71);
    assertThat(refused.reason()).isEqualTo(ThrottleReason.OVER_LIMIT);
    assertThat(refused.remaining()).isEqualTo(70);
    assertThat(refused.retryAfterNanos()).isEqualTo(6 * SECOND);
  }

  @ParameterizedTest
  @CsvSource({"100, NOT_GRANTED_YET", "101, OVER_LIMIT"})
  void refused_nothingKnown_isOverTheLimitIfItNeverFits(long cost, ThrottleReason reason) {
    TestBook client = new TestBook(strict(LIMIT));
    RuleDecision refused = decision(client, cost);
    assertThat(refused.reason()).isEqualTo(reason);
    assertThat(refused.retryAfterNanos())
        .isEqualTo(cost > 100 ? RuleDecision.NEVER_NANOS : 20 * MILLI);
  }

  /** One permit of the request, and three that are owed. */
  @ParameterizedTest
  @CsvSource({"4, NOT_GRANTED_YET, 1", "3, OVER_LIMIT, 0", "9, NOT_GRANTED_YET, 6"})
  void owedPermits_countAsUsed_andAreWantedBeforeThoseOfTheRequest(
      long left, ThrottleReason reason, long remaining) {
    TestBook client = new TestBook(strict(LIMIT));
    client.admits();
    client.granted(client.grant(LIMIT, 5, 1));
    client.charge(1).settle(4, client.now);
    client.passes(20 * MILLI);
    client.reports();
    client.answer().grants(client.grant(LIMIT, 5, 1)).remaining(left).send();

    RuleDecision refused = client.decision();
    assertThat(refused.owed()).isEqualTo(3);
    assertThat(refused.reason()).isEqualTo(reason);
    assertThat(refused.remaining()).isEqualTo(remaining);
  }

  @Test
  void refused_asMoreIsAskedForThanIsLeftToAll_tellsLessThanThat() {
    TestBook client = new TestBook(strict(LIMIT));
    client.admits();
    client.reports();
    client.answer().grants(client.grant(LIMIT, 5, 3)).remaining(3).send();

    RuleDecision refused = decision(client, 5);
    assertThat(refused.reason()).isEqualTo(ThrottleReason.OVER_LIMIT);
    assertThat(refused.remaining()).as("3 that are held, and 3 others").isEqualTo(4);
    assertThat(decision(client, 1).remaining()).as("an admitted one").isEqualTo(2 + 3);
  }

  @Test
  void slots_mayComeBackAtAnyMoment() {
    TestBook client = new TestBook(strict(new ConcurrencyLimit(3, 10 * SECOND)));
    client.admits();
    client.reports();
    client.answer().send();
    assertThat(client.decision().retryAfterNanos()).isEqualTo(20 * MILLI);
  }

  @Test
  void enforcerAway_requestForMoreThanTheInstancesPart_isToldToComeWhenItMayBeBack() {
    TestBook client = new TestBook(balanced(LIMIT));
    client.admits();
    client.granted();
    client.passes(50 * MILLI);
    client.admits();
    client.ticks(1_200 * MILLI);
    RuleDecision refused = decision(client, 11);
    assertThat(refused.reason()).isEqualTo(ThrottleReason.OVER_LIMIT);
    assertThat(refused.retryAfterNanos()).isEqualTo(SECOND);
    assertThat(decision(client, 10).retryAfterNanos()).isGreaterThan(8 * SECOND);
  }

  /** Its share of a bucket is ten a second, and holds ten. */
  private static TestBook ridingOut() {
    TestBook client = new TestBook(strict(BUCKET));
    client.admits();
    client.reports();
    client.answer().grants(client.share(7, 1, 10)).remaining(90).send();
    client.passes(SECOND);
    client.admits();
    client.reports();
    client.passes(SECOND);
    return client;
  }

  @Test
  void enforcerAway_ridingOutOnAShare_isWhatTheShareHas() {
    TestBook client = ridingOut();
    RuleDecision admitted = client.decision();
    assertThat(admitted.degraded()).isFalse();
    assertThat(admitted.remaining()).isEqualTo(9);
    RuleDecision refused = decision(client, 10);
    assertThat(refused.reason()).isEqualTo(ThrottleReason.OVER_LIMIT);
    assertThat(refused.retryAfterNanos()).isBetween(99 * MILLI, 100 * MILLI + 1);
    assertThat(decision(client, 11).reason()).as("never in it").isNotEqualTo(refused.reason());
  }

  @Test
  void queue_withAShare_comesAgainWhenItsPermitsHaveCome() {
    TestBook client = ridingOut();
    QueuePermits queue = client.book.queue(strict(BUCKET), TestBook.key("rule", "42"));
    assertThat(queue.retryAfterNanos(10, client.now)).isEqualTo(1);
    assertThat(queue.tryTake(10, 0, client.now)).isPresent();
    assertThat(queue.retryAfterNanos(3, client.now)).isBetween(299 * MILLI, 300 * MILLI + 1);
    assertThat(queue.retryAfterNanos(11, client.now)).as("never in it").isEqualTo(20 * MILLI);
  }
}
