package io.quotaenforcer.client.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HandOverTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  private final HandOver handOver = new HandOver("test");
  private final AtomicInteger completed = new AtomicInteger();
  private final AtomicInteger handedOver = new AtomicInteger();
  private final CountDownLatch goOn = new CountDownLatch(1);

  @AfterEach
  void close() {
    goOn.countDown();
    handOver.close();
  }

  private void complete(Executor executor) {
    handOver.complete(executor, completed::incrementAndGet, handedOver::incrementAndGet);
  }

  private void standStill(Runnable completion) {
    try {
      goOn.await();
      completion.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void atOnce_completesOnTheCallingThread() {
    AtomicReference<Thread> thread = new AtomicReference<>();
    handOver.complete(
        HandOver.AT_ONCE, () -> thread.set(Thread.currentThread()), handedOver::incrementAndGet);

    assertThat(thread).hasValue(Thread.currentThread());
    assertThat(handedOver).hasValue(1);
  }

  @Test
  void executorOfACaller_neverRunsOnTheCallingThread() {
    AtomicReference<Thread> thread = new AtomicReference<>();
    handOver.complete(
        Runnable::run, () -> thread.set(Thread.currentThread()), handedOver::incrementAndGet);

    await().atMost(SOON).until(() -> handedOver.get() == 1);
    assertThat(thread.get()).isNotSameAs(Thread.currentThread());
    assertThat(thread.get().getName()).startsWith("quota-waits-test-");
    assertThat(thread.get().isDaemon()).isTrue();
  }

  @Test
  void executor_thatRejectsOrThrows_isMadeUpForElsewhere() {
    complete(
        work -> {
          throw new RejectedExecutionException("full");
        });
    complete(
        work -> {
          throw new StackOverflowError();
        });

    await().atMost(SOON).until(() -> completed.get() == 2 && handedOver.get() == 2);
  }

  @Test
  void thread_thatCannotBeHad_isMadeUpForElsewhere() {
    try (HandOver without =
        new HandOver(
            work -> {
              throw new InternalError("unable to create native thread");
            })) {
      without.complete(Runnable::run, completed::incrementAndGet, handedOver::incrementAndGet);

      await().atMost(SOON).until(() -> completed.get() == 1 && handedOver.get() == 1);
    }
  }

  @Test
  void executors_thatStandStill_holdUpNoOther_asThreadsAreAdded() {
    for (int i = 0; i < 10; i++) {
      complete(this::standStill);
    }
    complete(Runnable::run);
    assertThat(handOver.isIdle()).isFalse();

    await()
        .atMost(SOON)
        .until(
            () -> {
              handOver.relieve();
              return completed.get() == 1;
            });
    assertThat(handedOver).hasValue(1);

    goOn.countDown();
    await().atMost(SOON).until(() -> completed.get() == 11 && handOver.isIdle());
  }

  @Test
  void relieve_whileWorkGetsDone_addsNoThread() {
    CountDownLatch begun = new CountDownLatch(1);
    complete(
        completion -> {
          begun.countDown();
          standStill(completion);
        });
    await().atMost(SOON).until(() -> begun.getCount() == 0);
    for (int i = 0; i < 100; i++) {
      handOver.relieve();
    }

    assertThat(handOver.isIdle()).as("nothing waits, so no thread was asked for").isTrue();
    goOn.countDown();
    await().atMost(SOON).until(() -> completed.get() == 1);
  }

  @Test
  void close_completesWhatComesAfterIt() {
    handOver.close();
    complete(Runnable::run);

    await().atMost(SOON).until(() -> completed.get() == 1 && handedOver.get() == 1);
  }
}
