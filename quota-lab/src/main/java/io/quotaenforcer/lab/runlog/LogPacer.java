package io.quotaenforcer.lab.runlog;

/**
 * Turns log time into the time at which a line is due when the log runs {@code speed} times as fast
 * as it was made. The first line is due at the start; a line earlier than a previous one is due at
 * once.
 */
public final class LogPacer {
  private final double speed;
  private final long startNanos;
  private long originNanos;
  private long lastDueNanos;
  private boolean started;

  /**
   * A pacer before its first line.
   *
   * @param startNanos when the first line is due, on the caller's clock
   */
  public LogPacer(double speed, long startNanos) {
    if (!(speed > 0 && speed <= 1e6)) {
      throw new IllegalArgumentException("must be > 0 and <= 1000000: speed=" + speed);
    }
    this.speed = speed;
    this.startNanos = startNanos;
    this.lastDueNanos = startNanos;
  }

  /** Time at which a line is due, on the caller's clock; never before the previous line's. */
  public long dueNanos(long logNanos) {
    if (!started) {
      started = true;
      originNanos = logNanos;
    }
    long due = startNanos + (long) ((logNanos - originNanos) / speed);
    lastDueNanos = Math.max(lastDueNanos, due);
    return lastDueNanos;
  }

  /** The log's time at a moment on the caller's clock; undefined before the first line. */
  public long logNanos(long nowNanos) {
    if (!started) {
      throw new IllegalStateException("must have been given a line first");
    }
    return originNanos + (long) ((nowNanos - startNanos) * speed);
  }

  /** A real duration in log time. */
  public double logSeconds(long nanos) {
    return nanos * speed / 1e9;
  }
}
