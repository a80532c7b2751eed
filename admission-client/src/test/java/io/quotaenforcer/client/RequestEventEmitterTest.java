package io.quotaenforcer.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An emitter without Kafka: its events wait. */
@Timeout(60)
class RequestEventEmitterTest {
  private static final Request REQUEST = Request.of("user", "42");

  private static RequestEventEmitter emitter(int capacity) {
    return RequestEventEmitter.create(
        Map.of("bootstrap.servers", "127.0.0.1:9", "request.events.capacity", capacity));
  }

  @Test
  void events_thatThereIsNoRoomFor_areDroppedAndCounted() {
    RequestEventEmitter emitter = emitter(3);
    for (int i = 0; i < 3; i++) {
      assertThat(emitter.emit(REQUEST, Outcome.ADMITTED)).isTrue();
    }
    assertThat(emitter.dropped()).isZero();

    assertThat(emitter.emit(REQUEST, Outcome.THROTTLED)).isFalse();
    assertThat(emitter.emit(REQUEST, Outcome.ADMITTED)).isFalse();

    assertThat(emitter.dropped()).isEqualTo(2);
    assertThat(emitter.acknowledged()).isZero();
    emitter.close(Duration.ZERO);
  }

  @Test
  void events_ofManyThreads_areTakenOrCounted_eachOnce() throws Exception {
    RequestEventEmitter emitter = emitter(5_000);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Integer>> tasks = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        tasks.add(
            () -> {
              int taken = 0;
              for (int i = 0; i < 2_000; i++) {
                taken += emitter.emit(REQUEST, Outcome.ADMITTED) ? 1 : 0;
              }
              return taken;
            });
      }
      int taken = 0;
      for (Future<Integer> each : threads.invokeAll(tasks)) {
        taken += each.get();
      }
      assertThat(taken).isEqualTo(5_000);
      assertThat(emitter.dropped()).isEqualTo(3_000);
    } finally {
      threads.shutdownNow();
      emitter.close(Duration.ZERO);
    }
  }

  @Test
  void close_nobodyTakesTheEvents_endsWithinItsTime() {
    RequestEventEmitter emitter = emitter(3);
    emitter.emit(REQUEST, Outcome.ADMITTED);
    long begun = System.nanoTime();

    emitter.close(Duration.ofMillis(200));

    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
  }

  @Test
  void settings_areThoseOfTheClient_andChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> emitter(0))
        .withMessageContaining("request.events.capacity=0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RequestEventEmitter.create(Map.of("service", "web")))
        .withMessageContaining("bootstrap.servers");
  }
}
