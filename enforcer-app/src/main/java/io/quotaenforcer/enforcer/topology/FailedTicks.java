package io.quotaenforcer.enforcer.topology;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work driven by the clock that failed, each time with its thread. What fails again and again rests
 * for a while, so that its partition is read all the same. Safe for use by any number of threads.
 */
final class FailedTicks {
  private static final Logger log = LoggerFactory.getLogger(FailedTicks.class);

  static final long REST_NANOS = 60_000_000_000L;

  private final LongSupplier clock;
  private final Map<String, Failure> failures = new TreeMap<>();

  private record Failure(int times, long atNanos, Throwable cause) {
    boolean isMany() {
      return times >= FailedRecords.MOST_TRIES;
    }
  }

  /**
   * @param clock monotonic nanoseconds
   */
  FailedTicks(LongSupplier clock) {
    this.clock = clock;
  }

  synchronized void add(String tick, Throwable cause) {
    Failure known = failures.get(tick);
    Failure now = new Failure(known == null ? 1 : known.times + 1, clock.getAsLong(), cause);
    failures.put(tick, now);
    if (now.isMany()) {
      log.error("{} failed {} times, and rests for a minute", tick, now.times, cause);
    }
  }

  /** The work of these ticks is committed. */
  synchronized void succeeded(Collection<String> ticks) {
    if (!failures.isEmpty()) {
      failures.keySet().removeAll(ticks);
    }
  }

  /** Whether the tick is suspended for now. */
  synchronized boolean rests(String tick) {
    Failure known = failures.isEmpty() ? null : failures.get(tick);
    return known != null && known.isMany() && clock.getAsLong() - known.atNanos < REST_NANOS;
  }

  /** A description of the failing ticks and why; empty if there are none. */
  synchronized Optional<String> many() {
    return failures.entrySet().stream()
        .filter(each -> each.getValue().isMany())
        .map(
            each ->
                "%s failed %d times, and is tried once a minute; the last by: %s"
                    .formatted(each.getKey(), each.getValue().times, each.getValue().cause))
        .findFirst();
  }
}
