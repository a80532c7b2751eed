package io.quotaenforcer.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.client.spi.ManualClock;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Rule;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** Work that is run for a request: decided before, refunded if it fails. */
class RunTest {
  private static final Request REQUEST = Request.of("user", "42").withCost(3);
  private static final Rule RULE =
      Rule.of(new RuleId("shop", "orders"), List.of("user"), new FixedWindow(10, 60_000_000_000L));

  private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
  private final Admission admission = AdmissionClient.standalone(List.of(RULE), clock.clocks());

  private long left() {
    return 10 - taken();
  }

  private long taken() {
    QuotaHandle handle = admission.handle("shop/orders", "42");
    int free = 0;
    while (handle.tryAcquire()) {
      free++;
    }
    return 10 - free;
  }

  @Test
  void run_admitted_returnsTheResultAndKeepsThePermits() {
    String result = admission.run(REQUEST, () -> "done");

    assertThat(result).isEqualTo("done");
    assertThat(left()).isEqualTo(7);
  }

  @Test
  void run_fails_throwsWhatTheWorkThrew_andRefunds() {
    IOException failure = new IOException("disk full");

    assertThatThrownBy(
            () ->
                admission.run(
                    REQUEST,
                    () -> {
                      throw failure;
                    }))
        .isSameAs(failure);
    assertThat(left()).isEqualTo(10);
  }

  @Test
  void run_throttled_doesNotRun_andSaysWhichRuleAndWhen() {
    assertThat(admission.decide(REQUEST.withCost(9)).admitted()).isTrue();

    assertThatExceptionOfType(ThrottledException.class)
        .isThrownBy(
            () ->
                admission.run(
                    REQUEST,
                    () -> {
                      throw new AssertionError("must not run");
                    }))
        .withMessage("throttled by shop/orders; try again after 60000 ms")
        .satisfies(
            thrown -> assertThat(thrown.decision().retryAfter()).contains(Duration.ofSeconds(60)));
    assertThat(left()).isEqualTo(1);
  }

  @Test
  void run_unmatched_runs() {
    assertThat(admission.<Integer, RuntimeException>run(Request.of("ip", "::1"), () -> 1))
        .isEqualTo(1);
  }

  @Test
  void runAsync_admitted_completesWithTheResult_onceTheWorkHas() {
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<String> result = admission.runAsync(REQUEST, Duration.ZERO, () -> work);
    assertThat(result).isNotDone();

    work.complete("done");

    assertThat(result).isCompletedWithValue("done");
    assertThat(left()).isEqualTo(7);
  }

  @Test
  void runAsync_failsInEitherWay_refunds() {
    IOException failure = new IOException("disk full");
    CompletableFuture<String> failed =
        admission.runAsync(
            REQUEST, Duration.ZERO, () -> CompletableFuture.<String>failedFuture(failure));
    CompletableFuture<String> threw =
        admission.runAsync(
            REQUEST,
            Duration.ZERO,
            () -> {
              throw new IllegalStateException("cannot begin");
            });

    assertThatThrownBy(failed::get).isInstanceOf(ExecutionException.class).hasCause(failure);
    assertThatThrownBy(threw::join)
        .isInstanceOf(CompletionException.class)
        .hasMessageContaining("cannot begin");
    assertThat(left()).isEqualTo(10);
  }

  @Test
  void runAsync_throttled_failsAndDoesNotRun() {
    assertThat(admission.decide(REQUEST.withCost(9)).admitted()).isTrue();

    CompletableFuture<String> result =
        admission.runAsync(
            REQUEST,
            Duration.ZERO,
            () -> {
              throw new AssertionError("must not run");
            });

    assertThatThrownBy(result::join).hasCauseInstanceOf(ThrottledException.class);
  }
}
