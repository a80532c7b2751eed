package io.quotaenforcer.simulation.overload;

/** The fixed limit that would have been best, which is known only afterwards. */
final class BestFixed {
  private static final double STEP = 0.05;
  private static final double FINE = 0.01;

  private BestFixed() {}

  /** Answers in time, since the trouble began, under the best one. */
  static long good(ServiceRun run) {
    long best = good(run, LimitLaw.WRITTEN);
    double part = 1;
    for (int i = 5; i <= 20; i++) {
      long good = good(run, i * STEP);
      if (good > best) {
        best = good;
        part = i * STEP;
      }
    }
    for (int i = -4; i <= 4; i++) {
      best = Math.max(best, good(run, part + i * FINE));
    }
    return best;
  }

  private static long good(ServiceRun run, double part) {
    return run.run(new RateGate(part * run.capacity())).goodInTrouble();
  }
}
