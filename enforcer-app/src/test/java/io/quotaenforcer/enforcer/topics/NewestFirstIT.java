package io.quotaenforcer.enforcer.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.enforcer.config.KafkaConnection;
import io.quotaenforcer.enforcer.topics.NewestFirst.Page;
import io.quotaenforcer.enforcer.topics.NewestFirst.Row;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A topic of some partitions that is read backwards, page by page. */
@Timeout(180)
class NewestFirstIT {
  private static final String TOPIC = "letters";
  private static final int PARTITIONS = 3;
  private static final int RECORDS = 120;

  private static EmbeddedBroker broker;
  private static Brokers brokers;

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.start();
    brokers =
        Brokers.connect(KafkaConnection.to(broker.bootstrapServers(), "test"), Brokers.TIMEOUT);
    brokers.get(
        "create",
        brokers.admin().createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1))).all());
    // Each in a transaction, whose marks take offsets of their own.
    try (RecordWriter writer = RecordWriter.inTransactions(brokers, "writer")) {
      for (int i = 0; i < RECORDS; i += 10) {
        writer.write(IntStream.range(i, i + 10).mapToObj(NewestFirstIT::record).toList());
      }
    }
  }

  @AfterAll
  static void stop() {
    brokers.close();
    broker.close();
  }

  /** Mostly in one partition, so that others end earlier. */
  private static ProducerRecord<byte[], byte[]> record(int number) {
    return new ProducerRecord<>(
        TOPIC,
        number % 10 == 0 ? 1 + number / 10 % 2 : 0,
        1_000L + number,
        null,
        Integer.toString(number).getBytes(StandardCharsets.UTF_8));
  }

  private static Page<Integer> page(int most, Optional<String> before) {
    return new NewestFirst(brokers, System::nanoTime)
        .read(
            TOPIC,
            record ->
                Optional.of(Integer.valueOf(new String(record.value(), StandardCharsets.UTF_8))),
            most,
            before);
  }

  @Test
  void pages_haveEveryRecordOnce_theNewestFirst() {
    List<Integer> seen = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Page<Integer> page = page(25, next);
      page.rows().stream().map(Row::value).forEach(seen::add);
      next = page.next();
    } while (next.isPresent());

    assertThat(seen).isEqualTo(IntStream.range(0, RECORDS).mapToObj(i -> RECORDS - 1 - i).toList());
  }

  @Test
  void oneLargePage_endsWithoutANextOne() {
    Page<Integer> all = page(10_000, Optional.empty());

    assertThat(all.rows()).hasSize(RECORDS);
    assertThat(all.next()).isEmpty();
    assertThat(page(1, Optional.empty()).rows().get(0).value()).isEqualTo(RECORDS - 1);
  }

  @Test
  void rowsThatAreNotTaken_arePassed() {
    List<String> found = new ArrayList<>();
    Optional<String> next = Optional.empty();
    do {
      Page<String> page =
          new NewestFirst(brokers, System::nanoTime)
              .read(
                  TOPIC,
                  record ->
                      Optional.of(new String(record.value(), StandardCharsets.UTF_8))
                          .filter("3"::equals),
                  5,
                  next);
      page.rows().stream().map(Row::value).forEach(found::add);
      next = page.next();
    } while (next.isPresent());

    assertThat(found).containsExactly("3");
  }

  @Test
  void placeThatIsNone_isRefused() {
    for (String place : List.of("", "x", "0-", "0-1,", "0-99999999999999999999", "-1-2")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> page(1, Optional.of(place)))
          .withMessageContaining("must be what a page before gave as next");
    }
  }

  @Test
  void topic_isThereOrNot_andIsNotCreatedByAsking() {
    assertThat(brokers.hasTopic(TOPIC)).isTrue();
    assertThat(brokers.hasTopic("none")).isFalse();
    assertThat(brokers.hasTopic("none")).isFalse();
  }
}
