package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.message.RateShare;
import java.math.BigInteger;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

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
 * @param runOver parts that did not fit, or might not have
 * @param refunds the newest of them
 */
record RateRenewal(
    long startNanos,
    long partsPerPermit,
    long burstParts,
    long heldParts,
    long startNet,
    AtomicLong runOver,
    AtomicReference<Refunds> refunds)
    implements Renewal {
  private static final long MILLIS = 1_000;

  /** Most parts of a permit, or of a full bucket: the rest is left for time. */
  private static final long MOST_PARTS = Long.MAX_VALUE / 4;

  /** Parts of a nanosecond in which time is counted, so that high rates are exact enough. */
  private static final long PARTS = 1_024;

  /**
   * Refunds whose permits were away at overlapping times. All that came into the bucket meanwhile
   * might have run over without the requests, but no more than that, and once.
   *
   * @param sinceNanos when the first of the permits was taken
   * @param untilNanos when the last of them came back
   * @param lostParts what was taken off these refunds
   */
  record Refunds(long sinceNanos, long untilNanos, long lostParts) {
    private static final Refunds NONE = new Refunds(Long.MIN_VALUE, Long.MIN_VALUE, 0);

    /**
     * With one more.
     *
     * @param parts of its permits: the most that it can lose
     */
    Refunds and(long takenNanos, long now, long parts) {
      boolean overlaps = takenNanos < untilNanos;
      long since = overlaps ? Math.min(sinceNanos, takenNanos) : takenNanos;
      long until = overlaps ? Math.max(untilNanos, now) : Math.max(takenNanos, now);
      long lost = overlaps ? lostParts : 0;
      return new Refunds(since, until, Math.min((until - since) * PARTS, lost + parts));
    }

    /** What the newest one lost, where {@code before} were those before it. */
    long lostSince(Refunds before, long takenNanos) {
      return takenNanos < before.untilNanos ? lostParts - before.lostParts : lostParts;
    }
  }

  private RateRenewal(
      long startNanos, long partsPerPermit, long burstParts, long heldParts, long startNet) {
    this(
        startNanos,
        partsPerPermit,
        burstParts,
        heldParts,
        startNet,
        new AtomicLong(),
        new AtomicReference<>(Refunds.NONE));
  }

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
    return new RateRenewal(now, perPermit, burst, held, startNet);
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
    return new RateRenewal(now, Long.MAX_VALUE, 0, -used, startNet);
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
    return new RateRenewal(startNanos, partsPerPermit, burstParts, held, startNet);
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

  /** Less what came since, which might have overflowed: that is noted as run over. */
  @Override
  public long takeableAgain(long permits, long takenNanos, long now) {
    if (takenNanos < startNanos || burstParts == 0) {
      return 0;
    }
    long parts = permits * partsPerPermit;
    while (true) {
      Refunds before = Objects.requireNonNull(refunds.get());
      Refunds after = before.and(takenNanos, now, parts);
      long lost = after.lostSince(before, takenNanos);
      if (lost >= parts) {
        if (refunds.compareAndSet(before, after)) {
          return 0;
        }
        continue;
      }
      // Noted first, so that no other refund builds upon what nobody has lost yet.
      runOver.addAndGet(lost);
      if (refunds.compareAndSet(before, after)) {
        return permits;
      }
    }
  }
}
