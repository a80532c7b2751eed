package io.quotaenforcer.pacer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.spi.ManualClock;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PacerTest {
  private static final TopicPartition FIRST = TestTopic.partition(0);
  private static final TopicPartition SECOND = TestTopic.partition(1);

  @RegisterExtension final CapturedLog log = new CapturedLog(Decider.class);

  private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:05Z"));
  private final TestTopic topic = new TestTopic(2);
  private final MockConsumer<String, String> consumer = topic.consumer();

  /** Three a minute for each user. */
  private final CountedAdmission admission =
      new CountedAdmission(
          AdmissionClient.standalone(
              List.of(
                  Rule.of(
                      RuleId.parse("orders/per-user"),
                      List.of("user"),
                      new FixedWindow(3, Duration.ofMinutes(1).toNanos()))),
              clock.clocks()));

  private Pacer<String, String> pacer(PacerOptions<String, String> options) {
    return pacer(record -> Optional.of(Request.of("user", record.key())), options);
  }

  private Pacer<String, String> pacer(
      RecordRequests<String, String> requests, PacerOptions<String, String> options) {
    Pacer<String, String> pacer =
        new Pacer<>(consumer, admission, requests, options, clock.clocks().monotonicNanos());
    pacer.subscribe(List.of(TestTopic.NAME));
    return pacer;
  }

  private Pacer<String, String> pacer() {
    return pacer(PacerOptions.defaults());
  }

  private void add(int partition, String user, int records) {
    for (int i = 0; i < records; i++) {
      topic.add(partition, user);
    }
  }

  /** {@code partition:offset} of each. */
  private static List<String> polled(Pacer<String, String> pacer) {
    ConsumerRecords<String, String> records = pacer.poll(Duration.ZERO);
    return StreamSupport.stream(records.spliterator(), false)
        .map(record -> record.partition() + ":" + record.offset())
        .toList();
  }

  @Test
  void partition_firstRecordThrottled_isPausedUntilItMayBeAdmitted() {
    add(0, "ann", 5);
    add(1, "ben", 2);
    Pacer<String, String> pacer = pacer();
    topic.assign(consumer, topic.partitions());

    assertThat(polled(pacer)).containsExactlyInAnyOrder("0:0", "0:1", "0:2", "1:0", "1:1");
    assertThat(pacer.paused()).containsExactly(FIRST);
    assertThat(consumer.paused()).containsExactly(FIRST);
    assertThat(pacer.waiting()).isEqualTo(2);

    clock.advance(Duration.ofSeconds(9));
    assertThat(polled(pacer)).isEmpty();
    // The longest pause, after which rules may have changed.
    clock.advance(Duration.ofSeconds(2));
    assertThat(polled(pacer)).isEmpty();
    clock.advance(Duration.ofSeconds(44));
    assertThat(polled(pacer)).containsExactly("0:3", "0:4");
    assertThat(consumer.paused()).isEmpty();
    assertThat(admission.admitted()).isEqualTo(7);
  }

  @Test
  void record_throttled_isNotAskedForAgainBeforeItsTime() {
    add(0, "ann", 5);
    Pacer<String, String> pacer = pacer();
    topic.assign(consumer, List.of(FIRST));
    polled(pacer);
    long asked = admission.asked();

    for (int i = 0; i < 100; i++) {
      assertThat(polled(pacer)).isEmpty();
    }

    assertThat(admission.asked()).isEqualTo(asked);
  }

  @Test
  void poll_waitsToTheNextRecord_andGoesOnPolling() {
    add(0, "ann", 5);
    Pacer<String, String> pacer = pacer();
    topic.assign(consumer, List.of(FIRST));
    polled(pacer);
    List<Duration> waits = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      consumer.schedulePollTask(
          () -> {
            waits.add(consumer.lastPollTimeout());
            clock.advance(consumer.lastPollTimeout());
          });
    }

    assertThat(pacer.poll(Duration.ofMinutes(2)).count()).isEqualTo(2);

    Duration longest = Duration.ofSeconds(10);
    assertThat(waits)
        .containsExactly(longest, longest, longest, longest, longest, Duration.ofSeconds(5));
  }

  @Test
  void record_behindAThrottledOne_waitsForIt() {
    add(0, "ann", 4);
    add(0, "ben", 1);
    Pacer<String, String> pacer = pacer();
    topic.assign(consumer, List.of(FIRST));

    assertThat(polled(pacer)).containsExactly("0:0", "0:1", "0:2");
    clock.advance(Duration.ofSeconds(54));
    assertThat(polled(pacer)).isEmpty();
    clock.advance(Duration.ofSeconds(1));
    assertThat(polled(pacer)).containsExactly("0:3", "0:4");
  }

  @Test
  void commit_coversWhatWasHandedOutOnly() {
    add(0, "ann", 5);
    Pacer<String, String> pacer = pacer();
    topic.assign(consumer, List.of(FIRST));
    pacer.commitSync();
    assertThat(pacer.offsetsToCommit()).isEmpty();

    ConsumerRecords<String, String> records = pacer.poll(Duration.ZERO);
    pacer.commitSync();

    assertThat(topic.committed(FIRST)).isEqualTo(3);
    assertThat(records.nextOffsets().get(FIRST).offset()).isEqualTo(3);
    assertThat(consumer.position(FIRST)).as("what was fetched").isEqualTo(5);
  }

  @Test
  void poll_handsOutNoMoreThanItsMost_eachPartitionInTurn() {
    for (int i = 0; i < 4; i++) {
      topic.add(0, "a" + i);
      topic.add(1, "b" + i);
    }
    Pacer<String, String> pacer = pacer(PacerOptions.<String, String>defaults().withMaxRecords(3));
    topic.assign(consumer, topic.partitions());

    List<List<String>> polls = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      polls.add(polled(pacer));
    }

    assertThat(polls.get(0)).hasSize(3);
    assertThat(polls.get(1))
        .hasSize(3)
        .anyMatch(it -> !it.startsWith(polls.get(0).get(0).substring(0, 1)));
    assertThat(polls.get(2)).hasSize(2);
    assertThat(admission.admitted()).isEqualTo(8);
  }

  @Test
  void record_thatNoRuleMatches_isHandedOut() {
    add(0, "ann", 9);
    Pacer<String, String> pacer =
        pacer(record -> Optional.of(Request.of("other", "x")), PacerOptions.defaults());
    topic.assign(consumer, List.of(FIRST));
    assertThat(polled(pacer)).hasSize(9);
  }

  @Test
  void record_withoutRequest_isHandedOut() {
    add(0, "ann", 9);
    Pacer<String, String> pacer = pacer(record -> Optional.empty(), PacerOptions.defaults());
    topic.assign(consumer, List.of(FIRST));
    assertThat(polled(pacer)).hasSize(9);
    assertThat(admission.asked()).isZero();
  }

  @Test
  void record_neverAdmitted_isHandedOutByDefault() {
    add(0, "ann", 2);
    Pacer<String, String> pacer = pacer(costing(4), PacerOptions.defaults());
    topic.assign(consumer, List.of(FIRST));
    assertThat(polled(pacer)).containsExactly("0:0", "0:1");
    assertThat(admission.admitted()).isZero();
  }

  @Test
  void record_neverAdmitted_isGivenToTheHandlerInItsTurn() {
    add(0, "ann", 2);
    List<Long> handled = new ArrayList<>();
    Pacer<String, String> pacer =
        pacer(
            record -> Optional.of(Request.of("user", "ann").withCost(record.offset() == 0 ? 4 : 1)),
            PacerOptions.<String, String>defaults()
                .withNeverAdmitted(
                    (record, decision) -> {
                      assertThat(decision.neverAdmitted()).isTrue();
                      handled.add(record.offset());
                      return false;
                    }));
    topic.assign(consumer, List.of(FIRST));

    assertThat(polled(pacer)).containsExactly("0:1");
    assertThat(handled).containsExactly(0L);
    pacer.commitSync();
    assertThat(topic.committed(FIRST)).isEqualTo(2);
  }

  @Test
  void handler_thatThrows_isGivenTheRecordAgain() {
    add(0, "ann", 1);
    List<Long> handled = new ArrayList<>();
    Pacer<String, String> pacer =
        pacer(
            costing(4),
            PacerOptions.<String, String>defaults()
                .withNeverAdmitted(
                    (record, decision) -> {
                      handled.add(record.offset());
                      if (handled.size() < 3) {
                        throw new IllegalStateException("not now");
                      }
                      return true;
                    }));
    topic.assign(consumer, List.of(FIRST));

    assertThat(polled(pacer)).isEmpty();
    clock.advance(Duration.ofMillis(100));
    assertThat(polled(pacer)).isEmpty();
    clock.advance(Duration.ofMillis(100));
    assertThat(polled(pacer)).containsExactly("0:0");
    assertThat(log.said()).hasSize(1);
  }

  private static RecordRequests<String, String> costing(long cost) {
    return record -> Optional.of(Request.of("user", record.key()).withCost(cost));
  }

  @Test
  void admission_fails_recordsAreHandedOutAndOneLineIsLogged() {
    add(0, "ann", 50);
    admission.broken = true;
    Pacer<String, String> pacer = pacer();
    topic.assign(consumer, List.of(FIRST));

    assertThat(polled(pacer)).hasSize(50);
    assertThat(log.said())
        .singleElement()
        .asString()
        .contains("a record cannot be decided, and is handed out: orders-0 offset 0");
  }

  @Test
  void admission_fails_recordsWaitWhereThatIsWanted() {
    add(0, "ann", 2);
    admission.broken = true;
    Pacer<String, String> pacer =
        pacer(PacerOptions.<String, String>defaults().withOnFailure(OnFailure.HOLD));
    topic.assign(consumer, List.of(FIRST));

    assertThat(polled(pacer)).isEmpty();
    admission.broken = false;
    assertThat(polled(pacer)).isEmpty();
    clock.advance(Duration.ofMillis(100));
    assertThat(polled(pacer)).hasSize(2);
  }

  @Test
  void partition_revoked_isForgottenAndReadByTheNextOwner() {
    add(0, "ann", 5);
    Pacer<String, String> pacer = pacer();
    topic.assign(consumer, List.of(FIRST));
    polled(pacer);
    pacer.commitSync();

    topic.assign(consumer, List.of(SECOND));
    assertThat(pacer.waiting()).isZero();
    assertThat(pacer.paused()).isEmpty();
    assertThat(pacer.offsetsToCommit()).isEmpty();
    clock.advance(Duration.ofMinutes(1));
    assertThat(polled(pacer)).isEmpty();
    assertThat(admission.admitted()).as("nothing for records that were dropped").isEqualTo(3);

    topic.assign(consumer, List.of(FIRST));
    assertThat(polled(pacer)).containsExactly("0:3", "0:4");
  }

  @Test
  void seek_forgetsWhatWaits() {
    add(0, "ann", 5);
    Pacer<String, String> pacer = pacer();
    topic.assign(consumer, List.of(FIRST));
    polled(pacer);

    pacer.seek(FIRST, 1);

    assertThat(pacer.waiting()).isZero();
    assertThat(consumer.paused()).isEmpty();
    assertThat(consumer.position(FIRST)).isEqualTo(1);
  }

  @Test
  void wakeup_losesNothing() {
    add(0, "ann", 2);
    Pacer<String, String> pacer = pacer();
    topic.assign(consumer, List.of(FIRST));
    pacer.wakeup();

    assertThatThrownBy(() -> pacer.poll(Duration.ZERO)).isInstanceOf(WakeupException.class);
    assertThat(admission.admitted()).isZero();
    assertThat(polled(pacer)).hasSize(2);
  }

  @Test
  void automaticCommits_areRefused() {
    Map<String, Object> properties = new HashMap<>(Map.of("bootstrap.servers", "127.0.0.1:1"));
    for (String value : new String[] {null, "true"}) {
      if (value != null) {
        properties.put("enable.auto.commit", value);
      }
      assertThatThrownBy(
              () -> Pacer.<String, String>create(properties, admission, r -> Optional.empty()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("must be false")
          .hasMessageContaining("enable.auto.commit=true");
    }
  }

  @Test
  void options_outOfRange_areNamed() {
    PacerOptions<String, String> options = PacerOptions.defaults();
    assertThatThrownBy(() -> options.withMaxRecords(0)).hasMessage("must be >= 1: maxRecords=0");
    assertThatThrownBy(() -> options.withBackoff(Duration.ZERO))
        .hasMessage("must be > 0: backoff=PT0S");
    assertThatThrownBy(() -> options.withLongestPause(Duration.ofMillis(1)))
        .hasMessage("must be >= the backoff of PT0.1S: longestPause=PT0.001S");
  }
}
