package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.RenewalTerms;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.NamedShare;
import io.quotaenforcer.core.message.RateShare;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A share: an instance's own limiter, from which permits are taken as they come by its {@link
 * Renewal}.
 *
 * <p>{@link #holds}, {@link #nanosUntil} and {@link #cameAt} may be called by any thread, as what
 * any {@link Cell} lets be.
 */
final class ShareCell extends Cell {
  /** Terms are begun anew after this, or the count of parts would run over after months. */
  private static final long LONGEST_NANOS = 3_600_000_000_000L;

  private static final long MILLIS = 1_000;

  /** Borders are put off by no less at a time. */
  private static final long LATER_NANOS = 2_000_000;

  /** The enforcer may divide a bucket altogether that fills in fewer. */
  private static final double TIGHT_LOOPS = 8;

  /** Its period and algorithm stay; how many permits it has in all says nothing of the share. */
  private final Limit limit;

  /** When, on the instance's clock, permits of the limit come back: at any one border. */
  private Border border;

  private volatile RateShare terms;

  private long usedAtEnd;

  /** Permits of requests whose refund is under way. */
  private final AtomicLong refunding = new AtomicLong();

  /** Null while it changes, and once the share has ended: then nothing can be taken. */
  private volatile @Nullable Renewal renewal;

  /**
   * A border of the limit, by two clocks. The instance keeps to it as it was told first, up to a
   * loop too early, and puts it off as the enforcer's clock gets known better.
   *
   * @param enforcerNanos when it is by the enforcer's clock
   * @param latestNanos the latest that it could be when it was told first
   */
  record Border(long localNanos, long enforcerNanos, long latestNanos) {
    long toLocal(long enforcerTime) {
      return localNanos + (enforcerTime - enforcerNanos);
    }

    static Border of(long enforcerNanos, PartitionLink link) {
      return new Border(
          link.toLocal(enforcerNanos), enforcerNanos, link.certainlyAfter(enforcerNanos));
    }

    /** As it is known now; itself where that is about the same, or earlier. */
    Border asKnownNow(PartitionLink link) {
      long known = Math.min(latestNanos, link.certainlyBefore(enforcerNanos));
      return known >= localNanos + LATER_NANOS
          ? new Border(known, enforcerNanos, latestNanos)
          : this;
    }
  }

  /**
   * @param grantedNanos enforcer time of the answer that grants the share
   * @param now when it arrived
   */
  ShareCell(
      long id,
      RateShare terms,
      Limit limit,
      Border border,
      long grantedNanos,
      long now,
      long validUntilNanos) {
    super(id, 0, Long.MIN_VALUE, validUntilNanos);
    this.limit = limit;
    this.border = border;
    this.terms = terms;
    this.renewal = renewal(terms, terms.filled(), grantedNanos, 0, now);
  }

  /** One of a limit whose borders do not matter. */
  ShareCell(long id, RateShare terms, Limit limit, long now, long validUntilNanos) {
    this(id, terms, limit, new Border(0, 0, 0), 0, now, validUntilNanos);
  }

  /** The renewal by the limit's algorithm, of a bucket, or of a window of which nothing is used. */
  private Renewal renewal(RateShare of, long filled, long toldNanos, long net, long now) {
    RenewalTerms how = limit.renewal();
    if (how instanceof RenewalTerms.Windows) {
      return new WindowRenewal(now, of.permits());
    }
    if (how instanceof RenewalTerms.Slots slots) {
      return SlidingRenewal.of(slots, of.permits(), border.localNanos, net, now);
    }
    return how instanceof RenewalTerms.Refills refills
        ? RefillRenewal.of(
            refills, of, filled, border.localNanos, border.toLocal(toldNanos), net, now)
        : RateRenewal.of(of, filled, limit.periodNanos(), net, now);
  }

  /** Number of the terms that it keeps to. */
  long number() {
    return terms.number();
  }

  /** Permits that come in a period of the limit. */
  long permits() {
    return terms.permits();
  }

  /** Whether no more come in a period, or can be there at once. */
  boolean isNoMoreThan(long permits) {
    return terms.permits() <= permits && terms.burstMillis() <= MILLIS * permits;
  }

  /**
   * Whether it is all that its holder has of a bucket: its permits come one by one, and its burst
   * is most of the part of the capacity that goes with its rate, or all. Only of a bucket that
   * fills within few loops; any other is leased beside its shares.
   *
   * @param loopNanos until an answer comes
   */
  boolean isAllOfBucket(long loopNanos) {
    double fillsIn = (double) limit.capacity() / limit.permits() * limit.periodNanos();
    if (!isOneByOne() || fillsIn > TIGHT_LOOPS * loopNanos) {
      return false;
    }
    double part = (double) limit.capacity() * terms.permits() / limit.permits();
    return terms.burstMillis() > MILLIS * part / 2;
  }

  /** Whether its permits come one by one, at a steady rate. */
  boolean isOneByOne() {
    return limit.renewal() instanceof RenewalTerms.Steady;
  }

  double permitsPerNano() {
    return (double) terms.permits() / limit.periodNanos();
  }

  /** Permits that are certain to come within a time: all at a border, or little by little. */
  double comingWithin(double nanos) {
    boolean atOnce = limit.renewal() instanceof RenewalTerms.Refills;
    double periods = nanos / limit.periodNanos();
    return terms.permits() * (atOnce ? Math.floor(periods) : periods);
  }

  /** Whether a request of this cost may ever find room. */
  boolean holds(long permits) {
    Renewal known = renewal;
    return known != null && known.holds(permits);
  }

  @Override
  boolean take(long permits, long now) {
    PermitCounter counter = counter();
    while (true) {
      long before = counter.taken();
      Renewal known = renewal; // read after what was taken: see stop()
      if (known == null
          || !known.holds(permits)
          || !known.admits(permits, before - counter.putBack(), now)) {
        return false;
      }
      if (counter.move(before, permits)) {
        return true;
      }
    }
  }

  @Override
  long roomAt(long now) {
    Renewal known = renewal;
    return known == null || !isValidAt(now) ? 0 : known.room(net(), now);
  }

  @Override
  long takeableAgain(long permits, boolean ofWindow, long takenNanos, long now) {
    Renewal known = renewal;
    return known == null ? 0 : known.takeableAgain(permits, takenNanos, now);
  }

  /**
   * Permits that come back while the terms change, or after the share has ended, cannot be taken
   * again.
   */
  @Override
  void putBack(long permits, long takenNanos) {
    Renewal known = renewal;
    counter().refund(permits, known == null ? 0 : known.putBack(permits, takenNanos));
  }

  @Override
  void refund(long permits, boolean ofWindow, long takenNanos, long now) {
    refunding.addAndGet(permits);
    super.refund(permits, ofWindow, takenNanos, now);
    refunding.addAndGet(-permits);
  }

  @Override
  long leased(long inUse) {
    return inUse;
  }

  /** Time until {@code permits} have come; {@code Long.MAX_VALUE} if they never do. */
  long nanosUntil(long permits, long now) {
    Renewal known = renewal;
    return known == null || !known.holds(permits) || !isValidAt(now)
        ? Long.MAX_VALUE
        : known.nanosUntil(permits, net(), now);
  }

  /**
   * When {@code permits} had come to somebody who waited for them since {@code since}, or since the
   * renewal began; {@code now} if they have not, or are not known to have.
   */
  long cameAt(long permits, long since, long now) {
    Renewal known = renewal;
    if (known == null || since >= now) {
      return now;
    }
    long from = Math.max(since, known.startNanos());
    long wait = nanosUntil(permits, from);
    return wait < now - from ? from + wait : now;
  }

  /**
   * Goes on by newer terms, with what is in the share as far as it fits; older ones do nothing.
   *
   * @param toldNanos enforcer time of the answer that tells of them
   */
  void follow(RateShare newTerms, long validUntil, long toldNanos, long now) {
    validUntil(validUntil);
    Renewal before = renewal;
    boolean newer = newTerms.number() > terms.number();
    if (before == null || !(newer || now - before.startNanos() > LONGEST_NANOS)) {
      return;
    }
    stop();
    long filled = newer ? newTerms.filled() - terms.filled() : 0;
    terms = newer ? newTerms : terms;
    goOnFrom(before, Math.max(0, filled), toldNanos, now);
  }

  /**
   * Goes on by borders as they are known now. What was taken since one that turns out to be later
   * goes on to count as taken after it: for longer than it must.
   */
  void putOffBorders(PartitionLink link, long now) {
    Border known = border.asKnownNow(link);
    Renewal before = renewal;
    if (before != null && known != border && limit.bordersMatter()) {
      long later = known.localNanos - border.localNanos;
      border = known;
      stop();
      goOnFrom(before.putOff(later), 0, known.enforcerNanos, now);
    }
  }

  /**
   * After a {@link #stop}. A refund that was reckoned by the renewal before may be noted there, or
   * come back, after this: where its permits come back as they are they count as lost.
   */
  private void goOnFrom(Renewal before, long filled, long toldNanos, long now) {
    long lost = isOneByOne() ? refunding.get() : 0;
    long net = net(); // read after what is under way: what is not any more has come back
    renewal = renewal(terms, filled, toldNanos, net, now).after(before, net + lost);
  }

  @Override
  void seal(long now) {
    Renewal known = renewal;
    if (known != null) {
      stop();
      usedAtEnd = Math.max(0, known.used(net() - Renewal.STOP, now));
      terms = new RateShare(RateShare.ENDED, 0, 0);
    }
    super.seal(now);
  }

  /**
   * With what its limiter counts as used, rounded up; once it has ended, what it did then. Where
   * permits belong to windows, their cells say it.
   */
  CellUsage withUse(CellUsage usage, long now) {
    Renewal known = renewal;
    long use = known == null ? usedAtEnd : Math.max(0, known.used(net(), now));
    return limit instanceof WindowedLimit
        ? usage
        : usage.ofShare(new NamedShare(usage.shareNumber(), use));
  }

  @Override
  CellUsage usage(long closeBefore) {
    CellUsage usage = super.usage(closeBefore).ofShare(terms.number());
    return isSealed() ? withUse(usage, validUntilNanos()) : usage;
  }

  /**
   * The permits of a share belong to nobody else: there is nothing to return but the share itself.
   */
  @Override
  long giveBack(long permits) {
    return 0;
  }

  @Override
  long end() {
    return 0;
  }

  /** Permits come one by one: there are never many. */
  @Override
  void spreadPermits(boolean isContended, int least) {}

  /**
   * From now on no thread, however late, takes anything: whoever read the renewal must read again.
   */
  private void stop() {
    renewal = null;
    counter().skip();
  }

  private long net() {
    return counter().taken() - counter().putBack();
  }
}
