package io.quotaenforcer.client.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.allotment.PartitionReport;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.schemas.rules.RuleFeed;
import io.quotaenforcer.schemas.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BackgroundLoopsTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final TopicPartition RULES = new TopicPartition("quota.rules", 0);
  private static final TopicPartition EXHAUSTED = new TopicPartition("quota.exhausted", 0);
  private static final TopicPartition MINE =
      new TopicPartition("quota.snapshots", Links.IDENTITY.replyTo(4).partition());
  private static final List<PartitionReport> REPORT =
      List.of(
          new PartitionReport(
              2, 0, List.of(new QuotaUsage(QuotaKey.parse("posts/a/1"), 1, 0, 0, List.of()))));

  private final RecordedBook book = new RecordedBook();
  private final MockProducer<byte[], byte[]> producer = Links.producer(true);
  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
  private final AtomicInteger ticks = new AtomicInteger();
  private volatile Runnable onTick = () -> {};
  private final BackgroundLoops loops =
      new BackgroundLoops(
          Links.instance(System::nanoTime, ClientTelemetry.NONE),
          new KafkaLink(
              Links.WIRE, () -> producer, () -> consumer, Duration.ofMillis(500), Links.PRESENT),
          book,
          new RuleFeed("posts"::equals),
          new EnforcerListener() {
            @Override
            public void tick() {
              ticks.incrementAndGet();
              onTick.run();
            }
          });

  BackgroundLoopsTest() {
    consumer.updateBeginningOffsets(Map.of(RULES, 0L, EXHAUSTED, 0L, MINE, 0L));
    consumer.updateEndOffsets(Map.of(RULES, 2L, EXHAUSTED, 0L, MINE, 0L));
    Rule rule =
        Rule.of(new RuleId("posts", "a"), List.of("user"), new FixedWindow(10, 1_000_000_000L))
            .withVersion(1, 1);
    read(0, "posts/a", Links.WIRE.encode(rule, 1));
    PrefixInfo prefix = new PrefixInfo(4, QuotaKey.HASH_VERSION, 40);
    read(1, Topics.PREFIX_KEY, Links.WIRE.encode(prefix, 1));
  }

  private void read(long offset, String key, byte[] value) {
    consumer.schedulePollTask(
        () ->
            consumer.addRecord(
                new ConsumerRecord<>(
                    "quota.rules", 0, offset, key.getBytes(StandardCharsets.UTF_8), value)));
  }

  @AfterEach
  void close() {
    loops.close(Duration.ZERO);
  }

  private void awaitReports(int number) {
    await().atMost(SOON).until(() -> producer.history().size() >= number);
  }

  @Test
  void awaitRules_returnsOnceTheyAreInForce_orTheTimeIsUp() throws InterruptedException {
    assertThat(loops.awaitRules(Duration.ofMillis(1))).isFalse();
    assertThat(loops.rulesMissing()).contains("the rules are being read");
    loops.start();

    assertThat(loops.awaitRules(SOON)).isTrue();
    assertThat(loops.rulesMissing()).isEmpty();
    assertThat(loops.unreadable()).isEmpty();
    assertThat(loops.isInTouch()).isTrue();
  }

  @Test
  void reports_leaveAsTheyBecomeDue_alsoAfterARest() {
    loops.start();
    for (int i = 1; i <= 3; i++) {
      await().during(Duration.ofMillis(30)).until(book::isQuiet);
      book.reportsNext(REPORT);
      awaitReports(i);
    }

    assertThat(producer.history()).hasSize(3).extracting(ProducerRecord::partition).containsOnly(2);
  }

  @Test
  void tick_thatFails_stopsNoReport() {
    onTick =
        () -> {
          throw new IllegalStateException("a defect");
        };
    loops.start();
    await().atMost(SOON).until(() -> ticks.get() > 0);

    book.reportsNext(REPORT);

    awaitReports(1);
  }

  @Test
  void tick_thatEndsInAnError_stopsNoReport() {
    onTick =
        () -> {
          throw new NoSuchMethodError("of another version");
        };
    loops.start();
    await().atMost(SOON).until(() -> ticks.get() > 1);

    book.reportsNext(REPORT);

    awaitReports(1);
  }

  @Test
  void close_saysWhatIsGivenBack_againUntilItIsBooked() {
    loops.start();
    book.reportsLast(REPORT);
    Thread closing = new Thread(() -> loops.close(SOON));
    closing.start();
    awaitReports(2);

    book.settles();

    await().atMost(SOON).until(() -> !closing.isAlive());
    assertThat(producer.closed()).isTrue();
    assertThat(consumer.closed()).isTrue();
  }

  @Test
  void close_nobodyAnswers_endsWithItsTime() {
    loops.start();
    book.reportsLast(REPORT);
    await().atMost(SOON).until(() -> ticks.get() > 0);
    long begun = System.nanoTime();

    loops.close(Duration.ofMillis(300));

    // A wait in whole milliseconds may end a little early.
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isBetween(Duration.ofMillis(250), SOON);
    assertThat(book.closings()).as("asked at the end, too").isGreaterThanOrEqualTo(2);
  }
}
