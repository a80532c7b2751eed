package io.quotaenforcer.client.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.client.internal.kafka.EventSender.PendingEvent;
import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.message.RequestEvent;
import io.quotaenforcer.core.message.RequestEvent.CountedBy;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EventSenderTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final long MICROS = 1_700_000_000_000_000L;

  private final BlockingQueue<PendingEvent> queue = new ArrayBlockingQueue<>(1_000);
  private final List<EventSender> senders = new ArrayList<>();
  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicBoolean brokers = new AtomicBoolean(true);
  private final KafkaPresence presence =
      new KafkaPresence(List.of(new KafkaPresence.Address("kafka", 9092)), it -> brokers.get());
  private final Links.LateRegistry registry = new Links.LateRegistry();
  private final MockProducer<byte[], byte[]> producer = Links.producer(true);
  private final AtomicBoolean known = new AtomicBoolean(true);
  private UnaryOperator<Request> leaving = UnaryOperator.identity();

  @AfterEach
  void close() {
    senders.forEach(each -> each.close(Duration.ZERO));
  }

  private EventSender sender(Wire wire, List<? extends Producer<byte[], byte[]>> producers) {
    Deque<Producer<byte[], byte[]>> rest = new ArrayDeque<>(producers);
    EventSender sender =
        new EventSender(
            queue,
            "web",
            new EventSender.Boundary(known::get, leaving),
            wire,
            () -> {
              opened.incrementAndGet();
              return rest.remove();
            },
            presence);
    senders.add(sender);
    sender.start();
    return sender;
  }

  private static List<MockProducer<byte[], byte[]>> producers(int count) {
    return Stream.generate(() -> Links.producer(true)).limit(count).toList();
  }

  private EventSender sender() {
    return sender(Links.WIRE, List.of(producer));
  }

  private static PendingEvent event(int number) {
    return new PendingEvent(
        new Request(Map.of("user", "u" + number), number + 1),
        MICROS + number,
        number % 2 == 0 ? Outcome.ADMITTED : Outcome.THROTTLED,
        number % 3 == 0 ? CountedBy.CLIENT : CountedBy.ENFORCER);
  }

  private static List<RequestEvent> written(MockProducer<byte[], byte[]> producer) {
    return producer.history().stream().map(it -> Links.WIRE.decodeEvent(it.value())).toList();
  }

  @Test
  void events_areWrittenInOrder_withAllThatWasSaid() {
    sender();
    for (int i = 0; i < 600; i++) {
      queue.add(event(i));
    }
    await().atMost(SOON).until(() -> producer.history().size() == 600);

    List<RequestEvent> events = written(producer);
    for (int i = 0; i < events.size(); i++) {
      PendingEvent said = event(i);
      assertThat(events.get(i))
          .isEqualTo(
              new RequestEvent(
                  events.get(i).id(),
                  said.request(),
                  said.micros(),
                  said.outcome(),
                  said.countedBy(),
                  "web"));
    }
  }

  @Test
  void ids_areNumberedAndOfThisSenderAlone_andTheKeysOfTheirRecords() {
    MockProducer<byte[], byte[]> another = Links.producer(true);
    sender();
    queue.add(event(1));
    queue.add(event(2));
    await().atMost(SOON).until(() -> producer.history().size() == 2);
    senders.get(0).close(SOON);
    sender(Links.WIRE, List.of(another));
    queue.add(event(3));
    await().atMost(SOON).until(() -> another.history().size() == 1);

    List<String> ids = written(producer).stream().map(RequestEvent::id).toList();
    assertThat(ids.get(0)).matches("[0-9a-f]{16}-1");
    assertThat(ids.get(1)).isEqualTo(ids.get(0).replaceAll("1$", "2"));
    assertThat(written(another).get(0).id()).matches("[0-9a-f]{16}-1").isNotEqualTo(ids.get(0));
    ProducerRecord<byte[], byte[]> record = producer.history().get(0);
    assertThat(new String(record.key(), StandardCharsets.UTF_8)).isEqualTo(ids.get(0));
    assertThat(record.topic()).isEqualTo("quota.request-events");
    assertThat(record.partition()).as("by its key").isNull();
  }

  @Test
  void acknowledged_countsWhatBrokersHaveTaken() {
    MockProducer<byte[], byte[]> slow = Links.producer(false);
    EventSender sender = sender(Links.WIRE, List.of(slow, Links.producer(true)));
    queue.add(event(1));
    queue.add(event(2));
    await().atMost(SOON).until(() -> slow.history().size() == 2);
    assertThat(sender.acknowledged()).isZero();

    slow.completeNext();
    slow.errorNext(new TimeoutException("10 s"));

    assertThat(sender.acknowledged()).isEqualTo(1);
  }

  @Test
  void registry_away_eventsWaitAndAreWrittenOnce_inOrder() {
    Wire wire = Wire.of("quota.", Codecs.with(registry));
    sender(wire, List.of(Links.producer(true), producer, producer, producer));
    for (int i = 0; i < 3; i++) {
      queue.add(event(i));
    }
    await().atMost(SOON).until(() -> registry.asked() > 0);

    registry.comes();

    await().atMost(SOON).until(() -> producer.history().size() == 3);
    assertThat(producer.history())
        .extracting(it -> new String(it.key(), StandardCharsets.UTF_8).replaceAll(".*-", ""))
        .as("numbers grow, and none is lost; some may be skipped")
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @Test
  void event_boundaryIsNotKnown_waits_andLeavesAsThatSays() {
    known.set(false);
    leaving = request -> Request.received(Map.of("user", "hashed"), request.cost());
    EventSender sender = sender();
    queue.add(event(1));
    await().atMost(SOON).until(() -> opened.get() == 1);
    assertThat(queue).as("stays in the queue").hasSize(1);
    assertThat(producer.history()).isEmpty();

    known.set(true);

    await().atMost(SOON).until(() -> producer.history().size() == 1);
    assertThat(Links.WIRE.decodeEvent(producer.history().get(0).value()).request().attributes())
        .isEqualTo(Map.of("user", "hashed"));
    known.set(false);
    queue.add(event(2));
    sender.close(Duration.ofSeconds(10));
    assertThat(producer.history()).as("what is not known to be hashed is lost").hasSize(1);
  }

  @Test
  void producer_thatCannotBeOpened_isTriedAgain() {
    Deque<Producer<byte[], byte[]>> rest = new ArrayDeque<>(List.of(producer));
    EventSender sender =
        new EventSender(
            queue,
            "web",
            new EventSender.Boundary(known::get, leaving),
            Links.WIRE,
            () -> {
              if (opened.incrementAndGet() == 1) {
                throw new KafkaException("no resolvable bootstrap urls");
              }
              return rest.remove();
            },
            presence);
    senders.add(sender);
    sender.start();
    queue.add(event(1));

    await().atMost(SOON).until(() -> producer.history().size() == 1);
    assertThat(opened).hasValue(2);
  }

  @Test
  void producer_thatCannotBeLinked_isTriedAgain() {
    Deque<Producer<byte[], byte[]>> rest = new ArrayDeque<>(List.of(producer));
    EventSender sender =
        new EventSender(
            queue,
            "web",
            new EventSender.Boundary(known::get, leaving),
            Links.WIRE,
            () -> {
              if (opened.incrementAndGet() == 1) {
                throw new NoClassDefFoundError("of another version");
              }
              return rest.remove();
            },
            presence);
    senders.add(sender);
    sender.start();
    queue.add(event(1));

    await().atMost(SOON).until(() -> producer.history().size() == 1);
  }

  @Test
  void event_thatEndsInAnError_isLostAndCounted_andThoseBehindItAreWritten() {
    leaving =
        request -> {
          if (request.equals(event(1).request())) {
            throw new StackOverflowError();
          }
          return request;
        };
    EventSender sender = sender();
    queue.add(event(1));
    queue.add(event(2));

    await().atMost(SOON).until(() -> producer.history().size() == 1);
    assertThat(written(producer).get(0).request()).isEqualTo(event(2).request());
    assertThat(sender.dropped()).isEqualTo(1);
  }

  @Test
  void kafka_away_opensNoProducer_andEventsWaitForIt() {
    brokers.set(false);
    sender();
    queue.add(event(1));
    await().atMost(SOON).until(presence::isAway);
    await().during(Duration.ofMillis(150)).until(() -> opened.get() == 0);

    brokers.set(true);

    await().atMost(SOON).until(() -> producer.history().size() == 1);
    assertThat(producer.closed()).isFalse();
  }

  @Test
  void kafka_goesAway_closesTheProducer_andAnotherOneWritesTheRest() {
    MockProducer<byte[], byte[]> first = Links.producer(true);
    sender(Links.WIRE, List.of(first, producer));
    queue.add(event(1));
    await().atMost(SOON).until(() -> first.history().size() == 1);

    brokers.set(false);
    presence.look();
    await().atMost(SOON).until(first::closed);
    queue.add(event(2));
    brokers.set(true);

    await().atMost(SOON).until(() -> producer.history().size() == 1);
    assertThat(written(producer).get(0).request()).isEqualTo(event(2).request());
  }

  @Test
  void kafka_goesAwayBeforeTheTopicIsKnown_theRestOfTheBatchWaits() {
    Deque<Producer<byte[], byte[]>> rest =
        new ArrayDeque<>(List.of(Links.refusing(new TimeoutException("metadata")), producer));
    for (int i = 0; i < 3; i++) {
      queue.add(event(i));
    }
    EventSender sender =
        new EventSender(
            queue,
            "web",
            new EventSender.Boundary(known::get, leaving),
            Links.WIRE,
            () -> {
              brokers.set(opened.incrementAndGet() > 1);
              return rest.remove();
            },
            presence);
    senders.add(sender);
    sender.start();
    await().atMost(SOON).until(presence::isAway);

    brokers.set(true);

    await().atMost(SOON).until(() -> producer.history().size() == 2);
    assertThat(written(producer))
        .extracting(RequestEvent::request)
        .containsExactly(event(1).request(), event(2).request());
  }

  @Test
  void close_sendsWhatWaits_andNothingMoreIsTaken() {
    EventSender sender = sender();
    for (int i = 0; i < 100; i++) {
      queue.add(event(i));
    }

    sender.close(SOON);

    assertThat(producer.history()).hasSize(100);
    assertThat(producer.closed()).isTrue();
    queue.add(event(100));
    await().during(Duration.ofMillis(200)).until(() -> producer.history().size() == 100);
  }

  @Test
  void close_registryBackInTime_sendsAll() {
    CompletableFuture<Boolean> stopped = new CompletableFuture<>();
    Links.LateRegistry back =
        new Links.LateRegistry() {
          @Override
          public int idOf(String subject, String schema) {
            try {
              return super.idOf(subject, schema);
            } finally {
              if (stopped.join()) {
                comes();
              }
            }
          }
        };
    EventSender sender = sender(Wire.of("quota.", Codecs.with(back)), producers(100));
    for (int i = 0; i < 10; i++) {
      queue.add(event(i));
    }
    await().atMost(SOON).until(() -> back.asked() > 0);
    sender.stop();
    stopped.complete(true);

    await().atMost(SOON).until(() -> sender.acknowledged() == 10);
    assertThat(sender.dropped()).isZero();
  }

  @Test
  void close_registryStaysAway_countsWhatIsLost() {
    EventSender sender = sender(Wire.of("quota.", Codecs.with(registry)), producers(100));
    for (int i = 0; i < 10; i++) {
      queue.add(event(i));
    }
    await().atMost(SOON).until(() -> registry.asked() > 0);

    sender.close(Duration.ofMillis(300));

    await().atMost(SOON).until(() -> sender.dropped() == 10);
    assertThat(sender.acknowledged()).isZero();
  }

  @Test
  void close_kafkaAway_endsWithinItsTime() {
    brokers.set(false);
    EventSender sender = sender();
    queue.add(event(1));
    await().atMost(SOON).until(presence::isAway);

    long begun = System.nanoTime();
    sender.close(Duration.ofMillis(300));

    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(SOON);
    assertThat(opened).hasValue(0);
    await().atMost(SOON).until(() -> sender.dropped() == 1);
  }
}
