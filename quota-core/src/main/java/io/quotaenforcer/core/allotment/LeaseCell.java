package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.message.CellUsage;
import java.util.Objects;

/**
 * A number of permits for a window or as long as a lease lasts: granted by an enforcer, or taken by
 * the instance itself for a window that it has a share of.
 */
sealed class LeaseCell extends Cell permits SlotCell {
  /** Later than any cell's permits came. */
  private static final long ANY_TIME = Long.MAX_VALUE;

  private volatile long granted;
  private long grantedByEnforcer;

  /** Terms of the share that the permits are of; 0 for permits that an enforcer granted. */
  private final long shareNumber;

  /**
   * @param validFrom of a window's cell, when the window begins; of another, when the permits came
   */
  LeaseCell(long id, long windowStartNanos, long granted, long validFrom, long validUntil) {
    this(id, windowStartNanos, granted, validFrom, validUntil, 0);
    this.grantedByEnforcer = granted;
  }

  /** Permits that belong to no window. */
  LeaseCell(long id, long granted, long validFrom, long validUntil) {
    this(id, 0, granted, validFrom, validUntil);
  }

  private LeaseCell(
      long id, long window, long permits, long validFrom, long validUntil, long shareNumber) {
    super(id, window, validFrom, validUntil);
    this.granted = permits;
    this.shareNumber = shareNumber;
  }

  /**
   * A window's permits of a share.
   *
   * @param number of the terms in force
   */
  static LeaseCell ofShare(
      long id, long window, long permits, long validFrom, long validUntil, long number) {
    return new LeaseCell(id, window, permits, validFrom, validUntil, number);
  }

  /** Takes from this thread's place first, if there are some. */
  @Override
  boolean take(long permits, long now) {
    return counter().isSpread() ? takeSpread(permits, now) : takeInRace(permits, now);
  }

  private boolean takeSpread(long permits, long now) {
    Stripes spread = Objects.requireNonNull(counter().stripes());
    return spread.take(permits, now)
        || takeInRace(permits, now)
        || spread.takeElsewhere(permits, now);
  }

  private boolean takeInRace(long permits, long now) {
    PermitCounter counter = counter();
    while (true) {
      long back = counter.putBack();
      long before = counter.taken();
      long most = granted; // read last: see end()
      if (permits > most - (before - back) || now < validFromNanos()) {
        return false;
      }
      if (counter.move(before, permits)) {
        return true;
      }
      counter.lostRace();
    }
  }

  @Override
  long roomAt(long now) {
    if (!isValidAt(now)) {
      return 0;
    }
    Stripes spread = counter().stripes();
    return spread == null ? unspread() : Math.max(unspread(), spread.mostRoom());
  }

  /** Permits that are free, valid or not. */
  long room() {
    Stripes spread = counter().stripes();
    return spread == null ? unspread() : unspread() + spread.room();
  }

  /** Permits that are not in places of their own. */
  private long unspread() {
    return granted - (counter().taken() - counter().putBack());
  }

  /** Those of a window may be taken again in it; for others the limit may have renewed since. */
  @Override
  long takeableAgain(long permits, boolean ofWindow, long takenNanos, long now) {
    return ofWindow ? permits : 0;
  }

  @Override
  long leased(long inUse) {
    return shareNumber == 0 ? room() : inUse;
  }

  /** Permits that there are in all, but for those given back. */
  long held() {
    return granted - counter().givenBack();
  }

  /** Permits that are others' now. */
  long givenBack() {
    return counter().givenBack() - counter().skipped();
  }

  /**
   * Holds {@code permits} in all from now on. Fewer than were taken leave none, not even those that
   * are put back later. Belongs to the owner of the book.
   */
  void hold(long permits) {
    if (permits < held()) {
      counter().collect();
      granted = permits + counter().givenBack();
      // Whoever read the larger number fails to take, and reads again.
      counter().skip();
    }
    granted = permits + counter().givenBack();
  }

  /**
   * Learns of a larger grant or a longer lease; an older answer changes nothing.
   *
   * @param validFrom a decision that read its clock before the permits came, and was held up, must
   *     not take them
   */
  void renew(long newGranted, long validFrom, long validUntil) {
    if (windowStartNanos() != 0) {
      validFrom(Math.min(validFromNanos(), validFrom));
    } else if (newGranted > granted) {
      validFrom(validFrom);
    }
    // Whoever sees the larger grant sees what is written above, too.
    granted = Math.max(granted, newGranted);
    grantedByEnforcer = granted;
    validUntil(validUntil);
  }

  /** Of a sealed cell that is granted more, gives that back, too. */
  void giveBackGrant(long newGranted) {
    if (newGranted > granted && !isClosed()) {
      granted = newGranted;
      grantedByEnforcer = newGranted;
      giveBack(Long.MAX_VALUE);
    }
  }

  /** Whether it may be used again if more of it was granted since it was sealed. */
  boolean isReopenable(long newGranted) {
    return shareNumber == 0 && newGranted > granted && !isClosed() && !isWorn();
  }

  @Override
  long grantedByEnforcer() {
    return grantedByEnforcer;
  }

  /** First gives back what has come back while the cell was sealed. */
  @Override
  CellUsage usage(long closeBefore) {
    if (isSealed() && !isClosed()) {
      giveBack(Long.MAX_VALUE);
    }
    CellUsage usage = super.usage(closeBefore);
    return shareNumber == 0 ? usage : usage.ofShare(shareNumber);
  }

  @Override
  long giveBack(long permits) {
    if (permits > unspread()) {
      counter().collect();
    }
    long give = takeUnspread(permits);
    counter().giveBack(give);
    return give;
  }

  /** Takes up to {@code permits} that are free and not in places of their own, valid or not. */
  private long takeUnspread(long permits) {
    while (true) {
      long some = Math.min(permits, unspread());
      if (some <= 0) {
        return 0;
      }
      if (takeInRace(some, ANY_TIME)) {
        return some;
      }
    }
  }

  /** Half of the permits are spread anew each time. */
  @Override
  void spreadPermits(boolean isContended, int least) {
    Stripes spread = counter().stripes();
    if (spread != null) {
      counter().collect();
      long wanted = spread.wanted(unspread() / 2, isContended, least);
      spread.put(takeUnspread(wanted), validFromNanos());
    }
  }

  @Override
  long end() {
    long most = granted;
    granted = 0;
    return most;
  }
}
