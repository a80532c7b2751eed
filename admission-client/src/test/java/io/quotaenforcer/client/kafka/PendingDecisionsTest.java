package io.quotaenforcer.client.kafka;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PendingDecisionsTest {
  private static final long MILLI = 1_000_000L;
  private static final long START = 1_700_000_000_000_000_000L;
  private static final long LIMIT = 10;
  private static final long WINDOW = 60_000 * MILLI;
  private static final long MAX_WAIT = 5_000 * MILLI;
  private static final Rule PER_USER = strict("per-user", List.of("user"));
  private static final Rule SERVICE = strict("service", List.of());
  private static final Request REQUEST = Request.of("user", "42");

  private final AllotmentBook book = new AllotmentBook(BookSettings.defaults(), 4, 0);
  private final PendingDecisions pending = new PendingDecisions(book);
  private long now = START;
  private long cells;

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
    CompletableFuture<Decision> decision = pending.decide(waiting, MAX_WAIT, Runnable::run, now);
    book.reports(now);
    assertThat(decision).isNotDone();

    answer(SERVICE, now, 0, 1);

    assertThat(decision).isCompletedWithValueMatching(d -> d.admitted() && d.rules().size() == 1);
  }

  private CompletableFuture<Decision> decide() {
    CompletableFuture<Decision> decision = pending.decide(REQUEST, MAX_WAIT, Runnable::run, now);
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
