package io.quotaenforcer.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.client.internal.config.AdmissionSettings;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.ThrottleReason;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Exchanger;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that wait for an enforcer that is not there. */
@Timeout(60)
class WaitingClientTest {
  private static final Duration LONG = Duration.ofSeconds(Long.MAX_VALUE);
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final Request REQUEST = Request.of("user", "42");
  private static final Rule STRICT =
      Rule.of(new RuleId("shop", "orders"), List.of("user"), new FixedWindow(10, 60_000_000_000L))
          .withEnforcement(Enforcement.STRICT);

  private final Queue<RuleDecision> throttled = new ConcurrentLinkedQueue<>();

  /** It was not started: nothing is reported, so the enforcer is not known to be away either. */
  private final AdmissionClient client =
      new AdmissionClient(
          AdmissionSettings.read(
              Map.of("bootstrap.servers", "127.0.0.1:9", "close.timeout", "0"),
              UnaryOperator.identity()),
          Clocks.system(),
          new ClientTelemetry() {
            @Override
            public void throttled(RuleDecision decidedBy) {
              throttled.add(decidedBy);
            }
          });

  WaitingClientTest() {
    client.book().applyRules(RuleSet.of(List.of(STRICT)), System.nanoTime());
  }

  @AfterEach
  void close() {
    client.close();
  }

  @Test
  void decide_noAnswer_returnsWhenTheTimeIsUp() throws InterruptedException {
    long begun = System.nanoTime();
    Decision decision = client.decide(REQUEST, SHORT);

    assertThat(decision.admitted()).isFalse();
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(SHORT);
    await().until(() -> client.waiting() == 0);
  }

  @Test
  void handle_noAnswer_waitsUntilTheTimeIsUp_orIsCancelled() {
    QuotaHandle handle = client.handle("shop/orders", "42");
    assertThat(handle.decideAsync(1, Duration.ZERO)).isCompleted();
    CompletableFuture<Decision> waits = handle.decideAsync(1, LONG);
    assertThat(client.waiting()).isEqualTo(1);

    assertThat(handle.decideAsync(1, SHORT).join().admitted()).isFalse();

    assertThat(waits).isNotDone();
    waits.cancel(false);
    await().until(() -> client.waiting() == 0);
    assertThatThrownBy(() -> handle.decideAsync(0, LONG))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void telemetry_isToldOfWhatIsNotGrantedYet() throws InterruptedException {
    client.decide(REQUEST);
    client.decide(REQUEST, SHORT);
    client.decideAsync(REQUEST, SHORT).join();
    client.reserve(REQUEST, 2);
    client.decide(Request.of("ip", "::1"));
    client.tryAcquire(REQUEST);

    await().until(() -> throttled.size() >= 4);
    assertThat(throttled)
        .hasSize(4)
        .allMatch(decision -> decision.quotaKey().rule().equals(STRICT.id()))
        .allMatch(decision -> decision.reason() == ThrottleReason.NOT_GRANTED_YET);
  }

  @Test
  void reserveAsync_noAnswer_isNotReservedWhenTheTimeIsUp() {
    CompletableFuture<ReserveOutcome> outcome = client.reserveAsync(REQUEST, 3, SHORT);
    assertThat(outcome).isNotDone();

    assertThat(outcome)
        .succeedsWithin(TIMEOUT)
        .isInstanceOfSatisfying(
            ReserveOutcome.NotReserved.class,
            found -> assertThat(found.decision().admitted()).isFalse());
  }

  @Test
  void runAsync_cancelledWhileItWaits_waitsNoMore_andDoesNotRun() {
    AtomicBoolean ran = new AtomicBoolean();
    CompletableFuture<Boolean> run =
        client.runAsync(
            REQUEST,
            LONG,
            () -> {
              ran.set(true);
              return CompletableFuture.completedFuture(true);
            });
    assertThat(client.waiting()).isOne();

    run.cancel(false);

    assertThat(client.waiting()).isZero();
    assertThat(ran).isFalse();
  }

  @Test
  void decide_interruptedWhileItWaits_throwsAndWaitsNoMore() throws InterruptedException {
    Exchanger<Throwable> outcome = new Exchanger<>();
    Thread caller =
        new Thread(
            () -> {
              try {
                client.decide(REQUEST, LONG);
              } catch (InterruptedException thrown) {
                exchange(outcome, thrown);
              }
            });
    caller.start();
    await().until(() -> client.waiting() == 1);

    caller.interrupt();

    assertThat(outcome.exchange(new AssertionError())).isInstanceOf(InterruptedException.class);
    assertThat(client.waiting()).isZero();
  }

  @Test
  void decide_interruptedButNeedNotWait_isDecided() throws InterruptedException {
    Thread.currentThread().interrupt();
    assertThat(client.decide(Request.of("ip", "::1"), LONG).admitted()).isTrue();
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void decide_clientCloses_returns() {
    CompletableFuture<Decision> decision =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return client.decide(REQUEST, LONG);
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    await().until(() -> client.waiting() == 1);

    client.close();

    assertThat(decision).succeedsWithin(TIMEOUT).matches(d -> !d.admitted());
  }

  @Test
  void decideAsync_othersContinuationBlocks_returnsWhenTheTimeIsUp() {
    CountDownLatch goOn = new CountDownLatch(1);
    try {
      for (int i = 0; i < 10; i++) {
        client.decideAsync(REQUEST, SHORT, Runnable::run).thenRun(() -> hold(goOn));
      }
      CompletableFuture<Decision> mine = client.decideAsync(REQUEST, SHORT, Runnable::run);

      assertThat(mine).succeedsWithin(TIMEOUT).matches(d -> !d.admitted());
    } finally {
      goOn.countDown();
    }
  }

  @Test
  void decideAsync_longestTime_waits() {
    CompletableFuture<Decision> decision = client.decideAsync(REQUEST, LONG);
    client.decideAsync(REQUEST, SHORT).join();

    assertThat(decision).isNotDone();
  }

  private static void hold(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void exchange(Exchanger<Throwable> outcome, Throwable thrown) {
    try {
      outcome.exchange(thrown, TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
