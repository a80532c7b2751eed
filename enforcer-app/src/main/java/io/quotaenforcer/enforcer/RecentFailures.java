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

  /**
   * Failures that go on for this long are a loop: what each new thread fails at is in this process,
   * or in its stores. Records that a thread fails at are put aside long before.
   */
  private static final long LOOP_NANOS = 300_000_000_000L;

  private static final String OURS = "io.quotaenforcer.";

  private final LongSupplier clock;
  private final Deque<Long> times = new ArrayDeque<>();
  private String newest = "";
  private long seriesNanos;
  private int ofUs;
  private int ofOthers;

  /**
   * @param clock monotonic nanoseconds
   */
  RecentFailures(LongSupplier clock) {
    this.clock = clock;
  }

  /**
   * A thread failed.
   *
   * @param isOfOthers whether it failed because of brokers, the network or a registry, which a
   *     restart does not help
   */
  synchronized void add(Throwable failure, boolean isOfOthers) {
    long now = clock.getAsLong();
    if (times.isEmpty() || now - times.getLast() >= CALM_NANOS) {
      seriesNanos = now;
      ofUs = 0;
      ofOthers = 0;
    }
    ofUs += isOfOthers ? 0 : 1;
    ofOthers += isOfOthers ? 1 : 0;
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

  /** Why only a restart may help; empty while that is not so. */
  synchronized Optional<String> loop() {
    long now = clock.getAsLong();
    boolean loops =
        !times.isEmpty()
            && now - times.getLast() < CALM_NANOS
            && times.getLast() - seriesNanos >= LOOP_NANOS
            && ofUs > ofOthers;
    return loops
        ? Optional.of(
            "stream threads have failed one after the other for %d minutes, %d times; the last by: %s"
                .formatted((now - seriesNanos) / MINUTE_NANOS, (long) ofUs + ofOthers, newest))
        : Optional.empty();
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
