package io.quotaenforcer.client.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.client.spi.NotWaited;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.allotment.WaitingRequest;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleOverride;
import io.quotaenforcer.core.rule.RuleSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PendingDecisionsTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final long MILLI = 1_000_000L;
  private static final long START = 1_700_000_000_000_000_000L;
  private static final long LIMIT = 10;
  private static final long WINDOW = 60_000 * MILLI;
  private static final long MAX_WAIT = 5_000 * MILLI;
  private static final int MOST = 3;
  private static final Rule PER_USER = strict("per-user", List.of("user"));
  private static final Rule SERVICE = strict("service", List.of());
  private static final Request REQUEST = Request.of("user", "42");

  private final AllotmentBook book = new AllotmentBook(BookSettings.defaults(), 4, 0);
  private final List<NotWaited> notWaited = new ArrayList<>();
  private boolean kafkaAway;
  private final HandOver handOver = new HandOver("test");
  private final PendingDecisions pending =
      new PendingDecisions(
          book,
          () -> this.now,
          handOver,
          new PendingDecisions.Limits(MOST, this.notWaited::add),
          () -> this.kafkaAway);
  private volatile long now = START;
  private long cells;

  @AfterEach
  void close() {
    handOver.close();
  }

  @BeforeEach
  void start() {
    book.applyPrefix(new PrefixInfo(1, QuotaKey.HASH_VERSION, 4), now);
    book.applyRules(RuleSet.of(List.of(PER_USER)), now);
  }

  @Test
  void request_granted_isAdmitted() {
    CompletableFuture<Decision> decision = decide();
    assertThat(decision).isNotDone();

    answer(PER_USER, now, 0, 1);

    assertThat(decision).isCompletedWithValueMatching(Decision::admitted);
  }

  @Test
  void request_ofADeniedKey_isThrottledAtOnce() {
    Rule denying = PER_USER.withOverrides(List.of(RuleOverride.denied(Map.of("user", "42"))));
    book.applyRules(RuleSet.of(List.of(denying)), now);

    assertThat(decide()).isCompletedWithValueMatching(d -> !d.admitted());
  }

  @Test
  void request_whoseKeyComesToBeDenied_isThrottledSoon() {
    Rule denying = PER_USER.withOverrides(List.of(RuleOverride.denied(Map.of("user", "42"))));
    CompletableFuture<Decision> decision = decide();
    book.applyRules(RuleSet.of(List.of(denying)), now);

    answer(PER_USER, now, 0, 1);

    assertThat(decision).isCompletedWithValueMatching(d -> !d.admitted());
  }

  @Test
  void request_quotaUsedUp_isThrottledByTheFirstAnswer() {
    CompletableFuture<Decision> decision = decide();

    answer(PER_USER, now, LIMIT, 0);

    assertThat(decision).isCompletedWithValueMatching(d -> !d.admitted());
  }

  @Test
  void request_answerToAnEarlierReport_waitsOn() {
    long before = now - MILLI;
    CompletableFuture<Decision> decision = decide();

    answer(PER_USER, before, LIMIT, 0);

    assertThat(decision).isNotDone();
  }

  @Test
  void request_permitsHeldByOthersButNotUsed_waitsUntilTheyAreFree() {
    CompletableFuture<Decision> decision = decide();

    answer(PER_USER, now, 3, 0);
    assertThat(decision).isNotDone();
    passes(50 * MILLI);
    answer(PER_USER, now, 3, 1);

    assertThat(decision).isCompletedWithValueMatching(Decision::admitted);
  }

  @Test
  void request_nothingFreeForTooLong_isThrottled() {
    CompletableFuture<Decision> decision = decide();
    answer(PER_USER, now, 3, 0);

    passes(MAX_WAIT - 1);
    pending.expire(now);
    assertThat(decision).isNotDone();
    passes(1);
    pending.expire(now);

    assertThat(decision).isCompletedWithValueMatching(d -> !d.admitted());
  }

  @Test
  void request_twoRules_isAdmittedOnceBothHaveRoom() {
    book.applyRules(RuleSet.of(List.of(PER_USER, SERVICE)), now);
    CompletableFuture<Decision> decision = decide();
    passes(50 * MILLI);

    answer(SERVICE, now, 0, 1);
    assertThat(decision).isNotDone();
    answer(PER_USER, now, 0, 1);

    assertThat(decision).isCompletedWithValueMatching(Decision::admitted);
  }

  @Test
  void request_refusedByTheSecondRuleOnly_isThrottledAtTheNextAnswer() {
    book.applyRules(RuleSet.of(List.of(PER_USER, SERVICE)), now);
    CompletableFuture<Decision> decision = decide();
    passes(50 * MILLI);

    answer(SERVICE, now, LIMIT, 0);
    answer(PER_USER, now, 0, 1);

    assertThat(decision).isCompletedWithValueMatching(d -> !d.admitted());
  }

  @Test
  void request_thatHasPaidARule_waitsForTheOthersOnly() {
    book.applyRules(RuleSet.of(List.of(PER_USER, SERVICE)), now);
    WaitingRequest waiting =
        new WaitingRequest(REQUEST, List.of(PER_USER.quotaKey(REQUEST).orElseThrow()), now);
    CompletableFuture<Decision> decision = pending.decide(waiting, MAX_WAIT, HandOver.AT_ONCE, now);
    book.reports(now);
    assertThat(decision).isNotDone();

    answer(SERVICE, now, 0, 1);

    assertThat(decision).isCompletedWithValueMatching(d -> d.admitted() && d.rules().size() == 1);
  }

  @Test
  void request_ofOneRule_waitsForThatRuleOnly() {
    book.applyRules(RuleSet.of(List.of(PER_USER, SERVICE)), now);
    CompletableFuture<Decision> decision = decideBy(SERVICE, List.of());
    book.reports(now);
    assertThat(decision).isNotDone();

    answer(SERVICE, now, 0, 1);

    assertThat(decision)
        .isCompletedWithValueMatching(d -> d.ruleIds().equals(List.of(SERVICE.id())));
  }

  @Test
  void request_ofOneRule_goesByTheRulesOfTheTimeAtWhichItIsDecided() {
    CompletableFuture<Decision> fits = decideBy(PER_USER, List.of("42"));
    CompletableFuture<Decision> unfit = decideBy(PER_USER, List.of("42", "cup"));
    assertThat(unfit).isCompletedWithValueMatching(d -> d instanceof Decision.Unmatched);

    book.applyRules(RuleSet.of(List.of(SERVICE)), now);
    passes(MAX_WAIT);
    pending.expire(now);

    assertThat(fits).isCompletedWithValueMatching(d -> d instanceof Decision.Unmatched);
  }

  private CompletableFuture<Decision> decideBy(Rule rule, List<String> values) {
    WaitingRequest waiting = WaitingRequest.of(rule.id(), values, 1, now);
    return pending.decide(waiting, MAX_WAIT, HandOver.AT_ONCE, now);
  }

  @Test
  void request_longestWait_isNotOverAtOnce() {
    CompletableFuture<Decision> decision =
        pending.decide(REQUEST, Long.MAX_VALUE, HandOver.AT_ONCE, now);

    passes(MAX_WAIT);
    pending.expire(now);

    assertThat(decision).isNotDone();
    assertThat(pending.nanosToNext(now)).isGreaterThan(Duration.ofDays(36_500).toNanos() / 2);
  }

  @Test
  void request_noTimeToWait_isThrottledAtOnce() {
    assertThat(pending.decide(REQUEST, 0, HandOver.AT_ONCE, now))
        .isCompletedWithValueMatching(d -> !d.admitted());
    assertThat(pending.waiting()).isZero();
  }

  @Test
  void request_cancelled_takesNoPermitAndAsksForNone() {
    CompletableFuture<Decision> cancelled = decide();
    CompletableFuture<Decision> next = decide();
    cancelled.cancel(false);
    assertThat(pending.waiting()).isEqualTo(1);

    answer(PER_USER, now, 0, 1);

    assertThat(next).isCompletedWithValueMatching(Decision::admitted);
    assertThat(pending.waiting()).isZero();
  }

  @Test
  void request_cancelledWhenItIsDecided_givesItsPermitBack() {
    BlockingQueue<Runnable> completions = new LinkedBlockingQueue<>();
    CompletableFuture<Decision> cancelled =
        pending.decide(REQUEST, MAX_WAIT, completions::add, now);
    book.reports(now);
    answer(PER_USER, now, 0, 1);
    await().until(() -> !completions.isEmpty());
    assertThat(book.decide(REQUEST, now).admitted()).as("it is taken").isFalse();

    cancelled.cancel(false);
    completions.remove().run();

    assertThat(book.decide(REQUEST, now).admitted()).isTrue();
  }

  @Test
  void request_executorRejectsIt_isCompletedAndSoAreOthers() {
    CompletableFuture<Decision> rejected =
        pending.decide(
            REQUEST,
            MAX_WAIT,
            completion -> {
              throw new RejectedExecutionException("full");
            },
            now);
    CompletableFuture<Decision> other = decide();

    answer(PER_USER, now, 0, 2);

    assertThat(rejected).succeedsWithin(TIMEOUT).matches(Decision::admitted);
    assertThat(other).succeedsWithin(TIMEOUT).matches(Decision::admitted);
    await().untilAsserted(() -> assertThat(pending.waiting()).isZero());
  }

  @Test
  void request_executorStandsStill_holdsUpNoOther() {
    CountDownLatch goOn = new CountDownLatch(1);
    try (WaitTimer timer = new WaitTimer(pending, handOver, () -> now, "test")) {
      CompletableFuture<Decision> still =
          pending.decide(REQUEST, MAX_WAIT, completion -> awaitThenRun(goOn, completion), now);
      CompletableFuture<Decision> other =
          pending.decide(REQUEST, MAX_WAIT, completion -> completion.run(), now);
      CompletableFuture<Decision> late =
          pending.decide(REQUEST, MAX_WAIT, completion -> completion.run(), now);
      book.reports(now);

      answer(PER_USER, now, 0, 2);
      assertThat(other).succeedsWithin(TIMEOUT).matches(Decision::admitted);
      now += MAX_WAIT;
      assertThat(late).succeedsWithin(TIMEOUT).matches(d -> !d.admitted());

      assertThat(still).isNotDone();
      goOn.countDown();
      assertThat(still).succeedsWithin(TIMEOUT).matches(Decision::admitted);
    } finally {
      goOn.countDown();
    }
  }

  @Test
  void request_continuationThatBlocks_holdsUpNoOther() {
    CountDownLatch goOn = new CountDownLatch(1);
    try (WaitTimer timer = new WaitTimer(pending, handOver, () -> now, "test")) {
      CompletableFuture<Void> blocked =
          pending
              .decide(REQUEST, MAX_WAIT, Runnable::run, now)
              .thenAccept(decision -> awaitThenRun(goOn, () -> {}));
      CompletableFuture<Decision> other = pending.decide(REQUEST, MAX_WAIT, Runnable::run, now);
      now += MAX_WAIT;

      assertThat(other).succeedsWithin(TIMEOUT).matches(d -> !d.admitted());
      assertThat(blocked).isNotDone();
    } finally {
      goOn.countDown();
    }
  }

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

  @Test
  void close_decidesAllThatWaitsAndWhatComesAfter() {
    CompletableFuture<Decision> decision = decide();

    pending.close(now);

    assertThat(decision).isCompletedWithValueMatching(d -> !d.admitted());
    assertThat(decide()).isCompletedWithValueMatching(d -> !d.admitted());
    assertThat(pending.waiting()).isZero();
  }

  private static void awaitThenRun(CountDownLatch goOn, Runnable completion) {
    try {
      goOn.await();
      completion.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private CompletableFuture<Decision> decide() {
    CompletableFuture<Decision> decision = pending.decide(REQUEST, MAX_WAIT, HandOver.AT_ONCE, now);
    book.reports(now);
    return decision;
  }

  private void passes(long nanos) {
    now += nanos;
    book.reports(now);
  }

  /** The enforcer answers the report sent at {@code sentNanos} with a new cell of the window. */
  private void answer(Rule rule, long sentNanos, long used, long granted) {
    QuotaKey key = rule.quotaKey(REQUEST).orElseThrow();
    long window = rule.limit().windowStart(now);
    List<CellGrant> grants =
        granted == 0
            ? List.of()
            : List.of(new CellGrant(now + ++cells, window, granted, window, window + WINDOW));
    QuotaAnswer answer =
        new QuotaAnswer(
            key,
            rule.generation(),
            LIMIT,
            used,
            0,
            window + WINDOW,
            0,
            0,
            DeclaredBound.NOTHING,
            false,
            grants,
            List.of());
    QuotaSnapshot snapshot = new QuotaSnapshot("a", 1, 0, sentNanos, now, List.of(answer));
    book.applySnapshot(snapshot, now);
    pending.answered(snapshot, now);
  }

  private static Rule strict(String id, List<String> key) {
    return Rule.of(new RuleId("posts", id), key, new FixedWindow(LIMIT, WINDOW))
        .withEnforcement(Enforcement.STRICT)
        .withVersion(1, 1);
  }
}
