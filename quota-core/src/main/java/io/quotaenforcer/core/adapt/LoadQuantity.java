package io.quotaenforcer.core.adapt;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What an instance says of its load once a second, each over the second before. */
public enum LoadQuantity {
  /** Of the processors that the instance may use, the part that was busy. */
  CPU("cpu", LoadUnit.PART),
  /** Requests that have begun and not ended, those that wait inside of the service among them. */
  IN_FLIGHT("in-flight", LoadUnit.COUNT),
  /** Requests that ended without an error. */
  THROUGHPUT("throughput", LoadUnit.PER_SECOND),
  /** What nine of ten requests that ended took at most. */
  LATENCY_P90("latency.p90", LoadUnit.NANOS),
  /** What 99 of 100 requests that ended took at most. */
  LATENCY_P99("latency.p99", LoadUnit.NANOS),
  /** Of the requests that ended, the part that ended with an error. */
  ERRORS("errors", LoadUnit.PART),
  /** Requests that wait for a thread, a connection or whatever the service is short of. */
  QUEUE("queue", LoadUnit.COUNT);

  private final String spelling;
  private final LoadUnit unit;

  LoadQuantity(String spelling, LoadUnit unit) {
    this.spelling = spelling;
    this.unit = unit;
  }

  /** The word for it in conditions, such as {@code latency.p99}. */
  public String spelling() {
    return spelling;
  }

  public LoadUnit unit() {
    return unit;
  }

  /** Known only of requests that ended. */
  boolean isOfEnded() {
    return switch (this) {
      case LATENCY_P90, LATENCY_P99, ERRORS -> true;
      case CPU, IN_FLIGHT, THROUGHPUT, QUEUE -> false;
    };
  }

  /** The quantity that conditions spell so. */
  public static Optional<LoadQuantity> spelled(String spelling) {
    return Arrays.stream(values()).filter(it -> it.spelling.equals(spelling)).findFirst();
  }

  static String spellings() {
    return spellings(EnumSet.allOf(LoadQuantity.class));
  }

  /** In the order above. */
  static String spellings(Set<LoadQuantity> quantities) {
    return quantities.stream()
        .sorted()
        .map(LoadQuantity::spelling)
        .collect(Collectors.joining(", "));
  }
}
