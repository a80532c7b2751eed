package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.hash.HashKey;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.RequestEvent;
import io.quotaenforcer.core.message.RequestEvent.CountedBy;
import io.quotaenforcer.core.rule.CountWhen;
import io.quotaenforcer.core.rule.KeyAttribute;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Request events that are costly, late, or come again: each counts once, or is put aside alone. */
class RequestEventTopologyTest {
  private static final Rule RULE =
      TopologyFixture.rule("second", new FixedWindow(100, 1_000_000_000L));
  private static final QuotaKey KEY = TopologyFixture.key(RULE, "42");

  @TempDir Path state;

  @ParameterizedTest
  @ValueSource(strings = {"emitter-1", "e1"})
  void event_againWithAnotherTime_isCountedOnce(String id) {
    try (TopologyFixture topology = new TopologyFixture(state, RULE)) {
      topology.emit(event(topology, id, 3, Duration.ZERO));
      topology.advance(Duration.ofSeconds(90));
      topology.emit(event(topology, id, 3, Duration.ZERO));
      topology.emit(event(topology, id, 3, Duration.ofMinutes(5)));
      topology.advance(Duration.ofMillis(50));

      assertThat(topology.counted()).containsEntry(KEY, 3L);
      assertThat(topology.deadLetters()).isEmpty();
    }
  }

  @Test
  void event_ofARuleThatCountsByOutcome_countsUnlessItSaysOtherwise() {
    Rule failures = RULE.withCount(new CountWhen(Map.of("status", new Matcher.Exact("401"))));
    try (TopologyFixture topology = new TopologyFixture(state, failures)) {
      topology.emit(event(topology, "e1", Request.of("user", "42", "status", "401")));
      topology.emit(event(topology, "e2", Request.of("user", "42", "status", "200")));
      topology.emit(event(topology, "e3", Request.of("user", "42")));
      topology.advance(Duration.ofMillis(50));

      assertThat(topology.counted()).containsEntry(KEY, 2L);
      assertThat(topology.deadLetters()).isEmpty();
    }
  }

  @Test
  void event_thatCostsMoreThanAnyLimit_isPutAsideAlone() {
    try (TopologyFixture topology = new TopologyFixture(state, RULE)) {
      topology.emitTogether(
          List.of(
              encoded(topology, "e1", 3),
              encoded(topology, "e2", 2_000_000_000_000_000L),
              encoded(topology, "e3", Long.MAX_VALUE),
              encoded(topology, "e4", 4)));
      topology.advance(Duration.ofMillis(50));

      assertThat(topology.counted()).containsEntry(KEY, 7L);
      assertThat(topology.deadLetters())
          .containsExactly(
              "request event refused: must be <= 1000000000000: cost=2000000000000000",
              "request event refused: must be <= 1000000000000: cost=9223372036854775807");
    }
  }

  @Test
  void event_ofARuleThatHashes_isCountedByItsHash_andPutAsideWithoutAValueInTheClear() {
    Rule hashing =
        TopologyFixture.rule("hashing", new FixedWindow(100, 1_000_000_000L))
            .withKey(new RuleKey(List.of(KeyAttribute.hashed("email"))));
    HashKey old = new HashKey("old", new byte[32]);
    HashKeys keys = HashKeys.of(List.of(old, new HashKey("new", new byte[33])));
    Request request = Request.of("user", "42", "email", "ann@example.com");
    try (TopologyFixture topology = new TopologyFixture(state, RULE, hashing)) {
      topology.emit(event(topology, "e1", keys.leaving(request, Set.of("email"))));
      topology.emit(event(topology, "e2", request));
      topology.advance(Duration.ofMillis(50));

      assertThat(topology.counted())
          .containsEntry(KEY, 2L)
          .containsEntry(TopologyFixture.key(hashing, keys.texts("ann@example.com").get(0)), 1L)
          .containsEntry(TopologyFixture.key(hashing, keys.texts("ann@example.com").get(1)), 1L)
          .hasSize(3);
      TestRecord<byte[], byte[]> aside = topology.letters().get(0);
      assertThat(new String(aside.headers().lastHeader("reason").value(), StandardCharsets.UTF_8))
          .startsWith(
              "request event not counted by " + hashing.id() + ": it has email in the clear");
      RequestEvent letter = topology.wire.decodeEvent(aside.value());
      assertThat(letter.id()).isEqualTo("e2");
      assertThat(letter.request().attributes()).isEqualTo(Map.of("user", "42"));
    }
  }

  private static RequestEvent event(TopologyFixture topology, String id, Request request) {
    return new RequestEvent(
        id, request, topology.epochNanos() / 1_000, Outcome.ADMITTED, CountedBy.ENFORCER, "test");
  }

  /** Ids are remembered, thousands of them at hand. */
  @Test
  void event_ofALongId_isPutAsideAlone() {
    try (TopologyFixture topology = new TopologyFixture(state, RULE)) {
      topology.emitTogether(
          List.of(
              encoded(topology, "e".repeat(200), 3), encoded(topology, "e".repeat(201) + "-1", 1)));
      topology.advance(Duration.ofMillis(50));

      assertThat(topology.counted()).containsEntry(KEY, 3L);
      assertThat(topology.deadLetters())
          .containsExactly("request event refused: must have 1 to 200 characters: id has 203");
    }
  }

