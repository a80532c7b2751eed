package io.quotaenforcer.bench.gateway.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoadTest {
  private static final Users USERS = new Users(10_000);

  private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

  private final ExecutorService server = Executors.newSingleThreadExecutor();

  @AfterEach
  void stop() {
    server.shutdownNow();
  }

  /** A server that stands still once: whoever came meanwhile has waited, not only one request. */
  @Test
  void open_timesFromWhenARequestWasDue() throws Exception {
    AtomicInteger calls = new AtomicInteger();

    Load.Result result =
        Load.open(
            caller(
                () -> {
                  if (calls.incrementAndGet() == 100) {
                    LockSupport.parkNanos(STALL_NANOS);
                  }
                }),
            USERS,
            1_000,
            Duration.ofSeconds(1));

    assertThat(result.answered()).isEqualTo(1_000);
    assertThat(result.failed()).isZero();
    // 300 of 1,000 were due while it stood still, half of which waited for 150 ms and more.
    assertThat(result.times().getValueAtPercentile(80))
        .isGreaterThan(TimeUnit.MILLISECONDS.toNanos(50));
    assertThat(result.times().getMaxValue()).isGreaterThan(STALL_NANOS / 2);
  }

  @Test
  void closed_keepsSoManyUnderWay_andCountsWhatCame() throws Exception {
    AtomicInteger underWay = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Caller counting =
        new Calls(
            (user, receiver) -> {
              most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
              server.execute(
                  () -> {
                    underWay.decrementAndGet();
                    receiver.received(
                        user % 2 == 0 ? Caller.Answer.ADMITTED : Caller.Answer.REFUSED);
                  });
            });

    Load.Result result = Load.closed(counting, USERS, 8, Duration.ofMillis(200));

    assertThat(most.get()).isEqualTo(8);
    assertThat(result.answered()).isPositive();
    assertThat(result.refused()).isBetween(result.answered() / 4, result.answered() * 3 / 4 + 1);
    assertThat(underWay.get()).isZero();
  }

  @Test
  void closed_requestsThatFail_areCounted_andNotRepeated() throws Exception {
    Caller failing =
        new Calls(
            (user, receiver) -> server.execute(() -> receiver.received(Caller.Answer.FAILED)));

    assertThat(Load.closed(failing, USERS, 4, Duration.ofSeconds(20)).failed()).isEqualTo(4);
  }

  private Caller caller(Runnable work) {
    return new Calls(
        (user, receiver) ->
            server.execute(
                () -> {
                  work.run();
                  receiver.received(Caller.Answer.ADMITTED);
                }));
  }

  private interface Call {
    void call(int user, Caller.Receiver receiver);
  }

  private record Calls(Call each) implements Caller {
    @Override
    public void call(int user, Receiver receiver) {
      each.call(user, receiver);
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }
}
