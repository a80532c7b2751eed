package io.quotaenforcer.enforcer;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Failures of stream threads in the last minute. Each failed thread is replaced, so that an
 * occasional failure heals by itself; several do not. Safe for use by any number of threads.
 */
final class RecentFailures {
  private static final long MINUTE_NANOS = 60_000_000_000L;

  /** This many in a minute are no coincidence. */
  static final int MANY = 3;

  /**
   * Without a failure for this long it is over. A thread that fails at the same record again does
   * so within about 12 s: its successor waits for the session of the failed one to end, and may
   * wait for a registry then.
   */
  private static final long CALM_NANOS = 20_000_000_000L;

  private static final String OURS = "io.quotaenforcer.";

  private final LongSupplier clock;
  private final Deque<Long> times = new ArrayDeque<>();
  private String newest = "";

  /**
   * @param clock monotonic nanoseconds
   */
  RecentFailures(LongSupplier clock) {
    this.clock = clock;
  }

  synchronized void add(Throwable failure) {
    long now = clock.getAsLong();
    times.addLast(now);
    if (times.size() > MANY) {
      times.removeFirst();
    }
    newest = reason(failure);
  }

  /** Our own exception, which names the request and its peer; else the first cause. */
  private static String reason(Throwable failure) {
    String ours = "";
    Throwable cause = failure;
    while (true) {
      boolean named = cause.getMessage() != null;
      if (named && cause.getClass().getName().startsWith(OURS)) {
        ours = String.valueOf(cause.getMessage());
      }
      if (cause.getCause() == null) {
        return ours.isEmpty() ? cause.toString() : ours;
      }
      cause = cause.getCause();
    }
  }

  /** A description of the failures; empty while they are few. */
  synchronized Optional<String> many() {
    long now = clock.getAsLong();
    boolean many =
        times.size() == MANY
            && now - times.getFirst() < MINUTE_NANOS
            && now - times.getLast() < CALM_NANOS;
    return many
        ? Optional.of(
            "stream threads fail again and again, %d times in the last minute; the last by: %s"
                .formatted(MANY, newest))
        : Optional.empty();
  }
}
