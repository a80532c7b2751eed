package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FaultTest {
  static Stream<Throwable> ofOthers() {
    return Stream.of(
        new TimeoutException("no broker"), new StreamsException(new TimeoutException("no broker")));
  }

  static Stream<Throwable> ours() {
    return Stream.of(
        new IllegalStateException("ours"),
        new StreamsException(new IllegalStateException("ours")),
        new RecordTooLargeException("ours"),
        new ProcessorStateException("a store"),
        new OutOfMemoryError("ours"));
  }

  @ParameterizedTest
  @MethodSource("ofOthers")
  void failure_ofBrokers_isOfOthers(Throwable failure) {
    assertThat(Fault.isOfOthers(failure)).isTrue();
  }

  @ParameterizedTest
  @MethodSource("ours")
  void failure_ofThisProcessOrItsStores_isNot(Throwable failure) {
    assertThat(Fault.isOfOthers(failure)).isFalse();
  }
}
