package io.quotaenforcer.core.algorithm;

import static io.quotaenforcer.core.algorithm.LimitKit.START;

import java.util.SplittableRandom;

/** One limit in use: its state, the time, and the moves by which tests change them. */
final class LimitUse {
  private final Limit limit;
  private final StringBuilder history = new StringBuilder();
  private LimitState state;
  private long now;

  LimitUse(Limit limit, SplittableRandom random) {
    this.limit = limit;
    this.now = START + random.nextLong(2 * limit.periodNanos());
    this.state = limit.initial(now);
    history.append(limit).append(" from ").append(now);
  }

  private LimitUse(Limit limit, LimitState state, long now) {
    this.limit = limit;
    this.state = state;
    this.now = now;
  }

  LimitUse copy() {
    return new LimitUse(limit, state, now);
  }

  Limit limit() {
    return limit;
  }

  LimitState state() {
    return state;
  }

  long now() {
    return now;
  }

  void book(long permits, long at) {
    state = limit.book(state, permits, at);
    history.append(", ").append(permits).append(" at ").append(at);
  }

  void unbook(long permits, long at) {
    state = limit.unbook(state, permits, at);
    history.append(", back ").append(permits).append(" of ").append(at);
  }

  /** Lets some time pass, then books some permits, now and then for an earlier time. */
  void advanceAndBook(SplittableRandom random) {
    now += step(limit, random);
    if (random.nextBoolean()) {
      state = limit.advance(state, now);
    }
    long late = random.nextInt(4) == 0 ? random.nextLong(limit.periodNanos()) : 0;
    book(amount(limit, random), now - late);
  }

  /** Admits {@code cost} permits at {@code at} if there is room for them. */
  boolean admit(long cost, long at) {
    now = at;
    if (limit.available(state, at) < cost) {
      return false;
    }
    book(cost, at);
    return true;
  }

  /** No time, a moment, a part of a period, some periods. */
  static long step(Limit limit, SplittableRandom random) {
    return switch (random.nextInt(5)) {
      case 0 -> 0;
      case 1 -> random.nextLong(1_000);
      case 2 -> random.nextLong(1 + limit.periodNanos() / limit.permits());
      case 3 -> random.nextLong(limit.periodNanos());
      default -> random.nextLong(3 * limit.periodNanos());
    };
  }

  /** Mostly a part of the capacity, now and then more than all of it. */
  static long amount(Limit limit, SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> 1;
      case 1 -> 1 + random.nextLong(3 * limit.capacity());
      default -> 1 + random.nextLong(limit.capacity());
    };
  }

  @Override
  public String toString() {
    return history + " = " + state + " now " + now;
  }
}
