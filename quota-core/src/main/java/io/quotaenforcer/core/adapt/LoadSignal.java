package io.quotaenforcer.core.adapt;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What one instance, or the instances of a service in the mean, said of the load over a second.
 * Immutable.
 *
 * @param values finite and not negative, each in the unit of its quantity, so that a part is at
 *     most 1; what is not known is not there
 */
public record LoadSignal(Map<LoadQuantity, Double> values) {
  /** Says nothing. */
  public static final LoadSignal NOTHING = new LoadSignal(Map.of());

  public LoadSignal {
    values = Map.copyOf(values);
    values.forEach(
        (quantity, value) -> {
          if (!quantity.unit().holds(value)) {
            throw new IllegalArgumentException(
                "must be %s: %s=%s"
                    .formatted(quantity.unit().bounds(), quantity.spelling(), value));
          }
        });
  }

  /** Where nothing ran, nothing took long, and nothing failed. */
  public OptionalDouble value(LoadQuantity quantity) {
    Double value = values.get(quantity);
    if (value == null && quantity.isOfEnded() && isIdle()) {
      return OptionalDouble.of(0);
    }
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  private boolean isIdle() {
    Double inFlight = values.get(LoadQuantity.IN_FLIGHT);
    return inFlight != null && inFlight == 0;
  }

  /**
   * The mean of what each says; what one of them does not say is not known of all. Of an instance
   * that ended no request there is no latency and no part of errors: those of the others count. Of
   * three instances or more, the tenth that says least and the tenth that says most do not count,
   * but for throughput: one that is ill says nothing of the service.
   */
  static LoadSignal mean(List<LoadSignal> signals) {
    Map<LoadQuantity, Double> means = new EnumMap<>(LoadQuantity.class);
    for (LoadQuantity quantity : LoadQuantity.values()) {
      double[] said =
          signals.stream()
              .filter(signal -> signal.values.containsKey(quantity))
              .mapToDouble(signal -> signal.value(quantity).orElseThrow())
              .sorted()
              .toArray();
      if (said.length > 0 && (said.length == signals.size() || quantity.isOfEnded())) {
        boolean isTrimmed = said.length >= 3 && quantity != LoadQuantity.THROUGHPUT;
        int trimmed = isTrimmed ? (said.length + 9) / 10 : 0;
        double mean = Arrays.stream(said, trimmed, said.length - trimmed).average().orElseThrow();
        // A sum of finite values may be infinite.
        means.put(quantity, Math.min(said[said.length - 1], mean));
      }
    }
    return new LoadSignal(means);
  }
}
