package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(90)
class HandOverTest {
  private static final TopicPartition FIRST = new TopicPartition("usage", 0);
  private static final TopicPartition SECOND = new TopicPartition("usage", 1);
  private static final Duration NO_TIME = Duration.ofMillis(1);

  private final AtomicLong nanos = new AtomicLong(-7);
  private final HandOver handOver = new HandOver("quota.usage", nanos::get);
  private final List<TopicPartition> ended = new ArrayList<>();

  @Test
  void revokedPartitions_endTheirTurnsOnly() {
    handOver.begin(FIRST, () -> ended.add(FIRST), 0);
    handOver.begin(SECOND, () -> ended.add(SECOND), 0);

    handOver.revoking(List.of(SECOND, new TopicPartition("request-events", 0)));

    assertThat(ended).containsExactly(SECOND);
    assertThat(handOver.betweenRecords()).isFalse();
  }

  @Test
  void betweenRecords_nobodyIsToStop_endsNothing() {
    handOver.begin(FIRST, () -> ended.add(FIRST), 0);

    assertThat(handOver.betweenRecords()).isFalse();
    assertThat(ended).isEmpty();
  }

  @Test
  void endAll_aTurnThatCannotEnd_isGivenUpAfterTheTime() {
    AtomicBoolean hasNews = new AtomicBoolean();
    CountDownLatch asked = new CountDownLatch(1);
    handOver.begin(
        FIRST,
        () -> {
          asked.countDown();
          return hasNews.get();
        },
        0);
    assertThat(handOver.betweenRecords()).isFalse();

    handOver.endAll(NO_TIME);

    assertThat(handOver.betweenRecords()).as("leaves all the same").isTrue();
    assertThat(asked.getCount()).isZero();
  }

  @Test
  void endAll_waitsUntilEveryThreadHasLeft() throws InterruptedException {
    Thread thread = threadWithTurn(FIRST, () -> ended.add(FIRST));

    handOver.endAll(Duration.ofSeconds(20));

    assertThat(ended).containsExactly(FIRST);
    thread.join();
  }

  @Test
  void threads_leaveTogether_whenTheTurnsOfAllHaveEnded() throws InterruptedException {
    AtomicBoolean hasNews = new AtomicBoolean();
    Thread other = threadWithTurn(SECOND, hasNews::get);
    Thread ending = endingWithTurnAtFirst();
    assertThat(handOver.betweenRecords()).as("the other's turn has not ended").isFalse();

    hasNews.set(true);
    other.join();
    assertThat(handOver.betweenRecords()).isTrue();
    handOver.forget(FIRST);
    ending.join();
  }

  @Test
  void threads_leaveTogether_50MillisAfterTheFirst_whateverHasNotEnded()
      throws InterruptedException {
    Thread other = threadWithTurn(SECOND, () -> false);
    Thread ending = endingWithTurnAtFirst();
    nanos.addAndGet(49_999_999);
    assertThat(handOver.betweenRecords()).isFalse();

    nanos.incrementAndGet();
    assertThat(handOver.betweenRecords()).isTrue();
    other.join();
    handOver.forget(FIRST);
    ending.join();
  }

  @Test
  void threadWithoutTurns_leavesWithTheOthers() throws InterruptedException {
    AtomicBoolean hasNews = new AtomicBoolean();
    Thread other = threadWithTurn(SECOND, hasNews::get);
    Thread ending = new Thread(() -> handOver.endAll(Duration.ofSeconds(20)));
    ending.start();
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(handOver.betweenRecords()).isFalse();

    hasNews.set(true);
    other.join();
    assertThat(handOver.betweenRecords()).isTrue();
    ending.join();
  }

  /** A thread that has a turn until it must give its partition away. */
  private Thread threadWithTurn(TopicPartition partition, HandOver.Turn turn)
      throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    Thread thread =
        new Thread(
            () -> {
              handOver.begin(partition, turn, 0);
              begun.countDown();
              while (!handOver.betweenRecords()) {
                Thread.onSpinWait();
              }
              handOver.forget(partition);
            });
    thread.start();
    begun.await();
    return thread;
  }

  /** Returns when this thread's only turn has ended. */
  private Thread endingWithTurnAtFirst() {
    handOver.begin(FIRST, () -> ended.add(FIRST), 0);
    Thread ending = new Thread(() -> handOver.endAll(Duration.ofSeconds(20)));
    ending.start();
    while (ended.isEmpty()) {
      assertThat(handOver.betweenRecords()).isFalse();
    }
    return ending;
  }

  @Test
  void endAll_withoutTurns_returnsAtOnce() {
    handOver.begin(FIRST, () -> ended.add(FIRST), 0);
    handOver.forget(FIRST);

    handOver.endAll(Duration.ofDays(1));

    assertThat(handOver.betweenRecords()).isTrue();
    assertThat(ended).isEmpty();
  }
}
