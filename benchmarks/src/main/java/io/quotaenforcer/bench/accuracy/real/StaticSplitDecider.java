package io.quotaenforcer.bench.accuracy.real;

import io.quotaenforcer.bench.accuracy.scenario.Arrivals;
import io.quotaenforcer.bench.accuracy.scenario.LocalLimit;
import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.lab.decider.Decider;
import java.time.Duration;

/** Decides by an equal part of the limit, and asks nobody. */
final class StaticSplitDecider implements Decider {
  private final Limit limit;
  private final LocalLimit part;
  private final long startEpochNanos;
  private final TrueTime time;

  /**
   * @param startEpochNanos of the trial, at which the part is whole
   */
  StaticSplitDecider(Trial trial, int instance, long startEpochNanos, TrueTime time) {
    limit = trial.scenario().limit();
    part = new LocalLimit(limit, trial.scenario().instances(), instance);
    this.startEpochNanos = startEpochNanos;
    this.time = time;
  }

  @Override
  public void decide(int key, Request request, Recorder log) {
    long now = System.nanoTime();
    long epoch = now + time.offsetNanos();
    boolean admitted = part.tryTake(Arrivals.START + epoch - startEpochNanos);
    long window = limit.cellWindow(epoch);
    log.record(
        now, key, request.cost(), admitted ? PermitSource.GRANTED : PermitSource.NONE, window);
  }

  @Override
  public boolean awaitRules(Duration timeout) {
    return true;
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
