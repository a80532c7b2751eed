package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.schemas.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Headers and contents of dead letters. */
class DeadLettersTopologyTest {
  private static final Instant LONG_AGO = Instant.parse("1970-01-01T00:00:01Z");

  @TempDir Path state;

  static List<Function<Topics, String>> inputs() {
    return List.of(
        topics -> topics.usage().name(),
        topics -> topics.usageEvents().name(),
        topics -> topics.requestEvents().name(),
        topics -> topics.deferred().name());
  }

  @ParameterizedTest
  @MethodSource("inputs")
  void letter_ofAnOldRecord_isOfNow_andSaysWhatItsTimeWas(Function<Topics, String> input) {
    try (TopologyFixture topology = topology()) {
      topology.sendAt(LONG_AGO, input.apply(topology.wire.topics()), new byte[] {1, 2});

      TestRecord<byte[], byte[]> letter = topology.letters().get(0);
      assertThat(letter.value()).containsExactly(1, 2);
      assertThat(letter.getRecordTime()).isEqualTo(TopologyFixture.START);
      assertThat(header(letter, "timestamp")).isEqualTo("1000");
    }
  }

  @ParameterizedTest
  @MethodSource("inputs")
  void letter_hasTheHeadersOfKafkaStreams(Function<Topics, String> input) {
    try (TopologyFixture topology = topology()) {
      String topic = input.apply(topology.wire.topics());
      topology.sendAt(LONG_AGO, topic, new byte[] {1, 2});

      TestRecord<byte[], byte[]> letter = topology.letters().get(0);
      assertThat(header(letter, "__streams.errors.topic")).isEqualTo(topic);
      assertThat(header(letter, "__streams.errors.partition")).isEqualTo("0");
      assertThat(header(letter, "__streams.errors.offset")).isEqualTo(header(letter, "offset"));
      assertThat(header(letter, "__streams.errors.message")).isEqualTo(header(letter, "reason"));
      String exception = header(letter, "__streams.errors.exception");
      assertThat(exception).endsWith("Exception");
      assertThat(header(letter, "__streams.errors.stacktrace")).startsWith(exception);
    }
  }

  @Test
  void letter_whoseReasonIsLong_staysSmall() {
    try (TopologyFixture topology = topology()) {
      UsageReport forged =
          new UsageReport(HolderId.Replays.PREFIX + "x".repeat(500_000), 1, 0, 0, 0, List.of());
      topology.sendAt(
          LONG_AGO, topology.wire.topics().usage().name(), topology.wire.encode(forged));

      TestRecord<byte[], byte[]> letter = topology.letters().get(0);
      int bytes = 0;
      for (var header : letter.headers()) {
        bytes += header.value().length;
      }
      assertThat(bytes).isLessThan(16_000);
      assertThat(header(letter, "reason")).startsWith("instance must not begin with");
    }
  }

  private TopologyFixture topology() {
    return new TopologyFixture(
        state, TopologyFixture.rule("fixed", new FixedWindow(100, 1_000_000_000L)));
  }

  private static String header(TestRecord<byte[], byte[]> letter, String name) {
    return new String(letter.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }
}
