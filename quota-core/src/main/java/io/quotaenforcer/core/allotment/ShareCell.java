package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.RateShare;
import java.math.BigInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A rate share: a bucket that an instance has for itself, empty at first, from which permits are
 * taken one by one as they come.
 *
 * <p>The generic cell rate algorithm (ITU-T I.371, virtual scheduling), by which a bucket is a
 * theoretical arrival time, in a form that keeps the count of permits as the one word that a
 * compare-and-set moves: what is in the bucket is what came since its terms began, less what was
 * taken since, less what ran over. Each decision first notes what has run over by its own clock
 * reading, so that of any decisions, in the order in which they take, the last finds no more than
 * the burst and what came since the clock reading of the first: so much, and no more, is taken in
 * any time.
 *
 * <p>{@link #tryTake}, {@link #putBack}, {@link #refuse}, {@link #roomAt} and {@link #nanosUntil}
 * may be called by any thread, everything else only by the owner of the book.
 */
final class ShareCell extends Cell {
  private static final long MILLIS = 1_000;

  /** Parts of a nanosecond in which time is counted, so that high rates are exact enough. */
  private static final long PARTS = 1_024;

  /** Terms are begun anew after this, or the count of parts would run over after months. */
  private static final long LONGEST_NANOS = 3_600_000_000_000L;

  private final long periodNanos;
  private long number;

  /** Null while terms change, and once the share has ended: then nothing can be taken. */
  private volatile @Nullable Terms terms;

  /**
   * What permits come by.
   *
   * @param partsPerPermit time that a permit takes to come; {@code Long.MAX_VALUE} for never
   * @param burstParts time in which the bucket fills
   * @param heldParts what was in the bucket at {@code startNanos}
   * @param startNet permits taken before, net of those put back
   * @param runOver parts that did not fit
   */
  private record Terms(
      long startNanos,
      long partsPerPermit,
      long burstParts,
      long heldParts,
      long startNet,
      AtomicLong runOver) {

    /** What would be in the bucket if it had no end; negative before the terms began. */
    long endlessParts(long net, long now) {
      return heldParts + (now - startNanos) * PARTS - (net - startNet) * partsPerPermit;
    }

    long parts(long net, long now) {
      return burstParts == 0 ? 0 : Math.min(burstParts, endlessParts(net, now) - runOver.get());
    }

    /** These terms with as many permits as other terms had, as far as they fit. */
    Terms holding(long otherParts, long otherPartsPerPermit) {
      if (burstParts == 0) {
        return this;
      }
      BigInteger parts =
          BigInteger.valueOf(otherParts)
              .multiply(BigInteger.valueOf(partsPerPermit))
              .divide(BigInteger.valueOf(otherPartsPerPermit))
              .subtract(BigInteger.ONE)
              .max(BigInteger.valueOf(Long.MIN_VALUE / 4));
      long held = parts.min(BigInteger.valueOf(burstParts)).longValueExact();
      return new Terms(startNanos, partsPerPermit, burstParts, held, startNet, runOver);
    }

    boolean holds(long permits) {
      return permits <= burstParts / partsPerPermit;
    }
  }

  /**
   * @param now when the answer arrived that grants the share
   */
  ShareCell(long id, RateShare share, long periodNanos, long now, long validUntilNanos) {
    super(id, 0, 0, Long.MIN_VALUE, validUntilNanos);
    this.periodNanos = periodNanos;
    this.number = share.number();
    this.terms = terms(share, now, 0);
  }

  /** Whether a request of this cost may ever find room. */
  boolean holds(long permits) {
    Terms known = terms;
    return known != null && known.holds(permits);
  }

  @Override
  long roomAt(long now) {
    Terms known = terms;
    if (known == null || !isValidAt(now)) {
      return 0;
    }
    return Math.max(0, known.parts(net(), now) / known.partsPerPermit);
  }

  /**
   * Of permits that were taken then, those that would still be in the bucket: what came since might
   * have run over. None if the terms have changed.
   */
  long refundable(long permits, long takenNanos, long now) {
    Terms known = terms;
    if (known == null || takenNanos < known.startNanos || known.burstParts == 0) {
      return 0;
    }
    long came = Math.max(0, now - takenNanos) * PARTS / known.partsPerPermit + 1;
    return Math.max(0, permits - came);
  }

  /** Time until so many permits have come; {@code Long.MAX_VALUE} if they never do. */
  long nanosUntil(long permits, long now) {
    Terms known = terms;
    if (known == null || !known.holds(permits) || !isValidAt(now)) {
      return Long.MAX_VALUE;
    }
    long missing = permits * known.partsPerPermit - known.parts(net(), now);
    return Math.max(0, missing) / PARTS + 1;
  }

  /**
   * When so many permits had come to somebody who waited for them since {@code since}, or since the
   * terms began; {@code now} if they have not, or are not known to have.
   */
  long cameAt(long permits, long since, long now) {
    Terms known = terms;
    if (known == null || since >= now) {
      return now;
    }
    long from = Math.max(since, known.startNanos);
    long wait = nanosUntil(permits, from);
    return wait < now - from ? from + wait : now;
  }

  /**
   * Goes on by newer terms, with what is in the bucket as far as it fits; older ones do nothing.
   */
  void follow(RateShare share, long validUntil, long now) {
    renew(0, 0, validUntil);
    Terms before = terms;
    boolean newer = share.number() > number;
    if (before == null || !(newer || now - before.startNanos > LONGEST_NANOS)) {
      return;
    }
    stop();
    long net = net();
    number = share.number();
    Terms newest = terms(share, now, net);
    terms = newest.holding(before.parts(net, now), before.partsPerPermit);
  }

  @Override
  void seal(long now) {
    if (terms != null) {
      stop();
      number = RateShare.ENDED;
    }
    super.seal(now);
  }

  @Override
  CellUsage usage(long closeBefore) {
    return super.usage(closeBefore).ofShare(number);
  }

  /** What is in the bucket is nobody else's: there is nothing to return but the share itself. */
  @Override
  long giveBack(long permits) {
    return 0;
  }

  @Override
  boolean take(long permits, long now) {
    while (true) {
      long before = takenNow();
      Terms known = terms; // read after what was taken: see stop()
      if (known == null || !known.holds(permits)) {
        return false;
      }
      long endless = known.endlessParts(before - putBackNow(), now);
      long over = endless - known.burstParts;
      if (over > known.runOver.get()) {
        known.runOver.accumulateAndGet(over, Math::max);
      }
      if (endless - known.runOver.get() < permits * known.partsPerPermit) {
        return false;
      }
      if (moveTaken(before, permits)) {
        return true;
      }
    }
  }

  /**
   * From now on no thread, however late, takes anything: whoever read the terms must read again.
   */
  private void stop() {
    terms = null;
    skip();
  }

  private long net() {
    return takenNow() - putBackNow();
  }

  private Terms terms(RateShare share, long now, long startNet) {
    if (share.permits() == 0) {
      return new Terms(now, Long.MAX_VALUE, 0, 0, startNet, new AtomicLong());
    }
    long perPermit = -Math.floorDiv(-periodNanos * PARTS, share.permits());
    long burst =
        share.burstMillis() / MILLIS * perPermit
            + share.burstMillis() % MILLIS * (perPermit / MILLIS);
    return new Terms(now, perPermit, burst, 0, startNet, new AtomicLong());
  }
}
