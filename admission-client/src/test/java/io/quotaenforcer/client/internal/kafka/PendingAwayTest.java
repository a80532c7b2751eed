package io.quotaenforcer.client.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.spi.NotWaited;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Requests for which nobody may answer: they wait only where that is of use, and not too many. */
class PendingAwayTest extends PendingKit {
  @Test
  void request_asManyWaitAsMay_isDecidedAtOnceAndTold() {
    for (int i = 0; i < MOST; i++) {
      assertThat(decide()).isNotDone();
    }

    assertThat(decide()).isCompletedWithValueMatching(d -> !d.admitted());

    assertThat(notWaited).containsExactly(NotWaited.TOO_MANY_WAIT);
    answer(PER_USER, now, 0, 1);
    assertThat(decide()).as("there is a place again").isNotDone();
  }

  @Test
  void request_enforcerAway_isDecidedAtOnceAndTold() {
    CompletableFuture<Decision> before = decide();
    for (int i = 0; i < 25; i++) {
      passes(50 * MILLI);
    }

    assertThat(pending.decide(REQUEST, 1_000 * MILLI, Runnable::run, now))
        .isCompletedWithValueMatching(d -> !d.admitted());

    assertThat(notWaited).containsExactly(NotWaited.ENFORCER_AWAY);
    assertThat(before).as("it was told that it may wait").isNotDone();
  }

  @Test
  void request_enforcerAwayForLessThanItMayWait_waitsForItsAnswer() {
    decide();
    for (int i = 0; i < 25; i++) {
      passes(50 * MILLI);
    }

    CompletableFuture<Decision> patient =
        pending.decide(REQUEST, 60_000 * MILLI, Runnable::run, now);

    assertThat(notWaited).isEmpty();
    answer(PER_USER, now, 0, 2);
    assertThat(patient).succeedsWithin(TIMEOUT).matches(Decision::admitted);
  }

  @Test
  void request_enforcerWasAwayWhenLastAsked_waitsForItsAnswer() {
    decide();
    pending.expire(now + MAX_WAIT);
    now += 60_000 * MILLI;
    assertThat(book.isAway(PER_USER.quotaKey(REQUEST).orElseThrow(), now)).isTrue();

    CompletableFuture<Decision> decision = decide();
    assertThat(decision).isNotDone();
    answer(PER_USER, now, 0, 1);

    assertThat(decision).isCompletedWithValueMatching(Decision::admitted);
  }

  @Test
  void request_enforcerGoesAway_isAdmittedIfItsRuleDecidesWithoutIt() {
    Rule local =
        Rule.of(PER_USER.id(), List.of("user"), new FixedWindow(LIMIT, WINDOW)).withVersion(2, 2);
    book.applyRules(RuleSet.of(List.of(local)), now);
    while (book.decide(REQUEST, now).admitted()) {
      // Its opening is used up.
    }
    CompletableFuture<Decision> decision =
        pending.decide(REQUEST, 10 * WINDOW, HandOver.AT_ONCE, now);
    assertThat(decision).isNotDone();

    for (int i = 0; i < 130 && !decision.isDone(); i++) {
      passes(1_000 * MILLI);
      pending.expire(now);
    }

    assertThat(decision).isCompletedWithValueMatching(Decision::admitted);
  }

  @Test
  void request_dueWhileThoseOfAKeyAwayAreTriedAgain_isEndedMeanwhile() {
    CompletableFuture<Decision> due = decide();
    CompletableFuture<Decision> later =
        pending.decide(REQUEST, 2 * MAX_WAIT, HandOver.AT_ONCE, now);
    long begun = now + MAX_WAIT - MILLI;

    now = begun + 2 * MILLI; // as late it is after the first was tried
    pending.expire(begun);

    assertThat(due).succeedsWithin(TIMEOUT).matches(decision -> !decision.admitted());
    assertThat(later).isNotDone();
  }

  @Test
  void request_beforeTheRules_waitsForThem() {
    AllotmentBook empty = new AllotmentBook(BookSettings.defaults(), 4, 0);
    empty.beforeRules(new Decision.NotReady(true));
    PendingDecisions early =
        new PendingDecisions(
            empty, () -> now, handOver, PendingDecisions.Limits.NONE, () -> kafkaAway);
    CompletableFuture<Decision> strict = early.decide(REQUEST, MAX_WAIT, HandOver.AT_ONCE, now);
    CompletableFuture<Decision> unmatched =
        early.decide(Request.of("ip", "::1"), MAX_WAIT, HandOver.AT_ONCE, now);
    assertThat(strict).isNotDone();

    empty.applyRules(RuleSet.of(List.of(PER_USER)), now);
    early.rulesKnown(now);

    assertThat(strict).as("it waits for permits now").isNotDone();
    assertThat(unmatched).isCompletedWithValueMatching(Decision.Unmatched.class::isInstance);
    early.close(now);
    assertThat(strict).isCompletedWithValueMatching(d -> !d.admitted());
  }

  @Test
  void request_beforeTheRulesAndNoKafka_isDecidedAtOnce() {
    AllotmentBook empty = new AllotmentBook(BookSettings.defaults(), 4, 0);
    empty.beforeRules(new Decision.NotReady(false));
    PendingDecisions early =
        new PendingDecisions(
            empty, () -> now, handOver, PendingDecisions.Limits.NONE, () -> kafkaAway);
    CompletableFuture<Decision> first = early.decide(REQUEST, MAX_WAIT, HandOver.AT_ONCE, now);
    assertThat(first).isNotDone();

    kafkaAway = true;
    early.expire(now + MILLI);

    assertThat(first).isCompletedWithValue(new Decision.NotReady(false));
    assertThat(early.decide(REQUEST, MAX_WAIT, HandOver.AT_ONCE, now))
        .isCompletedWithValue(new Decision.NotReady(false));
  }
}
