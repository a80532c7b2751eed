package io.quotaenforcer.enforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RuleFollowerTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final TopicPartition RULES = new TopicPartition("quota.rules", 0);
  private static final Rule RULE =
      Rule.of(new RuleId("shop", "rule"), List.of(), new FixedWindow(10, 1_000_000_000L));

  private final Queue<MockConsumer<byte[], byte[]>> consumers = new ConcurrentLinkedQueue<>();
  private final BlockingQueue<RuleSet> inForce = new LinkedBlockingQueue<>();
  private final Wire wire = Wire.of("quota.", Codecs.withoutRegistry());
  private final RuleFollower follower = new RuleFollower(wire, consumers::remove, inForce::add);

  private MockConsumer<byte[], byte[]> nextConsumer() {
    MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    consumer.updateBeginningOffsets(Map.of(RULES, 0L));
    consumer.updateEndOffsets(Map.of(RULES, 0L));
    consumers.add(consumer);
    return consumer;
  }

  /** A consumer of two versions of a rule, one of which comes with each poll. */
  private MockConsumer<byte[], byte[]> consumerOfTwoVersions() {
    MockConsumer<byte[], byte[]> consumer = nextConsumer();
    consumer.updateEndOffsets(Map.of(RULES, 2L));
    brings(consumer, 1);
    brings(consumer, 2);
    return consumer;
  }

  private void brings(MockConsumer<byte[], byte[]> consumer, long version) {
    consumer.schedulePollTask(
        () ->
            consumer.addRecord(
                new ConsumerRecord<>(
                    RULES.topic(),
                    0,
                    version - 1,
                    RULE.id().toString().getBytes(StandardCharsets.UTF_8),
                    wire.encode(RULE.withVersion(version, 1), 0))));
  }

  /** The version of the rule that came into force next. */
  private long nextInForce() throws InterruptedException {
    RuleSet next = inForce.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    assertThat(next).isNotNull();
    return next.rules().iterator().next().version();
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

  @Test
  void failureOfTheConsumer_bringsNoRulesOfThePastIntoForceAgain() throws Exception {
    consumerOfTwoVersions()
        .schedulePollTask(
            () -> {
              throw new IllegalStateException("fails once all is read");
            });
    MockConsumer<byte[], byte[]> second = consumerOfTwoVersions();
    second.schedulePollTask(() -> second.updateEndOffsets(Map.of(RULES, 3L)));
    brings(second, 3);
    follower.start();

    assertThat(nextInForce()).isEqualTo(2);
    assertThat(nextInForce()).as("read anew, to the end").isEqualTo(2);
    assertThat(nextInForce()).isEqualTo(3);
  }
}
