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
 * <p>State: newest time seen, 1 when moments are rounded, then each moment and its permits, oldest
 * first.
 *
 * @param countsThrottled whether a throttled request counts as if it had been admitted, so that a
 *     client that does not slow down stays throttled
 */
public record SlidingLog(long permits, long periodNanos, boolean countsThrottled)
    implements RenewingLimit {
  static final int MAX_MOMENTS = 100;

  private static final int HEAD = 2;

  public SlidingLog {
    Limits.check(permits, periodNanos);
  }

  @Override
  public long capacity() {
    return permits;
  }

  @Override
  public LimitState initial(long now) {
    return LimitState.of(now, 0);
  }

  @Override
  public LimitState advance(LimitState state, long now) {
    if (now <= state.word(0)) {
      return state;
    }
    int gone = HEAD;
    while (gone < state.size() && state.word(gone) <= now - periodNanos) {
      gone += 2;
    }
    long[] words = new long[state.size() - gone + HEAD];
    words[0] = now;
    words[1] = words.length == HEAD ? 0 : state.word(1);
    for (int i = HEAD; i < words.length; i++) {
      words[i] = state.word(i - HEAD + gone);
    }
    return LimitState.of(words);
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
  public LimitState book(LimitState state, long used, long at) {
    LimitState turned = advance(state, at);
    if (at <= turned.word(0) - periodNanos || used == 0) {
      return turned;
    }
    LimitState booked = insert(turned, used, turned.word(1) == 0 ? at : roundedUp(at));
    boolean tooMany = booked.word(1) == 0 && booked.size() > HEAD + 2 * MAX_MOMENTS;
    return tooMany ? rounded(booked) : booked;
  }

  /** Takes what was used since {@code at}, the oldest first: what is left stays no shorter. */
  @Override
  public LimitState unbook(LimitState state, long unused, long at) {
    if (at <= state.word(0) - periodNanos) {
      return state;
    }
    long[] words = new long[state.size()];
    words[0] = state.word(0);
    words[1] = state.word(1);
    int size = HEAD;
    long left = unused;
    for (int i = HEAD; i < state.size(); i += 2) {
      long taken = state.word(i) < at ? 0 : Math.min(left, state.word(i + 1));
      left -= taken;
      if (state.word(i + 1) > taken) {
        words[size++] = state.word(i);
        words[size++] = state.word(i + 1) - taken;
      }
    }
    return LimitState.of(Arrays.copyOf(words, size));
  }

  @Override
  public long used(LimitState state, long now) {
    long gone = Math.max(now, state.word(0)) - periodNanos;
    long sum = 0;
    for (int i = HEAD; i < state.size(); i += 2) {
      sum = state.word(i) > gone ? Limits.count(sum, state.word(i + 1)) : sum;
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
    long sum = 0;
    int oldestKept = state.size();
    while (oldestKept > HEAD && sum <= permits - wanted) {
      oldestKept -= 2;
      sum = Limits.count(sum, state.word(oldestKept + 1));
    }
    return state.word(oldestKept) + periodNanos;
  }

  @Override
  public long resetAt(LimitState state, long now) {
    return state.size() == HEAD ? now : Math.max(now, state.word(state.size() - 2) + periodNanos);
  }

  @Override
  public boolean isRounded(LimitState state) {
    return state.word(1) == 1;
  }

  @Override
  public SlidingLog withPermits(long newPermits) {
    return new SlidingLog(newPermits, periodNanos, countsThrottled);
  }

  @Override
  public LimitTerms terms() {
    return LimitTerms.of(Algorithm.SLIDING_LOG, permits, periodNanos)
        .withCountThrottled(countsThrottled);
  }

  private static LimitState insert(LimitState state, long used, long moment) {
    int at = state.size();
    while (at > HEAD && state.word(at - 2) > moment) {
      at -= 2;
    }
    if (at > HEAD && state.word(at - 2) == moment) {
      return state.with(at - 1, Limits.count(state.word(at - 1), used));
    }
    long[] words = new long[state.size() + 2];
    for (int i = 0; i < state.size(); i++) {
      words[i < at ? i : i + 2] = state.word(i);
    }
    words[at] = moment;
    words[at + 1] = Limits.count(0, used);
    return LimitState.of(words);
  }

  private LimitState rounded(LimitState state) {
    LimitState rounded = LimitState.of(state.word(0), 1);
    for (int i = HEAD; i < state.size(); i += 2) {
      rounded = insert(rounded, state.word(i + 1), roundedUp(state.word(i)));
    }
    return rounded;
  }

  private long roundedUp(long moment) {
    long part = periodNanos / MAX_MOMENTS;
    return -Math.floorDiv(-moment, part) * part;
  }
}
