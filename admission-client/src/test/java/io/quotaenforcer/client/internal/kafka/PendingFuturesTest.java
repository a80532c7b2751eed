package io.quotaenforcer.client.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.core.Decision;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** The future of a request that waits, as callers and its executor may use it. */
class PendingFuturesTest extends PendingKit {
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

  private static void awaitThenRun(CountDownLatch goOn, Runnable completion) {
    try {
      goOn.await();
      completion.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
