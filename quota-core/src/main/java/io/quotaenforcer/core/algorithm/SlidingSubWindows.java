package io.quotaenforcer.core.algorithm;

import java.util.Arrays;

/**
 * At most {@code permits} in the last {@code slots} parts of a period, of which the current one has
 * only begun: what was used is forgotten a part at a time.
 *
 * <p>Counts a permit for one period at most, and for one period less a part at least.
 */
public record SlidingSubWindows(long permits, long periodNanos, int slots)
    implements RenewingLimit {
  public static final int MIN_SLOTS = 2;
  public static final int MAX_SLOTS = 100;

  /** 10 ms: shorter ones are below the time that a report takes. */
  public static final long MIN_SLOT_NANOS = 10_000_000L;

  /** The permits used in each part. Must not be changed once made. */
  public static final class State implements LimitState {
    private final long startNanos;
    private final long[] counts;

    private State(long startNanos, long[] counts) {
      this.startNanos = startNanos;
      this.counts = counts;
    }

    /**
     * Copies the counts.
     *
     * @param startNanos of the current part
     * @param counts of the current part, and of those before it, newest first
     */
    public static State of(long startNanos, long... counts) {
      return new State(startNanos, counts.clone());
    }

    public long startNanos() {
      return startNanos;
    }

    public int parts() {
      return counts.length;
    }

    /** Permits used in the part {@code age} parts before the current one. */
    public long count(int age) {
      return counts[age];
    }

    private State with(int age, long count) {
      long[] changed = counts.clone();
      changed[age] = count;
      return new State(startNanos, changed);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof State that
          && startNanos == that.startNanos
          && Arrays.equals(counts, that.counts);
    }

    @Override
    public int hashCode() {
      return 31 * Long.hashCode(startNanos) + Arrays.hashCode(counts);
    }

    @Override
    public String toString() {
      return "State[startNanos=%d, counts=%s]".formatted(startNanos, Arrays.toString(counts));
    }
  }

  public SlidingSubWindows {
    Limits.check(permits, periodNanos);
    if (slots < MIN_SLOTS || slots > MAX_SLOTS) {
      throw new IllegalArgumentException(
          "must be between " + MIN_SLOTS + " and " + MAX_SLOTS + ": slots=" + slots);
    }
    if (periodNanos % slots != 0 || periodNanos / slots < MIN_SLOT_NANOS) {
      throw new IllegalArgumentException(
          "must divide the period into equal parts of at least 10 ms: slots=" + slots);
    }
  }

  @Override
  public long capacity() {
    return permits;
  }

  @Override
  public State initial(long now) {
    return new State(slotStart(now), new long[slots]);
  }

  @Override
  public State advance(LimitState state, long now) {
    State before = (State) state;
    long target = slotStart(now);
    if (target <= before.startNanos) {
      return before;
    }
    long turned = (target - before.startNanos) / borderNanos();
    long[] counts = new long[slots];
    for (int age = 0; age < slots && age + turned < slots; age++) {
      counts[(int) (age + turned)] = before.counts[age];
    }
    return new State(target, counts);
  }

  @Override
  public long available(LimitState state, long at) {
    return permits - used(state, at);
  }

  /** As if all that was used had been so in the oldest part. */
  @Override
  public long mostAvailable(long known, long knownAt, long at) {
    return slotStart(at) > slotStart(knownAt) ? permits : known;
  }

  @Override
  public State book(LimitState state, long used, long at) {
    State turned = advance(state, at);
    long age = (turned.startNanos - slotStart(at)) / borderNanos();
    return age >= slots
        ? turned
        : turned.with((int) age, Limits.count(turned.counts[(int) age], used));
  }

  /** Takes from the parts since {@code at}, the oldest first: what is left fades no sooner. */
  @Override
  public State unbook(LimitState state, long unused, long at) {
    State before = (State) state;
    long oldest = (before.startNanos - slotStart(at)) / borderNanos();
    if (oldest >= slots || slotStart(at) > before.startNanos) {
      return before;
    }
    long[] counts = before.counts.clone();
    long left = unused;
    for (int age = (int) oldest; age >= 0 && left > 0; age--) {
      long taken = Math.min(left, counts[age]);
      counts[age] -= taken;
      left -= taken;
    }
    return new State(before.startNanos, counts);
  }

  @Override
  public long used(LimitState state, long now) {
    return sum(advance(state, now), slots);
  }

  @Override
  public long availableAt(LimitState state, long wanted, long now) {
    if (wanted > permits) {
      return Long.MAX_VALUE;
    }
    State turned = advance(state, now);
    if (available(turned, now) >= wanted) {
      return now;
    }
    int kept = slots - 1;
    while (sum(turned, kept) > permits - wanted) {
      kept--;
    }
    return turned.startNanos + (slots - kept) * borderNanos();
  }

  @Override
  public long resetAt(LimitState state, long now) {
    State turned = advance(state, now);
    for (int age = 0; age < slots; age++) {
      if (turned.counts[age] > 0) {
        return turned.startNanos + (slots - age) * borderNanos();
      }
    }
    return now;
  }

  @Override
  public boolean bordersMatter() {
    return true;
  }

  @Override
  public long borderNanos() {
    return periodNanos / slots;
  }

  @Override
  public boolean countsAlike(Limit other) {
    return other instanceof SlidingSubWindows that
        && periodNanos == that.periodNanos
        && slots == that.slots;
  }

  @Override
  public SlidingSubWindows withPermits(long newPermits) {
    return new SlidingSubWindows(newPermits, periodNanos, slots);
  }

  @Override
  public boolean isDivisible() {
    return true;
  }

  @Override
  public RenewalTerms renewal() {
    return new RenewalTerms.Slots(borderNanos(), slots, false);
  }

  @Override
  public LimitTerms terms() {
    return LimitTerms.of(Algorithm.SLIDING_SUB_WINDOWS, permits, periodNanos).withSlots(slots);
  }

  /** The permits counted in the newest parts. */
  private static long sum(State turned, int newest) {
    long sum = 0;
    for (int age = 0; age < newest; age++) {
      sum = Limits.count(sum, turned.counts[age]);
    }
    return sum;
  }

  private long slotStart(long at) {
    return Math.floorDiv(at, borderNanos()) * borderNanos();
  }
}
