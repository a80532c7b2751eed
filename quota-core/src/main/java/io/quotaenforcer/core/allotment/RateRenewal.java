package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.message.RateShare;
import java.math.BigInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Permits that come one by one at a steady rate, into a bucket.
 *
 * <p>The generic cell rate algorithm (ITU-T I.371, virtual scheduling), by which a bucket is a
 * theoretical arrival time, in a form that keeps the count of permits as the one word that a
 * compare-and-set moves: what is in the bucket is what came since its terms began, less what was
 * taken since, less what ran over. Each decision first notes what has run over by its own clock
 * reading, so that of any decisions, in the order in which they take, the last finds no more than
 * the burst and what came since the clock reading of the first: no more than that is taken in any
 * time.
 *
 * @param partsPerPermit time that a permit takes to come; {@code Long.MAX_VALUE} for never
 * @param burstParts time in which the bucket fills
 * @param heldParts what was in the bucket at {@code startNanos}; of one that holds nothing, less
 *     than nothing by what counts as used
 * @param startNet permits taken before, net of those put back
 * @param runOver parts that did not fit
 */
record RateRenewal(
    long startNanos,
    long partsPerPermit,
    long burstParts,
    long heldParts,
    long startNet,
    AtomicLong runOver)
    implements Renewal {
  private static final long MILLIS = 1_000;

  /** Most parts of a permit, or of a full bucket: the rest is left for time. */
  private static final long MOST_PARTS = Long.MAX_VALUE / 4;

  /** Parts of a nanosecond in which time is counted, so that high rates are exact enough. */
  private static final long PARTS = 1_024;

  /**
   * A bucket with some permits.
   *
   * @param filled as far as they fit
   */
  static RateRenewal of(RateShare share, long filled, long periodNanos, long startNet, long now) {
    if (share.permits() == 0) {
      return none(0, startNet, now);
    }
    long perPermit = partsPerPermit(share.permits(), periodNanos);
    if (perPermit > MOST_PARTS || share.burstMillis() / MILLIS >= MOST_PARTS / perPermit) {
      return none(share.burstMillis() / MILLIS, startNet, now);
    }
    long burst =
        share.burstMillis() / MILLIS * perPermit
            + share.burstMillis() % MILLIS * (perPermit / MILLIS);
    long held = filled >= burst / perPermit ? burst : filled * perPermit;
    return new RateRenewal(now, perPermit, burst, held, startNet, new AtomicLong());
  }

  /** Rounded up. */
  private static long partsPerPermit(long permits, long periodNanos) {
    long whole = periodNanos / permits;
    return whole > MOST_PARTS / PARTS
        ? Long.MAX_VALUE
        : whole * PARTS - Math.floorDiv(-(periodNanos % permits) * PARTS, permits);
  }

  /**
   * In which nothing ever is, since nothing comes or more than can be counted.
   *
   * @param used as which it counts
   */
  private static RateRenewal none(long used, long startNet, long now) {
    return new RateRenewal(now, Long.MAX_VALUE, 0, -used, startNet, new AtomicLong());
  }

  @Override
  public RateRenewal after(Renewal before, long net) {
    if (burstParts == 0 || !(before instanceof RateRenewal other)) {
      return this;
    }
    BigInteger parts =
        BigInteger.valueOf(other.parts(net - STOP, startNanos))
            .multiply(BigInteger.valueOf(partsPerPermit))
            .divide(BigInteger.valueOf(other.partsPerPermit))
            .subtract(BigInteger.ONE)
            .add(BigInteger.valueOf(heldParts))
            .max(BigInteger.valueOf(Long.MIN_VALUE / 4));
    long held = parts.min(BigInteger.valueOf(burstParts)).longValueExact();
    return new RateRenewal(startNanos, partsPerPermit, burstParts, held, startNet, runOver);
  }

  /** The contents of the bucket if it had no upper bound; negative before its terms began. */
  private long endlessParts(long net, long now) {
    return heldParts + (now - startNanos) * PARTS - (net - startNet) * partsPerPermit;
  }

  private long parts(long net, long now) {
    return burstParts == 0 ? 0 : Math.min(burstParts, endlessParts(net, now) - runOver.get());
  }

  @Override
  public RateRenewal putOff(long nanos) {
    return this;
  }

  @Override
  public boolean holds(long permits) {
    return permits <= burstParts / partsPerPermit;
  }

  @Override
  public boolean admits(long permits, long net, long now) {
    long endless = endlessParts(net, now);
    long over = endless - burstParts;
    if (over > runOver.get()) {
      runOver.accumulateAndGet(over, Math::max);
    }
    return endless - runOver.get() >= permits * partsPerPermit;
  }

  @Override
  public long room(long net, long now) {
    return Math.max(0, parts(net, now) / partsPerPermit);
  }

  @Override
  public long used(long net, long now) {
    return burstParts == 0
        ? -heldParts
        : -Math.floorDiv(parts(net, now) - burstParts, partsPerPermit);
  }

  @Override
  public long putBack(long permits, long takenNanos) {
    return permits;
  }

  @Override
  public long nanosUntil(long permits, long net, long now) {
    long missing = permits * partsPerPermit - parts(net, now);
    return Math.max(0, missing) / PARTS + 1;
  }

  /** Less the permits that arrived since: they might have overflowed. */
  @Override
  public long takeableAgain(long permits, long takenNanos, long now) {
    if (takenNanos < startNanos || burstParts == 0) {
      return 0;
    }
    long came = Math.max(0, now - takenNanos) * PARTS / partsPerPermit + 1;
    return Math.max(0, permits - came);
  }
}
