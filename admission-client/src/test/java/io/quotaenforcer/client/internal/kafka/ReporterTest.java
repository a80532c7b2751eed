package io.quotaenforcer.client.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.schemas.codec.CodecException;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReporterTest {
  private static final long NOW = 1_000_000_000L;
  private static final int PARTITIONS = 16;
  private static final RuleId RULE = new RuleId("posts", "per-user");
  private static final int USERS = 20;

  private final AllotmentBook book = new AllotmentBook(BookSettings.defaults(), 10, 0);
  private final List<Exception> failures = new ArrayList<>();
  private final List<String> told = new ArrayList<>();
  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicBoolean brokers = new AtomicBoolean(true);
  private final KafkaPresence presence =
      new KafkaPresence(List.of(new KafkaPresence.Address("kafka", 9092)), it -> brokers.get());
  private final MockProducer<byte[], byte[]> producer = Links.producer(true);
  private final ClientTelemetry telemetry =
      new ClientTelemetry() {
        @Override
        public void reported(int partition, int quotas, int bytes) {
          told.add(partition + ": " + quotas);
          assertThat(bytes).isPositive();
        }

        @Override
        public void failed(String what, Exception cause) {
          failures.add(cause);
        }
      };

  @BeforeEach
  void decideOnce() {
    book.applyPrefix(new PrefixInfo(PARTITIONS, QuotaKey.HASH_VERSION, 10), NOW);
    Rule rule =
        Rule.of(RULE, List.of("user"), new SlidingWindow(100, 1_000_000_000L)).withVersion(1, 1);
    book.applyRules(RuleSet.of(List.of(rule)), NOW);
    for (int user = 0; user < USERS; user++) {
      book.decide(Request.of("user", "u" + user), NOW);
    }
  }

  private Reporter reporter(Wire wire, Producer<byte[], byte[]> opens) {
    return new Reporter(
        Links.instance(() -> NOW, telemetry),
        Links.producing(
            wire,
            () -> {
              opened.incrementAndGet();
              return opens;
            },
            presence),
        book);
  }

  private Reporter reporter() {
    return reporter(Links.WIRE, producer);
  }

  private static int partition(int user) {
    return QuotaKey.of(RULE, List.of("u" + user)).partition(PARTITIONS);
  }

  private static Set<Integer> partitions() {
    return IntStream.range(0, USERS)
        .map(ReporterTest::partition)
        .boxed()
        .collect(Collectors.toSet());
  }

  @Test
  void reports_goToThePartitionOfTheirKeys_andSayWhoAsks() {
    reporter().reportDue();

    assertThat(producer.history())
        .extracting(ProducerRecord::partition)
        .containsExactlyInAnyOrderElementsOf(partitions());
    assertThat(producer.history()).extracting(ProducerRecord::topic).containsOnly("quota.usage");
    List<QuotaKey> reported = new ArrayList<>();
    for (ProducerRecord<byte[], byte[]> record : producer.history()) {
      UsageReport report = Links.WIRE.decodeReport(record.value());
      assertThat(report.instance()).isEqualTo("shop-1");
      assertThat(report.epoch()).isEqualTo(7);
      assertThat(report.sentNanos()).isEqualTo(NOW);
      assertThat(report.replyPartition()).isEqualTo(Links.IDENTITY.replyTo(PARTITIONS).partition());
      report.quotas().stream().map(QuotaUsage::quotaKey).forEach(reported::add);
      assertThat(report.quotas())
          .allMatch(it -> it.quotaKey().partition(PARTITIONS) == record.partition());
    }
    assertThat(reported).doesNotHaveDuplicates().hasSize(USERS);
    assertThat(told).hasSize(partitions().size());
  }

  @Test
  void nothingToReport_opensNoProducer() {
    Reporter reporter = reporter();
    reporter.reportDue();
    producer.clear();
    reporter.reportDue();

    assertThat(producer.history()).isEmpty();
    assertThat(opened).hasValue(1);
  }

  @Test
  void registryAway_eachReportFailsByItself() {
    Reporter reporter =
        reporter(Wire.of("quota.", Codecs.with(new Links.LateRegistry())), producer);

    reporter.reportDue();
    reporter.close(Duration.ZERO);

    assertThat(partitions()).hasSizeGreaterThan(1);
    assertThat(failures).hasSize(partitions().size()).hasOnlyElementsOfType(CodecException.class);
  }

  @Test
  void send_thatEndsInAnError_keepsNoOtherFromBeingSent() {
    List<Integer> tried = new ArrayList<>();
    MockProducer<byte[], byte[]> unlinked =
        new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()) {
          @Override
          public synchronized Future<RecordMetadata> send(
              ProducerRecord<byte[], byte[]> record, Callback callback) {
            tried.add(record.partition());
            throw new NoClassDefFoundError("of another version");
          }
        };
    reporter(Links.WIRE, unlinked).reportDue();

    assertThat(tried).containsExactlyInAnyOrderElementsOf(partitions());
    assertThat(failures).hasSize(partitions().size());
  }

  @Test
  void send_thatTakesAsLongAsItMay_keepsTheRestFromTakingAsLong() {
    reporter(Links.WIRE, Links.refusing(new TimeoutException("metadata"))).reportDue();

    assertThat(failures).hasSize(1).hasOnlyElementsOfType(TimeoutException.class);
    assertThat(told).isEmpty();
  }

  @Test
  void send_thatFailsAtOnce_keepsNoOtherFromBeingSent() {
    producer.sendException = new KafkaException("cannot be serialized");
    reporter().reportDue();

    assertThat(failures).hasSize(partitions().size());
  }

  @Test
  void send_thatIsRefusedAtOnce_keepsNoOtherFromBeingSent() {
    reporter(Links.WIRE, Links.refusing(new RecordTooLargeException("2 MiB"))).reportDue();

    assertThat(failures)
        .hasSize(partitions().size())
        .hasOnlyElementsOfType(RecordTooLargeException.class);
    assertThat(told).isEmpty();
  }

  @Test
  void send_thatFailsLater_isTold() {
    MockProducer<byte[], byte[]> slow = Links.producer(false);
    reporter(Links.WIRE, slow).reportDue();
    assertThat(failures).isEmpty();

    slow.errorNext(new TimeoutException("10 s"));
    slow.completeNext();

    assertThat(failures).hasSize(1);
  }

  @Test
  void kafka_away_closesTheProducerAndSendsNothing_untilItIsBack() {
    Reporter reporter = reporter();
    reporter.open();
    assertThat(opened).hasValue(1);
    brokers.set(false);
    presence.look();

    reporter.reportDue();

    assertThat(producer.closed()).isTrue();
    assertThat(producer.history()).isEmpty();
    assertThat(failures).as("it is said elsewhere, and once").isEmpty();
  }

  @Test
  void open_kafkaAway_opensNoProducer() {
    brokers.set(false);

    reporter().open();

    assertThat(opened).hasValue(0);
  }

  @Test
  void producer_thatCannotBeOpened_isNotTriedAgainAtOnce() {
    AtomicInteger tries = new AtomicInteger();
    Reporter reporter =
        new Reporter(
            Links.instance(() -> NOW, telemetry),
            Links.producing(
                Links.WIRE,
                () -> {
                  tries.incrementAndGet();
                  throw new KafkaException("no resolvable bootstrap urls");
                }),
            book);

    reporter.open();
    reporter.reportDue();
    reporter.reportClosing();

    assertThat(tries).hasValue(1);
    assertThat(failures).hasSize(1);
  }

  @Test
  void closing_reportsEveryKeyAgain_untilItIsSettled() {
    Reporter reporter = reporter();
    reporter.reportClosing();
    int first = producer.history().size();
    reporter.reportClosing();

    assertThat(first).isEqualTo(partitions().size());
    assertThat(producer.history()).as("nobody has answered").hasSize(2 * first);
    reporter.close(Duration.ofSeconds(1));
    assertThat(producer.closed()).isTrue();
  }
}
