package io.quotaenforcer.core.adapt;

/**
 * What is known of a service's load at one moment. Immutable.
 *
 * @param mean of the instances that were heard
 * @param heard instances whose signal is fresh
 * @param known those and the ones that have fallen silent lately
 */
public record ServiceLoad(LoadSignal mean, int heard, int known) {
  /** Nobody was ever heard. */
  public static final ServiceLoad UNKNOWN = new ServiceLoad(LoadSignal.NOTHING, 0, 0);

  public ServiceLoad {
    if (heard < 0 || known < heard) {
      throw new IllegalArgumentException(
          "must be 0 <= heard <= known: heard=%d, known=%d".formatted(heard, known));
    }
  }

  /** Of one instance. */
  public static ServiceLoad of(LoadSignal signal) {
    return new ServiceLoad(signal, 1, 1);
  }

  /** Fewer than half of the instances are heard: what the others say is not the service's load. */
  boolean isLost() {
    return heard == 0 || 2 * heard < known;
  }

  /** Whoever is silent may be so because it is overloaded. */
  boolean isWhole() {
    return heard > 0 && heard == known;
  }
}
