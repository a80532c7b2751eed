package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.rule.OverLimit;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.fuzz.ExtremeRecords;
import io.quotaenforcer.enforcer.fuzz.Fuzzing;
import io.quotaenforcer.schemas.avro.RecordType;
import io.quotaenforcer.schemas.topic.Topic;
import io.quotaenforcer.schemas.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever reaches a topic that the topology reads, it goes on, and counts the next ordinary
 * report. {@link Fuzzing} says for how long.
 */
@Timeout(1_000)
class TopologyFuzzTest {
  private static final Duration TIME = Fuzzing.time(3);
  private static final int BETWEEN_CHECKS = 500;
  private static final long PERIOD = 1_000_000_000L;
  private static final Rule[] RULES = {
    TopologyFixture.rule("bucket", new TokenBucket(100, PERIOD, 100)),
    TopologyFixture.rule("sliding", new SlidingWindow(100, PERIOD)),
    TopologyFixture.rule("interval", new IntervalBucket(100, PERIOD, 100, 100)),
    TopologyFixture.rule("jobs", new FixedWindow(5, PERIOD)).withOverLimit(OverLimit.Defer.DEFAULTS)
  };
  private static final List<String> TEXTS =
      List.of(
          "test",
          "bucket",
          "test/bucket/bob",
          "test/sliding/bob",
          "test/interval/bob",
          "test/jobs/bob",
          "user",
          "bob",
          "instance-2",
          "id-7");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"usage", "usage-events", "deferred", "request-events"})
  void topic_extremeRecords_stopNothing(String name) {
    ExtremeRecords records =
        new ExtremeRecords(Fuzzing.SEED, TEXTS, TopologyFixture.START.toEpochMilli());
    SplittableRandom random = new SplittableRandom(Fuzzing.SEED);
    long until = System.nanoTime() + TIME.toNanos();
    int written = 0;
    int letters = 0;
    try (TopologyFixture topology = new TopologyFixture(folder, RULES)) {
      Topic<?, ?> topic = topic(topology.wire.topics(), name);
      List<RecordType<?>> types = topic.about().values();
      do {
        for (int i = 0; i < BETWEEN_CHECKS; i++) {
          byte[] value = records.next(types.get(random.nextInt(types.size())));
          pipe(topology, topic.name(), value, written++);
        }
        topology.run(Duration.ofMillis(100));
        check(topology, written);
        List<String> reasons = topology.deadLetters();
        assertThat(reasons).noneMatch(String::isBlank);
        letters += reasons.size();
      } while (System.nanoTime() < until);
      assertThat(letters).isPositive().isLessThan(written);
      System.out.printf(
          "fuzz: %,d records of %s, %,d put aside, seed %d%n",
          written, name, letters, Fuzzing.SEED);
    }
  }

  private static Topic<?, ?> topic(Topics topics, String name) {
    return topics.all().stream()
        .filter(topic -> topic.name().equals("quota." + name))
        .findAny()
        .orElseThrow();
  }

  private static void pipe(TopologyFixture topology, String topic, byte[] value, int number) {
    try {
      topology.send(topic, "test/bucket/bob".getBytes(StandardCharsets.UTF_8), value);
    } catch (RuntimeException e) {
      throw new AssertionError(
          "seed %d, record %d of %s: %s"
              .formatted(Fuzzing.SEED, number, topic, HexFormat.of().formatHex(value)),
          e);
    }
  }

  /** Each time another instance reports one permit more of each rule. */
  private static void check(TopologyFixture topology, int written) {
    for (Rule rule : RULES) {
      QuotaKey ann = TopologyFixture.key(rule, "ann");
      long before = topology.counted().getOrDefault(ann, 0L);
      long window = rule.limit().cellWindow(topology.epochNanos());
      topology.report(
          "instance-" + written, ann, 0, CellUsage.of(-1, window).withTaken(1).asClosed());
      assertThat(topology.counted().getOrDefault(ann, 0L))
          .as("seed %d, after %d records: %s", Fuzzing.SEED, written, ann)
          .isEqualTo(before + 1);
    }
  }
}
