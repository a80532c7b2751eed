package io.quotaenforcer.bench.algorithms;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.allotment.AllotmentBook;
import java.time.Duration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The operations of each algorithm that JMH times. */
public class AlgorithmBenchmark {
  private static final long START = 1_700_000_000_000_000_000L;
  private static final long HELD = 500_000_000_000L;

  /** Requests at twice a limit, one after the other. */
  @State(Scope.Benchmark)
  public static class Requests {
    /** Place in {@link MeasuredLimit#all()}. */
    @Param("0")
    public int limit;

    private Limit measured = MeasuredLimit.all().get(0).limit();
    private LimitState state = measured.initial(START);
    private long pause;
    private long at = START;

    @Setup
    public void begin() {
      MeasuredLimit of = MeasuredLimit.all().get(limit);
      measured = of.limit();
      pause = of.pauseNanos();
      state = measured.initial(at);
    }
  }

  /** Permits that a client holds by a lease: counted alike, whatever the algorithm. */
  @State(Scope.Benchmark)
  public static class Held {
    private final OneKey key =
        new OneKey(new FixedWindow(Limit.MAX_PERMITS, Duration.ofDays(1).toNanos()), 1);
    private final AllotmentBook book = key.holding(HELD);
  }

  @Benchmark
  public boolean decide(Requests requests) {
    requests.at += requests.pause;
    boolean admitted = requests.measured.available(requests.state, requests.at) >= 1;
    if (admitted) {
      requests.state = requests.measured.book(requests.state, 1, requests.at);
    }
    return admitted;
  }

  @Benchmark
  public boolean client(Held held) {
    if (!held.key.isAdmitted(held.book)) {
      throw new IllegalStateException("the permits must last");
    }
    return true;
  }
}
