package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(90)
class HandOverTest {
  private static final TopicPartition FIRST = new TopicPartition("usage", 0);
  private static final TopicPartition SECOND = new TopicPartition("usage", 1);
  private static final Duration NO_TIME = Duration.ofMillis(1);

  private final HandOver handOver = new HandOver("quota.usage");
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
    CountDownLatch begun = new CountDownLatch(1);
    Thread thread =
        new Thread(
            () -> {
              handOver.begin(FIRST, () -> ended.add(FIRST), 0);
              begun.countDown();
              while (!handOver.betweenRecords()) {
                Thread.onSpinWait();
              }
              handOver.forget(FIRST);
            });
    thread.start();
    begun.await();

    handOver.endAll(Duration.ofSeconds(20));

    assertThat(ended).containsExactly(FIRST);
    thread.join();
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
