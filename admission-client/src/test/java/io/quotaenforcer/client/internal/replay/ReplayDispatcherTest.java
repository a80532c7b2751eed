package io.quotaenforcer.client.internal.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.internal.Instance;
import io.quotaenforcer.client.replay.ReplayOptions;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.client.spi.ReplayOutcome;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.message.DeferralInput.ReplayResult;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.schemas.topic.Identity;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ReplayDispatcherTest {
  private static final long MILLI = 1_000_000L;
  private static final Decision ADMITTED = new Decision.Unmatched();

  private final Deque<Runnable> threads = new ArrayDeque<>();
  private final List<String> handled = new ArrayList<>();
  private final Map<String, ReplayOutcome> outcomes = new HashMap<>();
  private final Map<String, CompletableFuture<Decision>> decisions = new HashMap<>();
  private final List<String> asked = new ArrayList<>();
  private final List<ReplayResult> results = new ArrayList<>();
  private final List<String> heard = new ArrayList<>();
  private CompletableFuture<Void> written = CompletableFuture.completedFuture(null);
  private long now;
  private long offset;
  private final Workers workers = new Workers(2, threads::add);
  private final Map<String, CompletableFuture<Boolean>> questions = new HashMap<>();
  private final ReplayDispatcher dispatcher = dispatcher();

  private ReplayDispatcher dispatcher() {
    return new ReplayDispatcher(
        new GuardedHandler(
            replay -> {
              handled.add(replay.id());
              return outcomes.getOrDefault(replay.id(), ReplayOutcome.done());
            },
            3,
            () -> 0),
        ReplayOptions.DEFAULTS.maxWaitForOtherRules(),
        new ReplayDesk(
            this::decide,
            replay -> questions.computeIfAbsent(replay.id(), id -> new CompletableFuture<>()),
            this::write),
        new Instance(
            new Identity("i", 1),
            new Clocks(() -> now, () -> now),
            new ClientTelemetry() {
              @Override
              public void replayed(ReplayOutcome outcome, int attempts) {
                heard.add(outcome.getClass().getSimpleName() + attempts);
              }
            }),
        workers,
        new Backlog.Limits(3, 100, 1_000));
  }

  @Test
  void lane_runsOneAfterTheOther_inOrder() {
    add("a1", "a");
    add("a2", "a");
    add("a3", "a");

    assertThat(threads).hasSize(1);
    runAll();

    assertThat(handled).containsExactly("a1", "a2", "a3");
    assertThat(results).extracting(ReplayResult::done).containsExactly(true, true, true);
    assertThat(heard).containsExactly("Done1", "Done1", "Done1");
  }

  @Test
  void priorities_ofOneKey_areLanesOfTheirOwn() {
    dispatcher.add(0, offset++, Replays.of("low", "p", "a", Priority.LOW, 0), 1);
    dispatcher.add(0, offset++, Replays.of("high", "p", "a", Priority.HIGH, 0), 1);

    assertThat(threads).hasSize(2);
  }

  @Test
  void handlers_asManyAsMayRun_holdUpTheOthers() {
    add("a", "a");
    add("b", "b");
    add("c", "c");

    assertThat(threads).hasSize(2);
    runOne();
    assertThat(threads).hasSize(2);
  }

  @Test
  void retryLater_holdsItsLane_andNoOther() {
    outcomes.put("a1", ReplayOutcome.retryLater(Duration.ofMillis(50)));
    add("a1", "a");
    add("a2", "a");
    add("b1", "b");
    runAll();
    assertThat(handled).containsExactly("a1", "b1");

    passes(49);
    assertThat(handled).hasSize(2);
    outcomes.clear();
    passes(1);

    assertThat(handled).containsExactly("a1", "b1", "a1", "a2");
    assertThat(results).extracting(ReplayResult::id).containsExactly("b1", "a1", "a2");
    assertThat(results.get(1).attempts()).isEqualTo(2);
    assertThat(heard).containsExactly("RetryLater1", "Done1", "Done2", "Done1");
  }

  @Test
  void retryLater_tooOften_failsAndFreesTheLane() {
    outcomes.put("a1", ReplayOutcome.retryLater(Duration.ofMillis(50)));
    add("a1", "a");
    add("a2", "a");

    runAll();
    passes(50);
    passes(50);

    assertThat(handled).containsExactly("a1", "a1", "a1", "a2");
    assertThat(results.get(0))
        .isEqualTo(
            new ReplayResult(
                "a1",
                QuotaKey.parse("posts/per-user/a"),
                false,
                "given up after 3 attempts: the handler asked for another attempt",
                3,
                4));
  }

  @Test
  void failed_isReportedWithItsReason() {
    outcomes.put("a1", ReplayOutcome.failed("gone"));
    add("a1", "a");
    runAll();

    assertThat(results.get(0).done()).isFalse();
    assertThat(results.get(0).reason()).isEqualTo("gone");
  }

  @Test
  void deadline_passed_isNotRun() {
    now = 1_000 * MILLI;
    dispatcher.add(0, 0, Replays.of("late", "p", "a", Priority.LOW, 999), 1);
    dispatcher.add(0, 1, Replays.of("intime", "p", "a", Priority.LOW, 1_000), 1);
    runAll();

    assertThat(handled).containsExactly("intime");
    assertThat(results.get(0).reason()).isEqualTo("deadline passed");
    assertThat(heard).containsExactly("Failed0", "Done1");
  }

  @Test
  void deadline_passesWhileItWaitsForItsNextAttempt_endsTheWait() {
    outcomes.put("a1", ReplayOutcome.retryLater(Duration.ofDays(2_000_000)));
    dispatcher.add(0, 0, Replays.of("a1", "p", "a", Priority.LOW, 100), 1);
    runAll();
    passes(99);
    assertThat(handled).containsExactly("a1");
    passes(2);

    assertThat(handled).containsExactly("a1");
    assertThat(results.get(0).reason()).isEqualTo("deadline passed");
  }

  @Test
  void otherRules_areWaitedFor_withoutAThread_andInOrder() {
    CompletableFuture<Decision> permits = new CompletableFuture<>();
    decisions.put("a1", permits);
    add("a1", "a");
    add("a2", "a");
    add("b1", "b");
    add("c1", "c");
    assertThat(threads).hasSize(2);
    runAll();
    assertThat(handled).containsExactly("b1", "c1");

    permits.complete(ADMITTED);
    runAll();

    assertThat(handled).containsExactly("b1", "c1", "a1", "a2");
  }

  @Test
  void otherRules_withoutRoom_areAskedAgain_andThatIsNoAttempt() {
    decisions.put("a1", CompletableFuture.completedFuture(throttled(30 * MILLI)));
    add("a1", "a");
    passes(29);
    assertThat(asked).hasSize(1);
    passes(1);
    assertThat(asked).hasSize(2);
    decisions.clear();
    passes(30);

    assertThat(results.get(0).attempts()).isEqualTo(1);
  }

  @Test
  void otherRules_oncePaid_areNotAskedForTheNextAttempt() {
    outcomes.put("a1", ReplayOutcome.retryLater(Duration.ZERO));
    add("a1", "a");
    runAll();
    passes(1);

    assertThat(handled).hasSize(2);
    assertThat(asked).hasSize(1);
  }

  @Test
  void otherRules_thatFail_areAskedAgain() {
    decisions.put("a1", CompletableFuture.failedFuture(new IllegalStateException("no")));
    add("a1", "a");
    decisions.clear();
    passes(1_000);

    assertThat(handled).containsExactly("a1");
  }

  @Test
  void manyLanesWithoutRoom_areAllLookedAt() {
    for (int i = 0; i < 20_000; i++) {
      decisions.put("id" + i, CompletableFuture.completedFuture(throttled(MILLI)));
    }
    for (int i = 0; i < 20_000; i++) {
      add("id" + i, "user" + i);
    }
    asked.clear();
    passes(10);

    assertThat(asked).hasSize(20_000);
  }

  @Test
  void offset_isCommittableOnceTheResultIsDurable() {
    written = new CompletableFuture<>();
    add("a1", "a");
    runAll();
    assertThat(results).hasSize(1);
    assertThat(committable()).isZero();

    written.complete(null);

    assertThat(committable()).isEqualTo(1);
    assertThat(dispatcher.unfinished()).isZero();
  }

  @Test
  void result_thatCannotBeWritten_isWrittenAgain_andHoldsUpNobody() {
    written = CompletableFuture.failedFuture(new IllegalStateException("away"));
    add("a1", "a");
    add("a2", "a");
    runAll();
    assertThat(handled).containsExactly("a1", "a2");
    assertThat(committable()).isZero();

    written = CompletableFuture.completedFuture(null);
    passes(1_000);

    assertThat(handled).containsExactly("a1", "a2");
    assertThat(results).hasSize(4);
    assertThat(committable()).isEqualTo(2);
  }

  @Test
  void unfinished_tooMany_holdThePartitionBack() {
    add("a1", "a");
    add("a2", "a");
    assertThat(dispatcher.held(Set.of(0, 1))).isEmpty();
    add("a3", "a");
    assertThat(dispatcher.held(Set.of(0, 1))).containsExactly(0);
    runAll();
    assertThat(dispatcher.held(Set.of(0, 1))).isEmpty();
  }

  @Test
  void drop_givesBackWhatHasNotStarted_andFinishesTheRest() throws InterruptedException {
    outcomes.put("w1", ReplayOutcome.retryLater(Duration.ofMillis(10)));
    CompletableFuture<Decision> permits = new CompletableFuture<>();
    decisions.put("p1", permits);
    add("w1", "w");
    add("p1", "p");
    runAll();
    add("a1", "a");
    add("a2", "a");

    dispatcher.drop(Set.of(0));
    assertThat(dispatcher.unfinished()).isEqualTo(1);
    permits.complete(ADMITTED);
    passes(10);
    dispatcher.awaitStarted(Set.of(0), 0);

    assertThat(handled).containsExactly("w1", "a1");
    assertThat(committable()).isZero();
    assertThat(dispatcher.unfinished()).isZero();
  }

  @Test
  void oldReplay_holdsUpItsLaneOnly_untilItIsKnownWhetherItIsAcknowledged() {
    addOld("a1", "a");
    addOld("a2", "a");
    add("a3", "a");
    add("b1", "b");
    runAll();
    assertThat(handled).containsExactly("b1");

    questions.get("a2").complete(true);
    runAll();
    assertThat(handled).containsExactly("b1");
    questions.get("a1").complete(false);
    runAll();

    assertThat(handled).containsExactly("b1", "a1", "a3");
    assertThat(results).extracting(ReplayResult::id).containsExactly("b1", "a1", "a3");
    assertThat(committable()).isEqualTo(4);
    assertThat(dispatcher.unfinished()).isZero();
  }

  @Test
  void oldReplay_ofAForgottenPartition_isNotAskedAboutAnyMore() {
    addOld("a1", "a");
    dispatcher.forget(Set.of(0));

    assertThat(questions.get("a1")).isCancelled();
    assertThat(dispatcher.unfinished()).isZero();
    add("a2", "a");
    runAll();
    assertThat(handled).containsExactly("a2");
  }

  @Test
  void handlers_ofTwoGroups_areTogetherAsManyAsMayRun() {
    ReplayDispatcher other = dispatcher();
    add("a", "a");
    other.add(0, 0, Replays.of("b", "b"), 1);
    other.add(0, 1, Replays.of("c", "c"), 1);
    add("d", "d");
    assertThat(threads).hasSize(2);

    runOne();
    runOne();
    other.tick();
    dispatcher.tick();

    assertThat(threads).hasSize(2);
    runAll();
    assertThat(handled).containsExactlyInAnyOrder("a", "b", "c", "d");
  }

  @Test
  void forgottenPartition_readAgain_startsBehindWhatStillRuns() {
    add("a1", "a");
    dispatcher.forget(Set.of(0));
    offset = 0;
    add("a1", "a");
    add("a2", "a");
    assertThat(threads).hasSize(1);

    runAll();

    assertThat(handled).containsExactly("a1", "a1", "a2");
    assertThat(committable()).isEqualTo(2);
  }

  @Test
  void forgottenPartition_retryLater_goesBack() {
    outcomes.put("a1", ReplayOutcome.retryLater(Duration.ZERO));
    add("a1", "a");
    dispatcher.forget(Set.of(0));
    runAll();
    passes(10);

    assertThat(handled).containsExactly("a1");
    assertThat(dispatcher.unfinished()).isZero();
    assertThat(dispatcher.committable(Set.of(0))).isEmpty();
  }

  @Test
  void stop_finishesWhatRuns_andStartsNothing() {
    outcomes.put("b1", ReplayOutcome.retryLater(Duration.ZERO));
    add("a1", "a");
    add("a2", "a");
    add("b1", "b");

    dispatcher.stop();
    runAll();
    passes(10);

    assertThat(handled).containsExactly("a1", "b1");
    assertThat(results).extracting(ReplayResult::id).containsExactly("a1");
    assertThat(committable()).isEqualTo(1);
  }

  private void add(String id, String user) {
    dispatcher.add(0, offset++, Replays.of(id, user), 1);
  }

  private void addOld(String id, String user) {
    dispatcher.addOld(0, offset++, Replays.of(id, user), 1);
  }

  private void runOne() {
    threads.remove().run();
  }

  private void runAll() {
    while (!threads.isEmpty()) {
      runOne();
    }
  }

  private void passes(long millis) {
    now += millis * MILLI;
    dispatcher.tick();
    runAll();
  }

  private long committable() {
    return dispatcher.committable(Set.of(0)).get(0);
  }

  private CompletableFuture<Decision> decide(Replay replay, Duration maxWait) {
    asked.add(replay.id());
    return decisions.getOrDefault(replay.id(), CompletableFuture.completedFuture(ADMITTED));
  }

  private CompletableFuture<Void> write(ReplayResult result) {
    results.add(result);
    return written;
  }

  private static Decision throttled(long retryAfterNanos) {
    QuotaKey key = QuotaKey.parse("posts/service");
    FixedWindow limit = new FixedWindow(1, 1_000_000_000);
    return new Decision.Throttled(
        RuleDecision.builder(key, limit, 0).retryAfterNanos(retryAfterNanos).known(true).build());
  }
}
