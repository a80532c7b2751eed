package io.quotaenforcer.enforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RuleFollowerTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final Queue<MockConsumer<byte[], byte[]>> consumers = new ConcurrentLinkedQueue<>();
  private final RuleFollower follower =
      new RuleFollower(Wire.of("quota.", Codecs.withoutRegistry()), consumers::remove, rules -> {});

  private MockConsumer<byte[], byte[]> nextConsumer() {
    TopicPartition rules = new TopicPartition("quota.rules", 0);
    MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    consumer.updateBeginningOffsets(Map.of(rules, 0L));
    consumer.updateEndOffsets(Map.of(rules, 0L));
    consumers.add(consumer);
    return consumer;
  }

  @AfterEach
  void close() {
    follower.close();
  }

  @Test
  void anyFailure_isSurvivedAndNamedUntilItIsOver_eachTime() throws Exception {
    nextConsumer()
        .schedulePollTask(
            () -> {
              throw new StackOverflowError("first");
            });
    follower.start();
    await()
        .atMost(TIMEOUT)
        .untilAsserted(
            () ->
                assertThat(follower.trouble())
                    .hasValueSatisfying(why -> assertThat(why).contains("StackOverflowError")));

    MockConsumer<byte[], byte[]> works = nextConsumer();
    assertThat(follower.awaitLoaded(TIMEOUT)).isTrue();
    await().atMost(TIMEOUT).until(() -> follower.trouble().isEmpty());

    works.schedulePollTask(
        () -> {
          throw new IllegalStateException("second");
        });
    await()
        .atMost(TIMEOUT)
        .untilAsserted(
            () ->
                assertThat(follower.trouble())
                    .hasValueSatisfying(
                        why -> assertThat(why).contains("cannot follow the rules")));
    nextConsumer();
    await().atMost(TIMEOUT).until(() -> follower.trouble().isEmpty());
  }
}
