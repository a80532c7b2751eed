package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import io.quotaenforcer.schemas.codec.CodecException;
import io.quotaenforcer.schemas.codec.CodecException.Reason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GuardedProcessorTest {
  private static final String SINK = "dead-letters";

  private final List<String> processed = new ArrayList<>();
  private final FailedRecords failed = new FailedRecords();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final MockProcessorContext<byte[], Object> context = new MockProcessorContext<>();

  private Processor<byte[], byte[], byte[], Object> threadThatFailsBy(Throwable failure) {
    return threadThat(
        () -> {
          if (failure instanceof Error error) {
            throw error;
          }
          throw (RuntimeException) failure;
        });
  }

  private Processor<byte[], byte[], byte[], Object> threadThat(Runnable failsByBad) {
    Processor<byte[], byte[], byte[], Object> plain =
        record -> {
          String value = new String(record.value(), StandardCharsets.UTF_8);
          if (value.equals("bad")) {
            failsByBad.run();
          }
          processed.add(value);
        };
    GuardedProcessor guarded =
        new GuardedProcessor(plain, failed, new EnforcerMetrics(registry), SINK);
    guarded.init(context);
    return guarded;
  }

  /** As a stream thread that ends by the failure. */
  private void failBy(
      Processor<byte[], byte[], byte[], Object> thread, long offset, Class<?> expected) {
    assertThatThrownBy(() -> read(thread, offset, "bad"))
        .isInstanceOf(expected)
        .satisfies(failed::threadFailed);
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
      failBy(thread, 7, ArithmeticException.class);
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
      failBy(thread, offset, ArithmeticException.class);
    }
    assertThat(context.forwarded()).isEmpty();
  }

  static Stream<Throwable> notTheRecords() {
    return Stream.of(
        new StreamsException("the disk is full"),
        new OutOfMemoryError("Java heap space"),
        new CodecException(Reason.REGISTRY_UNAVAILABLE, "schema registry http://r: no answer"),
        new StreamsException(new CodecException(Reason.REGISTRY_UNAVAILABLE, "no answer")));
  }

  @ParameterizedTest
  @MethodSource("notTheRecords")
  void recordIsNotToBlame_itIsTriedForEver(Throwable failure) {
    Processor<byte[], byte[], byte[], Object> thread = threadThatFailsBy(failure);
    for (int i = 0; i < 10 * FailedRecords.MOST_TRIES; i++) {
      failBy(thread, 7, failure.getClass());
    }
    assertThat(context.forwarded()).isEmpty();
  }

  static Stream<Throwable> theRecords() {
    return Stream.of(
        new StackOverflowError(),
        new AssertionError("impossible"),
        new NoClassDefFoundError("Missing"),
        new RecordTooLargeException("5 MiB"),
        new CodecException(Reason.MALFORMED, "breaks its schema"));
  }

  @ParameterizedTest
  @MethodSource("theRecords")
  void recordIsToBlame_itIsPutAside(Throwable failure) {
    Processor<byte[], byte[], byte[], Object> thread = threadThatFailsBy(failure);
    for (int i = 0; i < FailedRecords.MOST_TRIES; i++) {
      failBy(thread, 7, failure.getClass());
    }

    read(thread, 7, "bad");
    read(thread, 8, "good");

    assertThat(processed).containsExactly("good");
    assertThat(context.forwarded(SINK)).hasSize(1);
  }

  @Test
  void recordWritesWhatKafkaRefusesLater_itIsPutAsideOnce_andTheNextIsNotToBlame() {
    List<Callback> sent = new ArrayList<>();
    Processor<byte[], byte[], byte[], Object> thread =
        threadThat(() -> sent.add(failed.watching("replays", null)));
    for (int i = 0; i < FailedRecords.MOST_TRIES; i++) {
      read(thread, 7, "bad");
      read(thread, 8, "good");
      sent.get(i).onCompletion(null, new RecordTooLargeException("3 MiB"));
      failed.threadFailed(new StreamsException(new RecordTooLargeException("3 MiB")));
    }
    processed.clear();

    read(thread, 7, "bad");
    read(thread, 8, "good");

    assertThat(processed).containsExactly("good");
    assertThat(context.forwarded(SINK))
        .singleElement()
        .satisfies(
            letter ->
                assertThat(letter.record().headers().lastHeader("reason").value())
                    .asString(StandardCharsets.UTF_8)
                    .contains("failed 3 times", "written to replays: ", "3 MiB"));
  }
}
