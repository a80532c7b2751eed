package io.quotaenforcer.bench.accuracy.instance;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.bench.accuracy.scenario.Demand;
import io.quotaenforcer.bench.accuracy.scenario.Scenario;
import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.enforcer.decider.Decider;
import java.time.Duration;
import java.util.List;
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
          RealPolicy.STATIC_SPLIT,
          Trial.Jvms.ONE,
          1,
          1);

  private final TrueTime time = TrueTime.now();

  @Test
  void requests_deciderTooSlow_areAllAskedAndLate() throws InterruptedException {
    InstanceLog log = run(new Busy(20_000_000));

    int last = log.size() - 1;
    assertThat(log.size()).isEqualTo(TRIAL.dueNanos(0).length);
    assertThat(log.tookNanos(last)).isGreaterThanOrEqualTo(20_000_000);
    assertThat(log.lateNanos(last))
        .as("it waits for all before it")
        .isGreaterThanOrEqualTo(last * 20_000_000L - log.dueNanos(last));
    assertThat(log.cpuNanos()).isPositive();
  }

  @Test
  void requests_areNeverAskedBeforeTheyAreDue() throws InterruptedException {
    InstanceLog log = run(new Busy(0));

    for (int i = 0; i < log.size(); i++) {
      assertThat(log.lateNanos(i)).isNotNegative();
      assertThat(log.dueNanos(i)).isEqualTo(TRIAL.dueNanos(0)[i]);
    }
  }

  private InstanceLog run(Decider decider) throws InterruptedException {
    return new OpenLoop(TRIAL, decider, 0, new LoopLog(), time).run(0, time.epochNanos());
  }

  /** Takes so long for each decision. */
  private record Busy(long nanos) implements Decider {
    @Override
    public void decide(int key, Request request, Recorder log) {
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
}
