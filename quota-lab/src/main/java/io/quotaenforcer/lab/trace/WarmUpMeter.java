package io.quotaenforcer.lab.trace;

import java.math.BigInteger;

/**
 * A bucket whose rate climbs evenly, over its warm-up time, from a third when the key is first
 * asked for to its full value. Counted in parts of a token; a token has three times the product of
 * the nanoseconds of warm-up and period.
 */
final class WarmUpMeter implements Meter {
  private static final BigInteger THREE = BigInteger.valueOf(3);

  private final BigInteger token;
  private final BigInteger permits;
  private final BigInteger full;
  private final BigInteger warmUp;
  private final long startMicros;
  private BigInteger level;
  private long filledNanos;

  WarmUpMeter(RuleFacts rule, long stampMicros) {
    warmUp = BigInteger.valueOf(rule.warmUpMicros() * 1000);
    token = THREE.multiply(warmUp).multiply(BigInteger.valueOf(rule.periodMicros() * 1000));
    permits = BigInteger.valueOf(rule.permits());
    full = token.multiply(BigInteger.valueOf(rule.burst()));
    level = token.multiply(BigInteger.valueOf(rule.initial()));
    startMicros = stampMicros;
  }

  @Override
  public boolean take(long cost, long stampMicros, int lateMicros) {
    long now = (stampMicros - startMicros) * 1000;
    level = filled(now);
    filledNanos = now;
    BigInteger wanted = token.multiply(BigInteger.valueOf(cost));
    if (filled(Meter.nanos(stampMicros - startMicros, lateMicros)).compareTo(wanted) < 0) {
      return false;
    }
    level = level.subtract(wanted);
    return true;
  }

  private BigInteger filled(long nanos) {
    BigInteger come = brought(nanos).subtract(brought(filledNanos));
    return level.add(permits.multiply(come)).min(full);
  }

  /** Accrual since the start at a full rate of one per nanosecond, warming up. */
  private BigInteger brought(long nanos) {
    BigInteger t = BigInteger.valueOf(nanos);
    return t.compareTo(warmUp) <= 0
        ? t.multiply(warmUp).add(t.multiply(t))
        : THREE.multiply(warmUp).multiply(t).subtract(warmUp.multiply(warmUp));
  }
}
