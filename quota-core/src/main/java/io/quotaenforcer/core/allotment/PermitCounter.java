package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.PermitCount;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The fate of a cell's permits: taken, put back, refunded, given back and refused, each a sum that
 * only grows. Where many threads take, some permits are in {@link Stripes}: to the cell they are
 * taken, until they come back.
 *
 * <p>{@link #taken}, {@link #putBack}, {@link #move}, {@link #refund} and {@link #refuse} may be
 * called by any thread; everything else only by the owner of the book.
 */
final class PermitCounter {
  /**
   * Permits that may be taken from a cell and put back, over and over, before another cell replaces
   * it.
   */
  private static final long WORN = 1L << 59;

  /** Counters as fields: an instance may hold a million cells. */
  private static final VarHandle TAKEN = counter("taken");

  private static final VarHandle PUT_BACK = counter("putBack");
  private static final VarHandle THROTTLED = counter("throttled");
  private static final VarHandle REFUNDED = counter("refunded");

  // What each decision reads comes first.
  private volatile boolean isSpread;
  private volatile long taken;
  private volatile long putBack;
  private volatile long throttled;
  private volatile long refunded;
  private long givenBack;

  /** The part of {@link #givenBack} that never existed. */
  private long skipped;

  /** Threads that lost a race count it without another one: some are not counted. */
  private long lostRaces;

  private volatile @Nullable Stripes stripes;

  private static VarHandle counter(String field) {
    return FieldHandle.of(MethodHandles.lookup(), field, long.class);
  }

  /** Permits taken, including those moved to {@link Stripes}. */
  long taken() {
    return taken;
  }

  /** Permits put back; read this before {@link #taken}, so that it never exceeds that. */
  long putBack() {
    return putBack;
  }

  /** Moves what was taken, unless that is not {@code before} any more. */
  boolean move(long before, long permits) {
    return TAKEN.compareAndSet(this, before, before + permits);
  }

  /** Another thread has moved it first. */
  void lostRace() {
    lostRaces++;
  }

  /** Returns permits that were taken for a request that another rule refused. */
  void putBack(long permits) {
    PUT_BACK.getAndAdd(this, permits);
  }

  /**
   * Returns permits that a request took and did not use after all.
   *
   * @param takeableAgain those of them that may be taken again; the enforcer frees the rest
   */
  void refund(long permits, long takeableAgain) {
    PUT_BACK.getAndAdd(this, takeableAgain);
    REFUNDED.getAndAdd(this, permits - takeableAgain);
  }

  /**
   * Returns permits that were in use, and are the enforcer's now: nobody can take them again. They
   * count as taken once more and put back, so that what was taken but for what was given back is
   * what requests took.
   */
  void returnTaken(long permits) {
    TAKEN.getAndAdd(this, permits);
    PUT_BACK.getAndAdd(this, permits);
    REFUNDED.getAndAdd(this, permits);
  }

  /** Counts permits that were asked for and not given, as far as they can be reported. */
  void refuse(long permits) {
    Stripes spread = stripes;
    long before = throttled;
    if (spread != null) {
      spread.refuse(permits);
    } else if (before >= PermitCount.MAX_REPORTED) {
      return;
    } else if (!THROTTLED.compareAndSet(this, before, before + permits)) {
      lostRaces++;
      THROTTLED.getAndAdd(this, permits);
    }
  }

  /** Whether there are stripes: known without them, which are further away. */
  boolean isSpread() {
    return isSpread;
  }

  @Nullable Stripes stripes() {
    return stripes;
  }

  /** Whether threads lost enough races for the counts since the last call to be kept apart. */
  boolean isContended(Spreading spreading) {
    boolean isContended = spreading.places() > 1 && lostRaces >= spreading.races();
    lostRaces = 0;
    return isContended;
  }

  /** Lets threads find permits, and count what is refused, in places of their own. */
  void stripe(int places) {
    if (stripes == null) {
      stripes = new Stripes(places);
      isSpread = true;
    }
  }

  /** Has what is left in places of their own back where all find it. */
  void collect() {
    Stripes spread = stripes;
    if (spread != null) {
      putBack(spread.collect());
    }
  }

  /** Notes that permits, taken just now, go back to the enforcer. */
  void giveBack(long permits) {
    givenBack += permits;
  }

  /** Takes a permit that is given back at once: whoever is about to move what was taken fails. */
  void skip() {
    TAKEN.getAndAdd(this, 1L);
    givenBack++;
    skipped++;
  }

  /**
   * Gives back what is left of {@code most} permits, and makes the counts final, if nobody who
   * reads again finds any permits.
   */
  void finish(long most) {
    while (true) {
      long back = putBack;
      long before = taken;
      long left = Math.max(0, most - (before - back));
      long give = Math.max(1, left);
      if (move(before, give)) {
        givenBack += give;
        skipped += give - left;
        return;
      }
    }
  }

  /** Permits that decisions took, plus those given back. */
  long takenInAll() {
    Stripes spread = stripes;
    return spread == null ? taken : taken - spread.putEver() + spread.taken();
  }

  /** Permits that decisions put back. */
  long putBackInAll() {
    Stripes spread = stripes;
    return spread == null ? putBack : putBack - spread.returned();
  }

  long throttledInAll() {
    Stripes spread = stripes;
    return spread == null ? throttled : throttled + spread.refused();
  }

  long refunded() {
    return refunded;
  }

  long givenBack() {
    return givenBack;
  }

  /** Permits given back that never existed, and so were never taken. */
  long skipped() {
    return skipped;
  }

  /** Permits asked for so far, given or not. */
  long asked() {
    return takenInAll() - givenBack + throttledInAll();
  }

  long used() {
    return takenInAll() - putBackInAll() - refunded - givenBack;
  }

  /** A number that grows with whatever there is to report. */
  long changes() {
    return takenInAll() + putBackInAll() + refunded + throttledInAll();
  }

  /** Whether the counts are soon too large, after all that was taken and perhaps put back. */
  boolean isWorn() {
    return taken >= WORN;
  }
}
