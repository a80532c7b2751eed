package io.quotaenforcer.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Priority;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DeferralTest {
  @Test
  void withers_changeOneThingEach() {
    Instant deadline = Instant.ofEpochSecond(1_700_000_000);
    Deferral deferral =
        Deferral.of(new byte[] {1, 2})
            .withHeaders(Map.of("trace", "t"))
            .withDeadline(deadline)
            .withPriority(Priority.HIGH)
            .withId("order-1");

    assertThat(deferral.payload()).isEqualTo(Payload.of(new byte[] {1, 2}));
    assertThat(deferral.headers()).containsExactly(Map.entry("trace", "t"));
    assertThat(deferral.deadline()).contains(deadline);
    assertThat(deferral.priority()).isEqualTo(Priority.HIGH);
    assertThat(deferral.id()).contains("order-1");
  }

  @Test
  void defaults_areNormalPriorityAndNothingElse() {
    assertThat(Deferral.of(new byte[0])).isEqualTo(Deferral.PLAIN);
    assertThat(Deferral.PLAIN.priority()).isEqualTo(Priority.NORMAL);
    assertThat(Deferral.PLAIN.deadline()).isEmpty();
    assertThat(Deferral.PLAIN.id()).isEmpty();
  }

  @Test
  void payloadAndHeaders_ofTheLargestSize_areTaken() {
    Deferral deferral =
        Deferral.of(new byte[Payload.MAX_BYTES])
            .withHeaders(Map.of("h", "x".repeat(Deferral.MAX_HEADER_BYTES - 1)));

    assertThat(deferral.payload().size()).isEqualTo(Payload.MAX_BYTES);
  }

  static Stream<Arguments> illegal() {
    return Stream.of(
        row(
            () -> Deferral.of(new byte[Payload.MAX_BYTES + 1]),
            "must have at most 1048576 bytes: payload=1048577 bytes"),
        row(
            () -> Deferral.PLAIN.withHeaders(Map.of("h", "x".repeat(Deferral.MAX_HEADER_BYTES))),
            "must have at most 65536 bytes: headers=65537 bytes"),
        row(
            () -> Deferral.PLAIN.withHeaders(Map.of("h", "\u20ac".repeat(30_000))),
            "must have at most 65536 bytes: headers=90001 bytes"),
        row(
            () -> Deferral.PLAIN.withDeadline(Instant.EPOCH),
            "must be after 1970: deadline=1970-01-01T00:00:00Z"),
        row(() -> Deferral.PLAIN.withId(""), "must have 1 to 100 characters: id="),
        row(
            () -> Deferral.PLAIN.withId("x".repeat(101)),
            "must have 1 to 100 characters: id=" + "x".repeat(101)));
  }

  @ParameterizedTest
  @MethodSource
  void illegal(ThrowingCallable call, String message) {
    assertThatIllegalArgumentException().isThrownBy(call).withMessage(message);
  }

  private static Arguments row(ThrowingCallable call, String message) {
    return Arguments.of(call, message);
  }
}
