package io.quotaenforcer.core;

import java.util.OptionalLong;

/**
 * Most permits that may be admitted over the limit of one quota key in one window (for a limit
 * without windows: in one period).
 *
 * @param connected the most while the enforcer answers every instance
 * @param away the most while it is away for any of them, {@code connected} included; empty when
 *     there is no bound
 * @param expected what clients ask for during one loop, as far as {@code connected} goes: they may
 *     ask it of instances that have not heard of the key's use yet
 */
public record DeclaredBound(long connected, OptionalLong away, long expected) {
  /** Nothing over the limit, ever. */
  public static final DeclaredBound NOTHING = new DeclaredBound(0, OptionalLong.of(0), 0);

  public DeclaredBound {
    if (connected < 0 || expected < 0 || expected > connected) {
      throw new IllegalArgumentException(
          "must be 0 <= expected <= connected: connected=%d expected=%d"
              .formatted(connected, expected));
    }
    if (away.isPresent() && away.getAsLong() < connected) {
      throw new IllegalArgumentException(
          "must be >= connected: connected=%d away=%d".formatted(connected, away.getAsLong()));
    }
  }
}
