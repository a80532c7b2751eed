package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.RequestEventEmitter;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.message.RequestEvent;
import io.quotaenforcer.core.message.RequestEvent.CountedBy;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.embedded.EmbeddedCluster;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Request events from a service to the ledger, each counted once. */
@Timeout(180)
class RequestEventsIT {
  private static final long SECOND = 1_000_000_000L;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Rule READS = rule("reads", new SlidingWindow(1_000, SECOND));
  private static final Rule ORDERS = rule("orders", new FixedWindow(200, SECOND));

  /** Counts what is only there to show that all before it was processed. */
  private static final Rule MARKS = rule("marks", new FixedWindow(1_000, SECOND));

  private static EmbeddedCluster cluster;
  private static TopicTap tap;
  private static String topic;
  private static long marks;

  @BeforeAll
  static void start() throws InterruptedException {
    Clocks clocks = Clocks.system();
    cluster =
        EmbeddedCluster.start(
            4, List.of(READS, ORDERS, MARKS), EmbeddedCluster.settings(clocks.epochNanos()));
    tap = new TopicTap(cluster.bootstrapServers());
    topic = cluster.wire().topics().requestEvents().name();
  }

  @AfterAll
  static void stop() {
    tap.close();
    cluster.close();
  }

  @Test
  void events_emittedAndWrittenAgain_areCountedOnce() {
    SplittableRandom random = new SplittableRandom(1);
    long admitted = 0;
    try (RequestEventEmitter emitter =
        RequestEventEmitter.create(
            Map.of(
                "bootstrap.servers", cluster.bootstrapServers(),
                "service", "reporting",
                "close.timeout", "30s"))) {
      for (int i = 0; i < 5_000; i++) {
        Request request =
            Request.of("api", "reads", "key", "k" + random.nextInt(50))
                .withCost(1 + random.nextInt(3));
        Outcome outcome = random.nextInt(4) > 0 ? Outcome.ADMITTED : Outcome.THROTTLED;
        admitted += outcome == Outcome.ADMITTED ? request.cost() : 0;
        assertThat(emitter.emit(request, outcome)).isTrue();
      }
    }
    awaitProcessed();
    awaitCounted(READS, admitted);

    List<ConsumerRecord<byte[], byte[]>> events = tap.read(topic);
    assertThat(events).hasSizeGreaterThanOrEqualTo(5_000);
    tap.repeat(events);
    tap.repeat(events.subList(0, 500));
    awaitProcessed();

    awaitCounted(READS, admitted);
    awaitCounted(MARKS, marks);
  }

  @Test
  void embeddedClient_thatEmitsAllItsDecisions_isNotCountedTwice() throws Exception {
    int decisions = 0;
    long admitted = 0;
    try (AdmissionClient client =
        AdmissionClient.create(
            Map.of(
                "bootstrap.servers", cluster.bootstrapServers(),
                "instance.id", "embedded",
                "request.events", "all",
                "close.timeout", "30s"))) {
      assertThat(client.awaitRules(TIMEOUT)).isTrue();
      Request request = Request.of("api", "orders", "key", "a");
      long end = System.nanoTime() + 2 * SECOND;
      while (System.nanoTime() < end || admitted < 100) {
        decisions++;
        admitted += client.decideAsync(request, Duration.ofMillis(20)).get().admitted() ? 1 : 0;
      }
    }
    awaitProcessed();

    awaitCounted(ORDERS, admitted);
    List<RequestEvent> events =
        tap.read(topic).stream()
            .map(record -> cluster.wire().decodeEvent(record.value()))
            .filter(event -> event.countedBy() == CountedBy.CLIENT)
            .toList();
    assertThat(events).hasSize(decisions);
    assertThat(events.stream().filter(event -> event.outcome() == Outcome.ADMITTED))
        .hasSize(Math.toIntExact(admitted));
    System.out.printf("request events: %d decisions, %d admitted%n", decisions, admitted);
  }

  /** Writes an event of its own to the end of every partition, and waits until they are counted. */
  private static void awaitProcessed() {
    for (int partition = 0; partition < tap.partitions(topic); partition++) {
      RequestEvent mark =
          new RequestEvent(
              UUID.randomUUID().toString(),
              Request.of("api", "marks", "key", "mark"),
              System.currentTimeMillis() * 1_000,
              Outcome.ADMITTED,
              CountedBy.ENFORCER,
              "test");
      byte[] id = mark.id().getBytes(StandardCharsets.UTF_8);
      tap.write(topic, partition, id, cluster.wire().encode(mark));
      marks++;
    }
    await().atMost(TIMEOUT).until(() -> counted(MARKS) >= marks);
    // Another partition of the ledger may still be behind the one of the marks.
    await().during(Duration.ofMillis(300)).atMost(TIMEOUT).until(() -> counted(MARKS) >= marks);
  }

  /** More than that is never taken back: a wait cannot hide it. */
  private static void awaitCounted(Rule rule, long permits) {
    await().atMost(TIMEOUT).untilAsserted(() -> assertThat(counted(rule)).isEqualTo(permits));
  }

  private static long counted(Rule rule) {
    return cluster.counted().getOrDefault(rule.id(), 0L);
  }

  private static Rule rule(String id, Limit limit) {
    return Rule.of(new RuleId("events", id), List.of("key"), limit)
        .withMatch(Map.of("api", new Matcher.Exact(id)))
        .withVersion(1, 1);
  }
}
