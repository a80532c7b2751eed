package io.quotaenforcer.enforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RuleFollowerTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private static final TopicPartition RULES = new TopicPartition("quota.rules", 0);

  private final Wire wire = Wire.of("quota.", Codecs.withoutRegistry());
  private final Queue<MockConsumer<byte[], byte[]>> consumers = new ConcurrentLinkedQueue<>();
  private final List<Set<Rule>> posted = new CopyOnWriteArrayList<>();
  private final AtomicLong epochMillis = new AtomicLong(1_700_000_000_000L);
  private final RuleFollower follower =
      new RuleFollower(
          wire,
          consumers::remove,
          rules -> posted.add(Set.copyOf(rules.rules())),
          epochMillis::get);

  private MockConsumer<byte[], byte[]> nextConsumer(Rule... published) {
    MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    consumer.updateBeginningOffsets(Map.of(RULES, 0L));
    consumer.updateEndOffsets(Map.of(RULES, (long) published.length));
    for (int i = 0; i < published.length; i++) {
      // Each is polled alone.
      ConsumerRecord<byte[], byte[]> record = record(i, published[i]);
      consumer.schedulePollTask(() -> consumer.addRecord(record));
    }
    consumers.add(consumer);
    return consumer;
  }

  private ConsumerRecord<byte[], byte[]> record(long offset, Rule rule) {
    byte[] key = rule.id().toString().getBytes(StandardCharsets.UTF_8);
    return new ConsumerRecord<>("quota.rules", 0, offset, key, wire.encode(rule, 0));
  }

  private static Rule rule(String id, int version) {
    return Rule.of(new RuleId("posts", id), List.of("user"), new FixedWindow(10, 1_000_000_000L))
        .withVersion(version, 1);
  }

  private void fails(MockConsumer<byte[], byte[]> consumer) {
    consumer.schedulePollTask(
        () -> {
          throw new IllegalStateException("broken");
        });
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

  /** Brokers have forgotten the deletion: the topic holds neither the rule nor that it is gone. */
  @Test
  void ruleThatWasDeleted_whileBrokersCouldNotBeReached_isGone() throws Exception {
    nextConsumer(rule("a", 1), rule("b", 1));
    follower.start();
    assertThat(follower.awaitLoaded(TIMEOUT)).isTrue();

    nextConsumer(rule("b", 1));
    epochMillis.addAndGet(Duration.ofHours(25).toMillis());

    await().atMost(TIMEOUT).until(() -> posted.size() == 2);
    assertThat(posted).containsExactly(Set.of(rule("a", 1), rule("b", 1)), Set.of(rule("b", 1)));
  }

  @Test
  void topic_isNotReadAnew_whileBrokersSayThatThereIsNoMore() throws Exception {
    MockConsumer<byte[], byte[]> only = nextConsumer(rule("a", 1));
    follower.start();
    assertThat(follower.awaitLoaded(TIMEOUT)).isTrue();

    for (int minute = 0; minute < 2 * 60; minute++) {
      passesAMinute(only);
    }

    assertThat(only.closed()).isFalse();
  }

  /** At least one look comes after it. */
  private void passesAMinute(MockConsumer<byte[], byte[]> polled) throws InterruptedException {
    epochMillis.addAndGet(Duration.ofMinutes(1).toMillis());
    CountDownLatch looks = new CountDownLatch(2);
    polled.schedulePollTask(looks::countDown);
    polled.schedulePollTask(looks::countDown);
    assertThat(looks.await(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
  }

  /** The topic holds older versions, too, as long as it is not compacted. */
  @Test
  void topic_thatIsReadAnew_bringsNoOlderVersionBackIntoForce() throws Exception {
    MockConsumer<byte[], byte[]> first = nextConsumer(rule("a", 1), rule("a", 2), rule("b", 1));
    follower.start();
    assertThat(follower.awaitLoaded(TIMEOUT)).isTrue();

    nextConsumer(rule("a", 1), rule("a", 2), rule("b", 1), rule("c", 1));
    fails(first);

    await().atMost(TIMEOUT).until(() -> posted.size() == 2);
    assertThat(posted)
        .containsExactly(
            Set.of(rule("a", 2), rule("b", 1)), Set.of(rule("a", 2), rule("b", 1), rule("c", 1)));
  }
}