  /** Reports of a combiner count again each time: no instance may be taken for one. */
  @Test
  void instanceWithTheNameOfACombiner_isCountedAsAnInstance() {
    try (TopologyFixture topology = new TopologyFixture(state, RULE)) {
      CellUsage usage = CellUsage.of(-1, 0).withTaken(5);
      topology.report("combiner-0", KEY, 0, usage);
      topology.report("combiner-0", KEY, 0, usage);
      topology.emit(event(topology, "e1", 3, Duration.ZERO));
      topology.advance(Duration.ofMillis(50));

      assertThat(topology.counted()).containsEntry(KEY, 8L);
    }
  }

  @Test
  void events_ofTheHighestCost_takeNoOthersAlong() {
    try (TopologyFixture topology = new TopologyFixture(state, RULE)) {
      List<byte[]> events = new ArrayList<>();
      for (int i = 0; i < 1_001; i++) {
        events.add(encoded(topology, "e-" + i, PermitCount.MAX_COST));
      }
      topology.emitTogether(events);
      topology.advance(Duration.ofMillis(50));

      assertThat(topology.counted()).containsEntry(KEY, 1_001 * PermitCount.MAX_COST);
      assertThat(topology.deadLetters()).isEmpty();
    }
  }

  @Test
  void events_ofVeryManyWindows_areAllCounted() {
    try (TopologyFixture topology = new TopologyFixture(state, RULE)) {
      List<byte[]> events = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        RequestEvent event = event(topology, "e-" + i, 1, Duration.ofSeconds(i));
        events.add(topology.wire.encode(event));
      }
      topology.emitTogether(events);
      topology.advance(Duration.ofMillis(50));

      assertThat(topology.counted()).containsEntry(KEY, 300L);
      assertThat(topology.deadLetters()).isEmpty();
    }
  }

  @Test
  void expressionThatIsGivenUp_countsAsMet_isCounted_andLoggedOnceAnHour() {
    Rule reads = RULE.withMatch(Map.of("api", new Matcher.Regex(Pattern.compile("GET /(a|b)+"))));
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    Logger logger = (Logger) LoggerFactory.getLogger(UnsureEvents.class);
    logger.setLevel(Level.WARN);
    log.start();
    logger.addAppender(log);
    try (TopologyFixture topology = new TopologyFixture(state, reads)) {
      for (int i = 0; i < 3; i++) {
        topology.emit(padded(topology, "e-" + i));
      }
      topology.advance(Duration.ofMinutes(59));
      topology.emit(padded(topology, "e-3"));
      assertThat(log.list).hasSize(1);
      topology.advance(Duration.ofMinutes(1));
      topology.emit(padded(topology, "e-4"));
      topology.advance(Duration.ofMillis(50));

      assertThat(topology.counted()).containsEntry(KEY, 5L);
      assertThat(
              topology
                  .registry
                  .get("quota.matches.given.up")
                  .tags("attribute", "api", "domain", "test", "rule", "second")
                  .counter()
                  .count())
          .isEqualTo(5);
      assertThat(log.list)
          .extracting(ILoggingEvent::getFormattedMessage)
          .hasSize(2)
          .allMatch(line -> line.startsWith("rule test/second was taken to match"))
          .noneMatch(line -> line.contains("aaa"));
    } finally {
      logger.detachAppender(log);
      logger.setLevel(null);
    }
  }

  private static RequestEvent padded(TopologyFixture topology, String id) {
    return new RequestEvent(
        id,
        Request.of("user", "42", "api", "GET /" + "a".repeat(10_000)),
        topology.epochNanos() / 1_000,
        Outcome.ADMITTED,
        CountedBy.ENFORCER,
        "test");
  }

  @ParameterizedTest
  @ValueSource(ints = {30, 17 * 60})
  void event_thatIsLate_chargesNothingOfThePresent(int minutesLate) {
    Duration late = Duration.ofMinutes(minutesLate);
    try (TopologyFixture topology =
        new TopologyFixture(
            state, settings -> settings.withEventRetention(Duration.ofDays(1)), RULE)) {
      topology.emit(event(topology, "e1", 100, late));
      topology.report("a", KEY, 100);
      topology.commit();
      topology.commit();

      assertThat(topology.counted()).containsEntry(KEY, 100L);
      assertThat(topology.snapshots().get(0).quotas().get(0).cells())
          .extracting(CellGrant::granted)
          .allMatch(granted -> granted > 0);
    }
  }

  private static RequestEvent event(TopologyFixture topology, String id, long cost, Duration ago) {
    return new RequestEvent(
        id,
        Request.of("user", "42").withCost(cost),
        topology.epochNanos() / 1_000 - ago.toNanos() / 1_000,
        Outcome.ADMITTED,
        CountedBy.ENFORCER,
        "test");
  }

  /** An event as another language's emitter may write it, whatever it costs. */
  private static byte[] encoded(TopologyFixture topology, String id, long cost) {
    var record =
        new io.quotaenforcer.schemas.RequestEvent(
            id,
            Map.of("user", "42"),
            cost,
            topology.epochNanos() / 1_000,
            io.quotaenforcer.schemas.Outcome.ADMITTED,
            io.quotaenforcer.schemas.CountedBy.ENFORCER,
            "test");
    var topic = topology.wire.topics().requestEvents();
    return topic.valueSerde().serializer().serialize(topic.name(), record);
  }
}
