package io.quotaenforcer.lab.trace;

import java.math.BigInteger;

/**
 * A bucket that gains permits / period continuously. Counted in tokens times the period's
 * nanoseconds, so that every nanosecond adds {@code permits} of these.
 */
final class BucketMeter implements Meter {
  private final BigInteger token;
  private final BigInteger permits;
  private final BigInteger full;
  private BigInteger level;
  private long filledMicros;

  /** A meter with the bucket's initial tokens. */
  static BucketMeter of(RuleFacts rule, long stampMicros) {
    return new BucketMeter(rule, rule.initial(), stampMicros);
  }

  static BucketMeter full(RuleFacts rule, long stampMicros) {
    return new BucketMeter(rule, rule.burst(), stampMicros);
  }

  private BucketMeter(RuleFacts rule, long tokens, long stampMicros) {
    token = BigInteger.valueOf(rule.periodMicros()).multiply(BigInteger.valueOf(1000));
    permits = BigInteger.valueOf(rule.permits());
    full = token.multiply(BigInteger.valueOf(rule.burst()));
    level = token.multiply(BigInteger.valueOf(tokens));
    filledMicros = stampMicros;
  }

  @Override
  public boolean take(long cost, long stampMicros, int lateMicros) {
    level = filled((stampMicros - filledMicros) * 1000);
    filledMicros = stampMicros;
    BigInteger wanted = token.multiply(BigInteger.valueOf(cost));
    if (filled(lateMicros == 0 ? 0 : lateMicros * 1000L - 1).compareTo(wanted) < 0) {
      return false;
    }
    level = level.subtract(wanted);
    return true;
  }

  private BigInteger filled(long nanos) {
    return level.add(permits.multiply(BigInteger.valueOf(nanos))).min(full);
  }
}
