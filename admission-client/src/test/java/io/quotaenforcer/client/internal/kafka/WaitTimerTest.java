package io.quotaenforcer.client.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WaitTimerTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final long SECOND = 1_000_000_000L;
  private static final Request REQUEST = Request.of("user", "42");

  private final AtomicLong now = new AtomicLong(SECOND);
  private final AllotmentBook book = new AllotmentBook(BookSettings.defaults(), 4, 0);
  private final HandOver handOver = new HandOver("timed");
  private final PendingDecisions pending =
      new PendingDecisions(book, now::get, handOver, PendingDecisions.Limits.NONE, () -> false);
  private final WaitTimer timer = new WaitTimer(pending, handOver, now::get, "timed");

  WaitTimerTest() {
    Rule strict =
        Rule.of(new RuleId("posts", "a"), List.of("user"), new FixedWindow(10, 60 * SECOND))
            .withEnforcement(Enforcement.STRICT)
            .withVersion(1, 1);
    book.applyRules(RuleSet.of(List.of(strict)), now.get());
  }

  @AfterEach
  void close() {
    timer.close();
    handOver.close();
    await().atMost(SOON).until(() -> !isRunning());
  }

  private static boolean isRunning() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("quota-waits-timed"));
  }

  private CompletableFuture<Decision> decide(Duration maxWait) {
    return pending.decide(REQUEST, maxWait.toNanos(), HandOver.AT_ONCE, now.get());
  }

  @Test
  void thread_startsWithTheFirstThatWaits_andEndsWithTheTimer() {
    pending.decide(Request.of("ip", "::1"), SECOND, HandOver.AT_ONCE, now.get());
    assertThat(isRunning()).as("nothing has waited").isFalse();

    decide(SOON);
    await().atMost(SOON).until(WaitTimerTest::isRunning);

    timer.close();
    await().atMost(SOON).until(() -> !isRunning());
  }

  @Test
  void wait_thatIsOver_endsByTheClientsClock() {
    CompletableFuture<Decision> decision = decide(Duration.ofHours(1));
    await().during(Duration.ofMillis(50)).until(() -> !decision.isDone());

    now.addAndGet(Duration.ofHours(1).toNanos());

    assertThat(decision).succeedsWithin(SOON).matches(it -> !it.admitted());
  }

  @Test
  void waits_thatBeginAfterASleep_endToo() {
    for (int round = 0; round < 20; round++) {
      CompletableFuture<Decision> decision = decide(Duration.ofMillis(1));
      now.addAndGet(SECOND);
      assertThat(decision).as("round %d", round).succeedsWithin(SOON);
    }
  }

  @Test
  void waits_endInTheOrderOfTheirDeadlines() {
    List<Integer> ended = new ArrayList<>();
    List<CompletableFuture<Decision>> decisions = new ArrayList<>();
    int[] seconds = {3, 1, 2};
    for (int each : seconds) {
      CompletableFuture<Decision> decision = decide(Duration.ofSeconds(each));
      decision.thenRun(
          () -> {
            synchronized (ended) {
              ended.add(each);
            }
          });
      decisions.add(decision);
    }

    now.addAndGet(Duration.ofSeconds(10).toNanos());

    assertThat(decisions).allSatisfy(it -> assertThat(it).succeedsWithin(SOON));
    assertThat(ended).containsExactly(1, 2, 3);
  }

  @Test
  void thread_outlivesAnError() {
    AtomicInteger errors = new AtomicInteger();
    AllotmentBook early = new AllotmentBook(BookSettings.defaults(), 4, 0);
    early.beforeRules(new Decision.NotReady(false));
    PendingDecisions waiting =
        new PendingDecisions(
            early, now::get, handOver, PendingDecisions.Limits.NONE, () -> failsAtFirst(errors));
    try (WaitTimer other = new WaitTimer(waiting, handOver, now::get, "timed")) {
      CompletableFuture<Decision> decision =
          waiting.decide(REQUEST, SECOND, HandOver.AT_ONCE, now.get());
      await().atMost(SOON).until(() -> errors.get() > 0);

      now.addAndGet(SECOND);

      assertThat(decision).succeedsWithin(SOON);
    }
  }

  /** The question whether Kafka is away, which the thread asks for those that wait for rules. */
  private static boolean failsAtFirst(AtomicInteger errors) {
    boolean isTimer = Thread.currentThread().getName().equals("quota-waits-timed");
    if (isTimer && errors.getAndIncrement() == 0) {
      throw new NoSuchMethodError("of another version");
    }
    return false;
  }

  @Test
  void timer_closedBeforeAnythingWaits_neverStarts() {
    timer.close();

    decide(SOON);

    assertThat(isRunning()).isFalse();
  }
}
