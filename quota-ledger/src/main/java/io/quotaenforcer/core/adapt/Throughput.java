package io.quotaenforcer.core.adapt;

/**
 * What a service got done while a condition held: seconds differ by chance, their mean less.
 * Immutable.
 *
 * @param sumPerSecond of all instances together, summed up over the seconds
 */
public record Throughput(double sumPerSecond, int seconds) {
  static final Throughput NONE = new Throughput(0, 0);

  /** What the load does not say is not counted. */
  Throughput with(ServiceLoad load) {
    double perInstance = load.mean().value(LoadQuantity.THROUGHPUT).orElse(-1);
    if (perInstance < 0 || seconds == Integer.MAX_VALUE) {
      return this;
    }
    double sum = sumPerSecond + perInstance * load.known();
    return new Throughput(Math.min(Double.MAX_VALUE, sum), seconds + 1);
  }

  double perSecond() {
    return seconds == 0 ? 0 : sumPerSecond / seconds;
  }
}
