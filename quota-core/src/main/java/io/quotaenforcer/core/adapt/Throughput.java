package io.quotaenforcer.core.adapt;

/**
 * What a service got done lately while a condition held: seconds differ by chance, their mean less.
 * Immutable.
 *
 * @param perSecond of all instances together, in the mean: plain of the first {@value
 *     #MEAN_SECONDS}, then a moving one of as many, so that it follows a service whose capacity
 *     changes
 * @param seconds whose mean it is
 */
public record Throughput(double perSecond, int seconds) {
  static final int MEAN_SECONDS = 8;

  static final Throughput NONE = new Throughput(0, 0);

  /** What the load does not say is not counted. */
  Throughput with(ServiceLoad load) {
    double perInstance = load.mean().value(LoadQuantity.THROUGHPUT).orElse(-1);
    if (perInstance < 0) {
      return this;
    }
    double all = Math.min(Double.MAX_VALUE, perInstance * load.known());
    int next = Math.min(MEAN_SECONDS, seconds + 1);
    return new Throughput(perSecond + (all - perSecond) / next, next);
  }
}
