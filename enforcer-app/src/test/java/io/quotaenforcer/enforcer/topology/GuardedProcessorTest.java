package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;

class GuardedProcessorTest {
  private static final String SINK = "dead-letters";

  private final List<String> processed = new ArrayList<>();
  private final FailedRecords failed = new FailedRecords();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final MockProcessorContext<byte[], Object> context = new MockProcessorContext<>();

  private Processor<byte[], byte[], byte[], Object> threadThatFailsBy(RuntimeException failure) {
    Processor<byte[], byte[], byte[], Object> plain =
        record -> {
          String value = new String(record.value(), StandardCharsets.UTF_8);
          if (value.equals("bad")) {
            throw failure;
          }
          processed.add(value);
        };
    GuardedProcessor guarded =
        new GuardedProcessor(plain, failed, new EnforcerMetrics(registry), SINK);
    guarded.init(context);
    return guarded;
  }

  private void read(Processor<byte[], byte[], byte[], Object> thread, long offset, String value) {
    context.setCurrentSystemTimeMs(offset);
    context.setRecordMetadata("usage", 2, offset);
    thread.process(new Record<>(new byte[] {1}, value.getBytes(StandardCharsets.UTF_8), offset));
  }

  @Test
  void record_failsAgainAndAgain_isPutAsideWithItsReasonAndTheNextAreRead() {
    for (int i = 0; i < FailedRecords.MOST_TRIES; i++) {
      Processor<byte[], byte[], byte[], Object> thread =
          threadThatFailsBy(new ArithmeticException("long overflow"));
      assertThatThrownBy(() -> read(thread, 7, "bad")).isInstanceOf(ArithmeticException.class);
    }
    Processor<byte[], byte[], byte[], Object> thread =
        threadThatFailsBy(new ArithmeticException("long overflow"));

    read(thread, 7, "bad");
    read(thread, 8, "good");

    assertThat(processed).containsExactly("good");
    assertThat(context.forwarded(SINK))
        .singleElement()
        .satisfies(
            letter -> {
              assertThat(letter.record().value()).isEqualTo("bad".getBytes(StandardCharsets.UTF_8));
              assertThat(letter.record().headers().lastHeader("reason").value())
                  .asString(StandardCharsets.UTF_8)
                  .contains("failed 3 times", "ArithmeticException: long overflow");
            });
    assertThat(registry.get("quota.dead.letters").tag("topic", "usage").counter().count())
        .isEqualTo(1);
  }

  @Test
  void record_sameValueElsewhere_isTriedAnew() {
    Processor<byte[], byte[], byte[], Object> thread =
        threadThatFailsBy(new ArithmeticException("long overflow"));
    for (int offset = 0; offset < 2 * FailedRecords.MOST_TRIES; offset++) {
      int at = offset;
      assertThatThrownBy(() -> read(thread, at, "bad")).isInstanceOf(ArithmeticException.class);
    }
    assertThat(context.forwarded()).isEmpty();
  }

  @Test
  void kafkaOrStoreFails_recordIsTriedForEver() {
    Processor<byte[], byte[], byte[], Object> thread =
        threadThatFailsBy(new StreamsException("the disk is full"));
    for (int i = 0; i < 10 * FailedRecords.MOST_TRIES; i++) {
      assertThatThrownBy(() -> read(thread, 7, "bad")).isInstanceOf(StreamsException.class);
    }
    assertThat(context.forwarded()).isEmpty();
  }
}
