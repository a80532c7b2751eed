package io.quotaenforcer.bench.accuracy;

import io.quotaenforcer.bench.accuracy.scenario.LoopSetting;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.simulation.Timeline;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;

/** The world that a policy runs in: instances, a clock, and a network with its delays. */
record Fleet(Limit limit, int instances, LoopSetting loop, Timeline time, SplittableRandom random) {

  /** Sends something, to be handled at the other side. */
  void send(Runnable handle) {
    double delay = loop.oneWayMillis() * 1e6 * Math.exp(LoopSetting.SIGMA * random.nextGaussian());
    time.at(time.now() + (long) delay, handle);
  }

  /** Runs again and again for each instance, each at an offset of its own. */
  void eachEvery(long nanos, IntConsumer step) {
    for (int i = 0; i < instances; i++) {
      int instance = i;
      repeat(time.now() + random.nextLong(nanos), nanos, () -> step.accept(instance));
    }
  }

  /** Runs at each publish tick. */
  void eachPublish(Runnable step) {
    repeat(time.now() + loop.publishNanos(), loop.publishNanos(), step);
  }

  private void repeat(long at, long nanos, Runnable step) {
    time.at(
        at,
        () -> {
          step.run();
          repeat(at + nanos, nanos, step);
        });
  }
}
