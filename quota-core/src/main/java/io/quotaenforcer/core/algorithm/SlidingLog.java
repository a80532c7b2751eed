package io.quotaenforcer.core.algorithm;

import java.util.Arrays;

/**
 * Sliding-window log: at most {@code permits} in any period whatsoever, {@code (t - period, t]} for
 * every t.
 *
 * <p>Remembers when permits were used, in up to {@value #MAX_MOMENTS} different moments of a
 * period. Where there are more, moments are rounded up to the next {@value #MAX_MOMENTS}th part of
 * the period, so that a permit counts by that much too long, and never too short.
 *
 * @param countsThrottled whether a throttled request counts as if it had been admitted, so that a
 *     client that does not slow down stays throttled
 */
public record SlidingLog(long permits, long periodNanos, boolean countsThrottled)
    implements RenewingLimit {
  static final int MAX_MOMENTS = 100;

  /** Under 2 % of what is used counts for too long, where many requests are counted together. */
  private static final int SLICES = 64;

  /** When permits were used; may not be changed once it is made. */
  public static final class State implements LimitState {
    private final long newestNanos;
    private final boolean rounded;

    /** Each moment and then its permits, oldest first. */
    private final long[] uses;

    private State(long newestNanos, boolean rounded, long[] uses) {
      this.newestNanos = newestNanos;
      this.rounded = rounded;
      this.uses = uses;
    }

    /**
     * Copies what was used.
     *
     * @param newestNanos newest time seen
     * @param rounded whether moments are rounded
     * @param uses each moment and then its permits, oldest first
     */
    public static State of(long newestNanos, boolean rounded, long... uses) {
      return new State(newestNanos, rounded, uses.clone());
    }

    public long newestNanos() {
      return newestNanos;
    }

    public boolean isRounded() {
      return rounded;
    }

    public int moments() {
      return uses.length / 2;
    }

    public long moment(int index) {
      return uses[2 * index];
    }

    public long permits(int index) {
      return uses[2 * index + 1];
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof State that
          && newestNanos == that.newestNanos
          && rounded == that.rounded
          && Arrays.equals(uses, that.uses);
    }

    @Override
    public int hashCode() {
      return 31 * Long.hashCode(newestNanos) + Arrays.hashCode(uses);
    }

    @Override
    public String toString() {
      return "State[newestNanos=%d, rounded=%s, uses=%s]"
          .formatted(newestNanos, rounded, Arrays.toString(uses));
    }
  }

  public SlidingLog {
    Limits.check(permits, periodNanos);
  }

  @Override
  public long capacity() {
    return permits;
  }

  @Override
  public State initial(long now) {
    return new State(now, false, new long[0]);
  }

  @Override
  public State advance(LimitState state, long now) {
    State before = (State) state;
    if (now <= before.newestNanos) {
      return before;
    }
    int gone = 0;
    while (gone < before.moments() && before.moment(gone) <= now - periodNanos) {
      gone++;
    }
    long[] uses = Arrays.copyOfRange(before.uses, 2 * gone, before.uses.length);
    return new State(now, before.rounded && uses.length > 0, uses);
  }

  @Override
  public long available(LimitState state, long at) {
    return permits - used(state, at);
  }

  /** As if all that was used had been so a period less a {@value #MAX_MOMENTS}th part ago. */
  @Override
  public long mostAvailable(long known, long knownAt, long at) {
    return at > knownAt + periodNanos / MAX_MOMENTS ? permits : known;
  }

  @Override
  public State book(LimitState state, long used, long at) {
    State turned = advance(state, at);
    if (at <= turned.newestNanos - periodNanos || used == 0) {
      return turned;
    }
    State booked = insert(turned, used, turned.rounded ? roundedUp(at) : at);
    return !booked.rounded && booked.moments() > MAX_MOMENTS ? rounded(booked) : booked;
  }

  /** Takes what was used since {@code at}, the oldest first: what is left stays no shorter. */
  @Override
  public State unbook(LimitState state, long unused, long at) {
    State before = (State) state;
    if (at <= before.newestNanos - periodNanos) {
      return before;
    }
    long[] uses = new long[before.uses.length];
    int size = 0;
    long left = unused;
    for (int i = 0; i < before.moments(); i++) {
      long taken = before.moment(i) < at ? 0 : Math.min(left, before.permits(i));
      left -= taken;
      if (before.permits(i) > taken) {
        uses[size++] = before.moment(i);
        uses[size++] = before.permits(i) - taken;
      }
    }
    return new State(before.newestNanos, before.rounded, Arrays.copyOf(uses, size));
  }

  @Override
  public long used(LimitState state, long now) {
    State log = (State) state;
    long gone = Math.max(now, log.newestNanos) - periodNanos;
    long sum = 0;
    for (int i = 0; i < log.moments(); i++) {
      sum = log.moment(i) > gone ? Limits.count(sum, log.permits(i)) : sum;
    }
    return sum;
  }

  @Override
  public long availableAt(LimitState state, long wanted, long now) {
    if (wanted > permits) {
      return Long.MAX_VALUE;
    }
    if (available(state, now) >= wanted) {
      return now;
    }
    State log = (State) state;
    long sum = 0;
    int oldestKept = log.moments();
    while (oldestKept > 0 && sum <= permits - wanted) {
      oldestKept--;
      sum = Limits.count(sum, log.permits(oldestKept));
    }
    return log.moment(oldestKept) + periodNanos;
  }

  @Override
  public long resetAt(LimitState state, long now) {
    State log = (State) state;
    int moments = log.moments();
    return moments == 0 ? now : Math.max(now, log.moment(moments - 1) + periodNanos);
  }

  @Override
  public boolean isRounded(LimitState state) {
    return ((State) state).rounded;
  }

  /** A throttled request counts against the whole limit, which no holder of a part knows. */
  @Override
  public boolean isDivisible() {
    return !countsThrottled;
  }

  @Override
  public SlidingLog withPermits(long newPermits) {
    return new SlidingLog(newPermits, periodNanos, countsThrottled);
  }

  /**
   * By {@value #SLICES} slots of a period, each of which counts until all of it is a period ago.
   */
  @Override
  public RenewalTerms renewal() {
    long slot = -Math.floorDiv(-periodNanos, SLICES);
    int over = (int) -Math.floorDiv(-periodNanos, slot);
    return new RenewalTerms.Slots(slot, over + 1, false);
  }

  @Override
  public LimitTerms terms() {
    return LimitTerms.of(Algorithm.SLIDING_LOG, permits, periodNanos)
        .withCountThrottled(countsThrottled);
  }

  private static State insert(State state, long used, long moment) {
    int at = state.moments();
    while (at > 0 && state.moment(at - 1) > moment) {
      at--;
    }
    long[] before = state.uses;
    if (at > 0 && state.moment(at - 1) == moment) {
      long[] uses = before.clone();
      uses[2 * at - 1] = Limits.count(uses[2 * at - 1], used);
      return new State(state.newestNanos, state.rounded, uses);
    }
    long[] uses = Arrays.copyOf(before, before.length + 2);
    System.arraycopy(before, 2 * at, uses, 2 * at + 2, before.length - 2 * at);
    uses[2 * at] = moment;
    uses[2 * at + 1] = Limits.count(0, used);
    return new State(state.newestNanos, state.rounded, uses);
  }

  private State rounded(State state) {
    State rounded = new State(state.newestNanos, true, new long[0]);
    for (int i = 0; i < state.moments(); i++) {
      rounded = insert(rounded, state.permits(i), roundedUp(state.moment(i)));
    }
    return rounded;
  }

  private long roundedUp(long moment) {
    long part = periodNanos / MAX_MOMENTS;
    return -Math.floorDiv(-moment, part) * part;
  }
}
