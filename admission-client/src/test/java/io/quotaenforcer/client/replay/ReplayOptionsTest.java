package io.quotaenforcer.client.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReplayOptionsTest {
  private static final ReplayOptions DEFAULTS = ReplayOptions.DEFAULTS;

  @Test
  void defaults_areEightAtOnce_tenAttempts_fiveSeconds() {
    assertThat(DEFAULTS)
        .isEqualTo(new ReplayOptions(8, 10, Optional.empty(), Duration.ofSeconds(5)));
  }

  @Test
  void withers_changeOneThingEach() {
    assertThat(DEFAULTS.withConcurrency(3))
        .isEqualTo(new ReplayOptions(3, 10, Optional.empty(), Duration.ofSeconds(5)));
    assertThat(DEFAULTS.withMaxAttempts(4))
        .isEqualTo(new ReplayOptions(8, 4, Optional.empty(), Duration.ofSeconds(5)));
    assertThat(DEFAULTS.withGroup("mailer"))
        .isEqualTo(new ReplayOptions(8, 10, Optional.of("mailer"), Duration.ofSeconds(5)));
    assertThat(DEFAULTS.withMaxWaitForOtherRules(Duration.ofMillis(7)))
        .isEqualTo(new ReplayOptions(8, 10, Optional.empty(), Duration.ofMillis(7)));
  }

  @Test
  void withers_inAnyOrder_keepWhatWasSaidBefore() {
    ReplayOptions one =
        DEFAULTS
            .withConcurrency(1)
            .withMaxAttempts(2)
            .withGroup("g")
            .withMaxWaitForOtherRules(Duration.ZERO);
    ReplayOptions other =
        DEFAULTS
            .withMaxWaitForOtherRules(Duration.ZERO)
            .withGroup("g")
            .withMaxAttempts(2)
            .withConcurrency(1);

    assertThat(one).isEqualTo(other);
    assertThat(one).isEqualTo(new ReplayOptions(1, 2, Optional.of("g"), Duration.ZERO));
  }

  @ParameterizedTest
  @MethodSource
  void illegal(ThrowingCallable call, String message) {
    assertThatIllegalArgumentException().isThrownBy(call).withMessage(message);
  }

  static Stream<Arguments> illegal() {
    return Stream.of(
        refused(() -> DEFAULTS.withConcurrency(0), "must be >= 1: concurrency=0"),
        refused(() -> DEFAULTS.withConcurrency(-1), "must be >= 1: concurrency=-1"),
        refused(() -> DEFAULTS.withMaxAttempts(0), "must be >= 1: maxAttempts=0"),
        refused(() -> DEFAULTS.withGroup(""), "must not be blank: group="),
        refused(() -> DEFAULTS.withGroup(" "), "must not be blank: group= "),
        refused(
            () -> DEFAULTS.withMaxWaitForOtherRules(Duration.ofNanos(-1)),
            "must not be negative: maxWaitForOtherRules=PT-0.000000001S"));
  }

  private static Arguments refused(ThrowingCallable call, String message) {
    return arguments(call, message);
  }
}
