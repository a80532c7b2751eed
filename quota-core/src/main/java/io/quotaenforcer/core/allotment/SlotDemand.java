package io.quotaenforcer.core.allotment;

/**
 * How many slots of a concurrency limit an instance wants at a time: those that are held and those
 * that were refused lately. What was wanted more is believed at once, and forgotten over about
 * {@value #LOOPS} report intervals, since requests are short and come unevenly. Belongs to the
 * owner of the book.
 */
final class SlotDemand {
  private static final int LOOPS = 6;
  private static final double DEVIATIONS = 3;

  /** Less than this is chance. */
  private static final double NOTHING = 0.02;

  private final double forgetNanos;
  private double peak;
  private long running;
  private long measuredNanos;

  SlotDemand(long reportIntervalNanos, long now) {
    this.forgetNanos = (double) LOOPS * reportIntervalNanos;
    this.measuredNanos = now;
  }

  /**
   * A look at the key.
   *
   * @param nowRunning slots that requests hold
   * @param refused slots that were asked for in vain since the last look
   * @param most of the limit
   */
  void measure(long nowRunning, long refused, long most, long now) {
    double wanted = Math.min(most, nowRunning + Math.min(refused, most));
    double weight = 1 - Math.exp(-Math.max(0, now - measuredNanos) / forgetNanos);
    peak = wanted >= peak ? wanted : peak + (wanted - peak) * weight;
    peak = peak < NOTHING ? 0 : peak;
    running = nowRunning;
    measuredNanos = now;
  }

  /** Slots wanted at a time. */
  double slots() {
    return peak;
  }

  /** Slots that requests held at the last look. */
  long running() {
    return running;
  }

  /**
   * Free slots that are worth keeping.
   *
   * @param waiting slots that requests wait for
   * @param isScarce whether others lack some
   */
  long worthKeeping(long waiting, boolean isScarce) {
    double margin = isScarce ? 0 : 1 + DEVIATIONS * Math.sqrt(peak);
    return waiting + (long) Math.ceil(Math.max(0, peak - running) + margin);
  }
}
