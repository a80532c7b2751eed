package io.quotaenforcer.client.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.allotment.WaitingRequest;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleOverride;
import io.quotaenforcer.core.rule.RuleSet;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A request's wait ends with permits, with an answer that there are none, or after its time. */
class PendingDecisionsTest extends PendingKit {
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
  void close_decidesAllThatWaitsAndWhatComesAfter() {
    CompletableFuture<Decision> decision = decide();

    pending.close(now);

    assertThat(decision).isCompletedWithValueMatching(d -> !d.admitted());
    assertThat(decide()).isCompletedWithValueMatching(d -> !d.admitted());
    assertThat(pending.waiting()).isZero();
  }

  @Test
  void close_decidesWhatAnAnswerHasWaitForAnotherKeyMeanwhile() {
    book.applyRules(RuleSet.of(List.of(PER_USER, SERVICE)), now);
    PendingDecisions many =
        new PendingDecisions(
            book, () -> now, handOver, PendingDecisions.Limits.NONE, () -> kafkaAway);
    CompletableFuture<Decision> first =
        many.decide(
            WaitingRequest.of(SERVICE.id(), List.of(), 1, now), MAX_WAIT, HandOver.AT_ONCE, now);
    List<Request> requests =
        IntStream.range(0, 20).mapToObj(user -> Request.of("user", "u" + user)).toList();
    List<CompletableFuture<Decision>> others =
        requests.stream()
            .map(request -> many.decide(request, MAX_WAIT, HandOver.AT_ONCE, now))
            .toList();
    book.reports(now);
    // Of the others, those that are not decided by then have room for their user.
    CompletableFuture<Void> answered =
        first.thenRun(() -> requests.forEach(request -> hasRoomForItsUser(request, many)));

    many.close(now);

    assertThat(answered).isCompleted();
    assertThat(others).allMatch(CompletableFuture::isDone);
    assertThat(many.waiting()).isZero();
  }

  private void hasRoomForItsUser(Request request, PendingDecisions waiting) {
    QuotaSnapshot snapshot =
        snapshot(PER_USER, PER_USER.quotaKey(request).orElseThrow(), now, 0, 1);
    book.applySnapshot(snapshot, now);
    waiting.answered(snapshot, now);
  }
}
