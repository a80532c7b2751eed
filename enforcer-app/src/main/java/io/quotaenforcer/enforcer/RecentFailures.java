package io.quotaenforcer.enforcer;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Failures of stream threads of late. A thread takes the place of each, so that one now and then
 * heals by itself; several of them do not. Safe for use by any number of threads.
 */
final class RecentFailures {
  private static final long MINUTE_NANOS = 60_000_000_000L;

  /** So many in a minute are not chance. */
  static final int MANY = 3;

  /** Nor are so many in ten minutes, where each takes long to come. */
  static final int MANY_SLOW = 6;

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
    if (times.size() > MANY_SLOW) {
      times.removeFirst();
    }
    newest = reason(failure);
  }

  /** What is said by ourselves, which names what was asked of whom; else the first cause. */
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

  /** What to say of them; empty while they are few. */
  synchronized Optional<String> many() {
    if (within(MINUTE_NANOS) >= MANY) {
      return Optional.of(said("%d times in the last minute".formatted(within(MINUTE_NANOS))));
    }
    return within(10 * MINUTE_NANOS) >= MANY_SLOW
        ? Optional.of(said("%d times in the last ten minutes".formatted(MANY_SLOW)))
        : Optional.empty();
  }

  private String said(String often) {
    return "stream threads fail again and again, %s; the last by: %s".formatted(often, newest);
  }

  private long within(long nanos) {
    long now = clock.getAsLong();
    return times.stream().filter(time -> now - time < nanos).count();
  }
}
