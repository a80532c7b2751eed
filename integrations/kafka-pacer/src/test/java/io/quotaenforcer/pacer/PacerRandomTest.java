package io.quotaenforcer.pacer;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.spi.ManualClock;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two members of a group in an order drawn from a seed: polls, commits, time, and rebalances at any
 * step, also inside of a poll. Within an ownership each offset is handed out once and in order; in
 * the end all were handed out and committed, and no record was handed out without its permit, nor a
 * permit taken without a record.
 */
class PacerRandomTest {
  private static final int PARTITIONS = 5;
  private static final int RECORDS = 60;
  private static final int STEPS = 400;

  private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
  private final TestTopic topic = new TestTopic(PARTITIONS);
  private final CountedAdmission admission =
      new CountedAdmission(
          AdmissionClient.standalone(
              List.of(
                  Rule.of(
                      RuleId.parse("orders/per-user"),
                      List.of("user"),
                      new FixedWindow(4, Duration.ofSeconds(1).toNanos()))),
              clock.clocks()));
  private long handedOut;

  /** One member, and what it expects next of each partition that it has. */
  private final class Member implements ConsumerRebalanceListener {
    final MockConsumer<String, String> consumer = topic.consumer();
    final Map<TopicPartition, Long> next = new HashMap<>();
    final boolean commitsWhenRevoked;
    final Pacer<String, String> pacer;

    Member(Random random) {
      commitsWhenRevoked = random.nextBoolean();
      consumer.setMaxPollRecords(1 + random.nextInt(40));
      pacer =
          new Pacer<>(
              consumer,
              admission,
              record -> Optional.of(Request.of("user", record.key())),
              PacerOptions.<String, String>defaults().withMaxRecords(1 + random.nextInt(20)),
              clock.clocks().monotonicNanos());
      pacer.subscribe(List.of(TestTopic.NAME), this);
    }

    void poll() {
      for (ConsumerRecord<String, String> record : pacer.poll(Duration.ZERO)) {
        TopicPartition partition = new TopicPartition(record.topic(), record.partition());
        assertThat(next).as("owned").containsKey(partition);
        assertThat(record.offset()).as("%s", partition).isEqualTo(next.get(partition));
        next.put(partition, record.offset() + 1);
        handedOut++;
      }
      // The mock still names partitions that were taken away.
      assertThat(consumer.paused()).containsAll(pacer.paused());
    }

    void commit() {
      pacer
          .offsetsToCommit()
          .forEach((partition, at) -> assertThat(at.offset()).isEqualTo(next.get(partition)));
      pacer.commitSync();
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      if (commitsWhenRevoked) {
        commit();
      }
      partitions.forEach(next::remove);
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      partitions.forEach(partition -> next.put(partition, topic.committed(partition)));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void records_rebalancedAtAnyStep_areNeitherLostNorReordered(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < RECORDS * PARTITIONS; i++) {
      topic.add(random.nextInt(PARTITIONS), "user-" + random.nextInt(6));
    }
    List<Member> members = List.of(new Member(random), new Member(random));
    rebalance(members, random);
    for (int i = 0; i < STEPS; i++) {
      Member member = members.get(random.nextInt(members.size()));
      switch (random.nextInt(8)) {
        case 0 -> rebalance(members, random);
        case 1 -> {
          // As a real consumer does it: while it polls.
          member.consumer.schedulePollTask(() -> rebalance(members, random));
          member.poll();
        }
        case 2 -> member.commit();
        case 3 -> clock.advance(Duration.ofMillis(random.nextInt(1_500)));
        default -> member.poll();
      }
    }
    for (int i = 0; i < 2_000 && !isDone(); i++) {
      clock.advance(Duration.ofMillis(250));
      members.forEach(Member::poll);
      members.forEach(Member::commit);
    }

    assertThat(isDone()).as("all was handed out and committed").isTrue();
    assertThat(admission.admitted()).isEqualTo(handedOut);
    assertThat(handedOut).isGreaterThanOrEqualTo((long) RECORDS * PARTITIONS);
  }

  private boolean isDone() {
    return topic.partitions().stream()
        .allMatch(partition -> topic.committed(partition) == topic.end(partition));
  }

  /** Revokes first, and assigns then, as a group does. */
  private void rebalance(List<Member> members, Random random) {
    List<List<TopicPartition>> to = List.of(new ArrayList<>(), new ArrayList<>());
    topic.partitions().forEach(partition -> to.get(random.nextInt(2)).add(partition));
    for (int i = 0; i < 2; i++) {
      List<TopicPartition> kept = new ArrayList<>(members.get(i).consumer.assignment());
      kept.retainAll(to.get(i));
      topic.assign(members.get(i).consumer, kept);
    }
    for (int i = 0; i < 2; i++) {
      topic.assign(members.get(i).consumer, to.get(i));
    }
  }
}
