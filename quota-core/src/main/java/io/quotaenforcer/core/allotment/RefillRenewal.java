package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.algorithm.RenewalTerms;
import io.quotaenforcer.core.message.RateShare;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Permits that come into a bucket at once, at the end of each period, as far as they fit.
 *
 * @param burst most permits in it
 * @param level what was in it at the last refill that a decision saw
 */
record RefillRenewal(
    long startNanos, long permits, long burst, long periodNanos, AtomicReference<Level> level)
    implements Renewal {
  private static final long MILLIS = 1_000;

  /**
   * The contents of the bucket after a refill, and in the period before it for clock readings of
   * that time.
   *
   * @param base what had been taken by the refill, and was put back since
   * @param baseBefore the same of {@code permitsBefore}
   */
  record Level(long refilledNanos, long permits, long base, long permitsBefore, long baseBefore) {
    private long at(long net) {
      return permits - (net - base);
    }

    private long before(long net) {
      return permitsBefore - (net - baseBefore);
    }

    private Level putBack(long more) {
      return new Level(refilledNanos, permits, base + more, permitsBefore, baseBefore + more);
    }
  }

  /**
   * A bucket with some permits, which is refilled at the borders after {@code sinceNanos} and now.
   *
   * @param filled as far as they fit
   * @param borderNanos any border
   */
  static RefillRenewal of(
      RenewalTerms.Refills refills,
      RateShare terms,
      long filled,
      long borderNanos,
      long sinceNanos,
      long net,
      long now) {
    long period = refills.periodNanos();
    long last = Math.max(sinceNanos, now) - borderNanos;
    long start = borderNanos + Math.floorDiv(last, period) * period;
    long burst = terms.burstMillis() / MILLIS;
    Level first = new Level(start, Math.min(burst, filled), net, 0, net);
    return new RefillRenewal(now, terms.permits(), burst, period, new AtomicReference<>(first));
  }

  @Override
  public RefillRenewal after(Renewal before, long net) {
    if (!(before instanceof RefillRenewal other)) {
      return this;
    }
    long taken = net - STOP;
    Level fill = newest();
    // What came at borders that the newer terms are not of came by the older ones.
    Level then = other.at(taken, Math.max(startNanos, fill.refilledNanos));
    long held = Math.min(burst, then.at(taken) + fill.permits);
    long heldBefore = Math.min(held, then.before(taken));
    Level level = new Level(then.refilledNanos, held, net, heldBefore, net);
    return new RefillRenewal(startNanos, permits, burst, periodNanos, new AtomicReference<>(level));
  }

  /** What came at the newest border is not there until then. */
  @Override
  public RefillRenewal putOff(long nanos) {
    Level of = newest();
    Level later =
        new Level(of.refilledNanos + nanos, of.permits, of.base, of.permitsBefore, of.baseBefore);
    return new RefillRenewal(startNanos, permits, burst, periodNanos, new AtomicReference<>(later));
  }

  @Override
  public boolean holds(long cost) {
    return cost <= burst && permits > 0;
  }

  @Override
  public boolean admits(long cost, long net, long now) {
    return cost <= available(turn(net, now), net, now);
  }

  /** A clock reading of the period before the refill finds what there was then. */
  private long available(Level known, long net, long now) {
    if (now >= known.refilledNanos) {
      return known.at(net);
    }
    return now >= known.refilledNanos - periodNanos ? known.before(net) : 0;
  }

  private Level turn(long net, long now) {
    while (true) {
      Level before = newest();
      if (now - before.refilledNanos < periodNanos
          || level.compareAndSet(before, refilled(before, net, now))) {
        return newest();
      }
    }
  }

  private Level at(long net, long now) {
    Level known = newest();
    return now - known.refilledNanos < periodNanos ? known : refilled(known, net, now);
  }

  private Level refilled(Level before, long net, long now) {
    long refills = (now - before.refilledNanos) / periodNanos;
    long left = before.at(net);
    return new Level(
        before.refilledNanos + refills * periodNanos,
        filled(left, refills),
        net,
        filled(left, refills - 1),
        net);
  }

  private long filled(long left, long refills) {
    return permits > 0 && refills > (burst - left) / permits
        ? burst
        : Math.min(burst, left + refills * permits);
  }

  @Override
  public long room(long net, long now) {
    return Math.max(0, available(at(net, now), net, now));
  }

  @Override
  public long used(long net, long now) {
    return burst - available(at(net, now), net, now);
  }

  @Override
  public long nanosUntil(long cost, long net, long now) {
    Level known = at(net, now);
    long missing = cost - known.at(net);
    long refills = missing <= 0 ? 0 : -Math.floorDiv(-missing, permits);
    return Math.max(0, known.refilledNanos + refills * periodNanos - now);
  }

  /** Only what was taken since the refill: else it might run over. */
  @Override
  public long putBack(long cost, long takenNanos) {
    Level before = newest();
    while (takenNanos >= before.refilledNanos
        && !level.compareAndSet(before, before.putBack(cost))) {
      before = newest();
    }
    return 0;
  }

  @Override
  public long takeableAgain(long cost, long takenNanos, long now) {
    return putBack(cost, takenNanos);
  }

  private Level newest() {
    return Objects.requireNonNull(level.get());
  }
}
