package io.quotaenforcer.bench.accuracy.scenario;

/** Permits asked for per second of an instance at a time. */
@FunctionalInterface
public interface Demand {
  double perSecond(int instance, double seconds);

  /** Changes happen at whole multiples of this. */
  double STEP_SECONDS = 3;

  static Demand even(double perSecond, int instances) {
    return (instance, seconds) -> perSecond / instances;
  }

  /** Nine tenths on the first instance. */
  static Demand oneHot(double perSecond, int instances) {
    return (instance, seconds) -> hot(instance == 0, perSecond, instances);
  }

  /** Nine tenths on one instance, another one each 3 s. */
  static Demand movingHot(double perSecond, int instances) {
    return (instance, seconds) ->
        hot(instance == (int) (seconds / STEP_SECONDS) % instances, perSecond, instances);
  }

  /** Ten times the limit every other 3 s, half of it between. */
  static Demand bursts(double limitPerSecond, int instances) {
    return (instance, seconds) ->
        limitPerSecond * ((int) (seconds / STEP_SECONDS) % 2 == 0 ? 0.5 : 10) / instances;
  }

  /** The i-th instance has a share in proportion to 1 / i. */
  static Demand zipf(double perSecond, int instances) {
    double sum = 0;
    for (int i = 1; i <= instances; i++) {
      sum += 1.0 / i;
    }
    double all = sum;
    return (instance, seconds) -> perSecond / (instance + 1) / all;
  }

  private static double hot(boolean isHot, double perSecond, int instances) {
    return isHot ? 0.9 * perSecond : 0.1 * perSecond / (instances - 1);
  }
}
