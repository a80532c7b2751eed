package io.quotaenforcer.bench.accuracy.real;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.bench.accuracy.scenario.Demand;
import io.quotaenforcer.bench.accuracy.scenario.PolicyKind;
import io.quotaenforcer.bench.accuracy.scenario.Scenario;
import io.quotaenforcer.bench.figures.Times;
import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.lab.decider.Decider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class OpenLoopTest {
  private static final long SECOND = 1_000_000_000L;

  /** 100 requests a second for 1.2 s. */
  private static final Trial TRIAL =
      new Trial(
          new Scenario(
              "any",
              new FixedWindow(10, SECOND / 10),
              1,
              Demand.even(100, 1),
              List.of(Double.NaN, Double.NaN)),
          PolicyKind.STATIC_SPLIT,
          1,
          1);

  private final TrueTime time = TrueTime.now();

  @Test
  void requests_deciderTooSlow_areAllAskedAndLate() throws InterruptedException {
    AtomicInteger asked = new AtomicInteger();
    long[] due = TRIAL.dueNanos(0);

    InstanceLog log = run(new Busy(20_000_000, asked));

    assertThat(asked.get()).isEqualTo(due.length);
    assertThat(log.tookNanos().getMaxValue()).isGreaterThanOrEqualTo(20_000_000);
    long last = due.length - 1;
    assertThat(log.lateNanos().getMaxValue())
        .as("the last one waits for all before it")
        .isGreaterThanOrEqualTo(last * 20_000_000L - due[due.length - 1]);
    assertThat(log.cpuNanos()).isPositive();
  }

  @Test
  void times_areOfTheMeasuredWindowsOnly() throws InterruptedException {
    AtomicInteger asked = new AtomicInteger();
    long measured =
        LongStream.of(TRIAL.dueNanos(0)).filter(due -> due >= TRIAL.measuredFromNanos()).count();

    InstanceLog log = run(new Busy(0, asked));

    assertThat(measured).isPositive().isLessThan(asked.get());
    assertThat(log.lateNanos().getTotalCount()).isEqualTo(measured);
    assertThat(log.tookNanos().getTotalCount()).isEqualTo(measured);
  }

  @Test
  void requests_areNeverAskedBeforeTheyAreDue() throws InterruptedException {
    long start = time.epochNanos();
    long[] due = TRIAL.dueNanos(0);
    List<Long> times = new ArrayList<>();

    new OpenLoop(TRIAL, new Noting(times), 0, Times.histogram(), time).run(0, start);

    for (int i = 0; i < due.length; i++) {
      assertThat(times.get(i) + time.offsetNanos()).isGreaterThanOrEqualTo(start + due[i]);
    }
  }

  private InstanceLog run(Decider decider) throws InterruptedException {
    return new OpenLoop(TRIAL, decider, 0, Times.histogram(), time).run(0, time.epochNanos());
  }

  /** Takes so long for each decision. */
  private record Busy(long nanos, AtomicInteger asked) implements Decider {
    @Override
    public void decide(int key, Request request, Recorder log) {
      asked.incrementAndGet();
      long now = System.nanoTime();
      while (System.nanoTime() - now < nanos) {
        Thread.onSpinWait();
      }
      log.record(now, key, request.cost(), PermitSource.GRANTED, 0);
    }

    @Override
    public boolean awaitRules(Duration timeout) {
      return true;
    }

    @Override
    public void close() {}
  }

  /** Notes when it is asked. */
  private record Noting(List<Long> times) implements Decider {
    @Override
    public void decide(int key, Request request, Recorder log) {
      times.add(System.nanoTime());
    }

    @Override
    public boolean awaitRules(Duration timeout) {
      return true;
    }

    @Override
    public void close() {}
  }
}
