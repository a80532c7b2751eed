package io.quotaenforcer.core.algorithm;

/**
 * At most {@code permits} in the last {@code slots} parts of a period, of which the current one has
 * only begun: what was used is forgotten a part at a time.
 *
 * <p>Counts a permit for one period at most, and for one period less a part at least. State: start
 * of the current part, its count, then the counts of those before it, newest first.
 */
public record SlidingSubWindows(long permits, long periodNanos, int slots)
    implements RenewingLimit {
  public static final int MIN_SLOTS = 2;
  public static final int MAX_SLOTS = 100;

  /** 10 ms: shorter ones are below the time that a report takes. */
  public static final long MIN_SLOT_NANOS = 10_000_000L;

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
  public LimitState initial(long now) {
    long[] words = new long[1 + slots];
    words[0] = slotStart(now);
    return LimitState.of(words);
  }

  @Override
  public LimitState advance(LimitState state, long now) {
    long target = slotStart(now);
    if (target <= state.word(0)) {
      return state;
    }
    long turned = (target - state.word(0)) / borderNanos();
    long[] words = new long[1 + slots];
    words[0] = target;
    for (int i = 1; i <= slots && i + turned <= slots; i++) {
      words[(int) (i + turned)] = state.word(i);
    }
    return LimitState.of(words);
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
  public LimitState book(LimitState state, long used, long at) {
    LimitState turned = advance(state, at);
    long age = (turned.word(0) - slotStart(at)) / borderNanos();
    return age >= slots
        ? turned
        : turned.with(1 + (int) age, Limits.count(turned.word(1 + (int) age), used));
  }

  /** Takes from the parts since {@code at}, the oldest first: what is left fades no sooner. */
  @Override
  public LimitState unbook(LimitState state, long unused, long at) {
    long age = (state.word(0) - slotStart(at)) / borderNanos();
    if (age >= slots || slotStart(at) > state.word(0)) {
      return state;
    }
    LimitState after = state;
    long left = unused;
    for (int i = 1 + (int) age; i >= 1 && left > 0; i--) {
      long taken = Math.min(left, after.word(i));
      after = after.with(i, after.word(i) - taken);
      left -= taken;
    }
    return after;
  }

  @Override
  public long used(LimitState state, long now) {
    LimitState turned = advance(state, now);
    return sum(turned, slots);
  }

  @Override
  public long availableAt(LimitState state, long wanted, long now) {
    if (wanted > permits) {
      return Long.MAX_VALUE;
    }
    LimitState turned = advance(state, now);
    if (available(turned, now) >= wanted) {
      return now;
    }
    int kept = slots - 1;
    while (sum(turned, kept) > permits - wanted) {
      kept--;
    }
    return turned.word(0) + (slots - kept) * borderNanos();
  }

  @Override
  public long resetAt(LimitState state, long now) {
    LimitState turned = advance(state, now);
    for (int i = 1; i <= slots; i++) {
      if (turned.word(i) > 0) {
        return turned.word(0) + (slots + 1 - i) * borderNanos();
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
  public LimitTerms terms() {
    return LimitTerms.of(Algorithm.SLIDING_SUB_WINDOWS, permits, periodNanos).withSlots(slots);
  }

  /** What was counted in the newest parts. */
  private static long sum(LimitState turned, int newest) {
    long sum = 0;
    for (int i = 1; i <= newest; i++) {
      sum = Limits.count(sum, turned.word(i));
    }
    return sum;
  }

  private long slotStart(long at) {
    return Math.floorDiv(at, borderNanos()) * borderNanos();
  }
}
