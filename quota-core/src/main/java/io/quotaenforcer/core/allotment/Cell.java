package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.message.CellUsage;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Permits that an instance may take: granted ones, or those of a cell that it opened itself.
 *
 * <p>{@link #tryTake}, {@link #takeUpTo}, {@link #roomAt}, {@link #room}, {@link #putBack}, {@link
 * #refund} and {@link #refuse} may be called by any thread; everything else only by the owner of
 * the book. What is taken, net of what is put back, never exceeds what is granted, however calls
 * interleave: one compare-and-set moves {@code taken}, and every other value in the condition can
 * only have become more favourable since it was read. Where many threads take, some permits are in
 * {@link Stripes}: to the cell they are taken, until they come back.
 */
sealed class Cell permits ShareCell {
  /** Granted to a cell whose use is only counted. */
  static final long UNLIMITED = Long.MAX_VALUE;

  /** What is taken and put back of a cell, time and again, before another one takes its place. */
  private static final long WORN = 1L << 59;

  /** Granted to a closed cell: no count of permits fits into it. */
  private static final long NOTHING = Long.MIN_VALUE / 4;

  /** Later than any cell's permits came. */
  private static final long ANY_TIME = Long.MAX_VALUE;

  /** Counters as fields: an instance may hold a million cells. */
  private static final VarHandle TAKEN = counter("taken");

  private static final VarHandle PUT_BACK = counter("putBack");
  private static final VarHandle THROTTLED = counter("throttled");
  private static final VarHandle REFUNDED = counter("refunded");

  // What each decision reads comes first, so that it is on few cache lines: an instance may decide
  // on a million cells, and most are not at hand for the processor.
  private final boolean countsOnly;
  private boolean sealed;
  private boolean closed;

  /** Whether there are stripes: known without them, which are further away. */
  private volatile boolean isSpread;

  private volatile long taken;
  private volatile long putBack;
  private volatile long granted;
  private volatile long validFromNanos;
  private volatile long validUntilNanos;
  private volatile long throttled;
  private volatile long refunded;
  private final long id;
  private final long windowStartNanos;
  private long grantedByEnforcer;
  private long givenBack;
  private long sealedAtNanos;

  /** Threads that lost a race count it without another one: some are not counted. */
  private long lostRaces;

  private volatile @Nullable Stripes stripes;
  private @Nullable Mark mark;

  /** What was taken by a time; -1 if that is not known yet. */
  private static final class Mark {
    private long taken = -1;
    private long usedEarlier;
    private long earlierNanos;
  }

  Cell(long id, long windowStartNanos, long granted, long validFromNanos, long validUntilNanos) {
    this.id = id;
    this.windowStartNanos = windowStartNanos;
    this.granted = granted;
    this.countsOnly = granted == UNLIMITED;
    this.grantedByEnforcer = id > 0 ? granted : 0;
    this.validFromNanos = validFromNanos;
    this.validUntilNanos = validUntilNanos;
  }

  private static VarHandle counter(String field) {
    try {
      return MethodHandles.lookup().findVarHandle(Cell.class, field, long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  long id() {
    return id;
  }

  long windowStartNanos() {
    return windowStartNanos;
  }

  long validFromNanos() {
    return validFromNanos;
  }

  boolean isValidAt(long now) {
    return now >= validFromNanos && now < validUntilNanos;
  }

  long validUntilNanos() {
    return validUntilNanos;
  }

  /** Takes all of {@code permits}, or none when there is no room or the cell is not valid. */
  boolean tryTake(long permits, long now) {
    return isValidAt(now) && take(permits, now);
  }

  /** Returns permits that were taken for a request that another rule refused. */
  void putBack(long permits) {
    PUT_BACK.getAndAdd(this, permits);
  }

  /**
   * Returns permits that a request took and did not use after all: some may be taken again, and the
   * enforcer frees the rest as its algorithm allows. Nothing returns to a closed cell.
   *
   * @param takeableAgain those of them that may be taken again
   */
  void refund(long permits, long takeableAgain) {
    if (granted != NOTHING) {
      PUT_BACK.getAndAdd(this, takeableAgain);
      REFUNDED.getAndAdd(this, permits - takeableAgain);
    }
  }

  /** Takes as many as there are of {@code permits}, and says how many. */
  long takeUpTo(long permits, long now) {
    long got = 0;
    while (got < permits && isValidAt(now)) {
      long some = Math.min(permits - got, roomAt(now));
      if (some <= 0) {
        return got;
      }
      if (take(some, now)) {
        got += some;
      }
    }
    return got;
  }

  /** Permits that one request may take now, at most. */
  long roomAt(long now) {
    if (!isValidAt(now)) {
      return 0;
    }
    Stripes spread = stripes;
    return spread == null ? unspread() : Math.max(unspread(), spread.mostRoom());
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

  /** Whether use was only counted, as long as the cell was open. */
  boolean countsOnly() {
    return countsOnly;
  }

  /** Whether use is only counted. */
  boolean isUnlimited() {
    return granted == UNLIMITED;
  }

  long room() {
    Stripes spread = stripes;
    return spread == null ? unspread() : unspread() + spread.room();
  }

  /** Permits that are not in places of their own. */
  private long unspread() {
    return granted == UNLIMITED ? UNLIMITED : granted - (taken - putBack);
  }

  /** What decisions took, and what was given back. */
  private long takenInAll() {
    Stripes spread = stripes;
    return spread == null ? taken : taken - spread.putEver() + spread.taken();
  }

  private long throttledInAll() {
    Stripes spread = stripes;
    return spread == null ? throttled : throttled + spread.refused();
  }

  /** What decisions put back. */
  private long putBackInAll() {
    Stripes spread = stripes;
    return spread == null ? putBack : putBack - spread.returned();
  }

  /** Permits given back so far. */
  long givenBackNow() {
    return givenBack;
  }

  final long takenNow() {
    return taken;
  }

  final long putBackNow() {
    return putBack;
  }

  /** Moves what was taken, unless that is not {@code before} any more. */
  final boolean moveTaken(long before, long permits) {
    return TAKEN.compareAndSet(this, before, before + permits);
  }

  /** Moves what was taken by a permit that is given back at once. */
  final void skip() {
    TAKEN.getAndAdd(this, 1L);
    givenBack++;
  }

  /** Permits asked for so far, given or not. */
  long asked() {
    return takenInAll() - givenBack + throttledInAll();
  }

  long used() {
    return takenInAll() - putBackInAll() - refunded - givenBack;
  }

  /** Whether so much was taken of it, and perhaps put back, that its counts are soon too large. */
  boolean isWorn() {
    return taken >= WORN;
  }

  /** A number that grows with whatever there is to report of this cell. */
  long changes() {
    return takenInAll() + putBackInAll() + refunded + throttledInAll();
  }

  boolean isClosable(long closeBefore) {
    return sealed && sealedAtNanos <= closeBefore;
  }

  /**
   * Learns of a larger grant or a longer lease; an older answer changes nothing.
   *
   * @param validFrom of a window's cell, when the window begins; of another, when the permits came:
   *     a decision that read its clock before that, and was held up, must not take them
   */
  void renew(long newGranted, long validFrom, long validUntil) {
    if (windowStartNanos != 0) {
      validFromNanos = Math.min(validFromNanos, validFrom);
    } else if (newGranted > granted) {
      validFromNanos = validFrom;
    }
    // Whoever sees the larger grant sees what is written above, too.
    granted = Math.max(granted, newGranted);
    grantedByEnforcer = granted;
    validUntilNanos = Math.max(validUntilNanos, validUntil);
  }

  /** Takes up to {@code permits} that are free, valid or not, and marks them as given back. */
  long giveBack(long permits) {
    if (granted == UNLIMITED) {
      return 0;
    }
    if (permits > unspread()) {
      collect();
    }
    long give = takeUnspread(permits);
    givenBack += give;
    return give;
  }

  /** Takes up to {@code permits} that are free and not in places of their own, valid or not. */
  long takeUnspread(long permits) {
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

  /** Spreads permits once threads race for them. To be called at each look at the key. */
  void spread(Spreading spreading) {
    boolean isContended = spreading.places() > 1 && lostRaces >= spreading.races();
    lostRaces = 0;
    if (sealed) {
      return;
    }
    if (stripes == null && isContended) {
      stripes = new Stripes(this, spreading.places());
      isSpread = true;
    }
    Stripes spread = stripes;
    if (spread != null && granted != UNLIMITED) {
      spread.spread(isContended, spreading.least());
    }
  }

  private void collect() {
    Stripes spread = stripes;
    if (spread != null) {
      spread.collect();
    }
  }

  /** Remembers what was taken until now, so that {@link #confirmMark} can say when. */
  void mark() {
    mark = mark == null ? new Mark() : mark;
    mark.taken = takenInAll() - givenBack;
  }

  /**
   * What was marked was taken before {@code now}, a clock reading that is later than the mark.
   * Permits put back since may be among it.
   */
  void confirmMark(long now) {
    if (mark != null && mark.taken >= 0) {
      mark.usedEarlier = mark.taken;
      mark.earlierNanos = now;
      mark.taken = -1;
    }
  }

  /**
   * Ends the cell: what is free is given back, so that no thread, however late, finds room in it.
   */
  void seal(long now) {
    if (!sealed) {
      sealed = true;
      sealedAtNanos = now;
      validUntilNanos = Long.MIN_VALUE;
      giveBack(Long.MAX_VALUE);
    }
  }

  /**
   * The cell's counts.
   *
   * @param closeBefore a cell that was sealed before this is reported as closed; between the two,
   *     decisions in flight may still put permits back
   */
  CellUsage usage(long closeBefore) {
    if (isClosable(closeBefore) && !closed) {
      close();
    }
    // Read before what was taken, so that no more is returned than that.
    long back = putBackInAll();
    long unused = refunded;
    return new CellUsage(
        id,
        windowStartNanos,
        grantedByEnforcer,
        takenInAll(),
        back,
        givenBack + unused,
        PermitCount.reported(throttledInAll()),
        closed,
        mark == null ? 0 : Math.max(0, mark.usedEarlier - back - unused),
        mark == null ? 0 : mark.earlierNanos);
  }

  /**
   * Makes the counts final. A thread that found the cell valid long ago may still be about to take
   * permits put back since, or permits without a limit. The grant goes first, then {@code taken}
   * moves by at least one: whoever read the old grant fails to move {@code taken}, reads again, and
   * finds nothing.
   */
  private void close() {
    long most = granted == UNLIMITED ? 0 : granted;
    granted = NOTHING;
    closed = true;
    while (true) {
      long back = putBack;
      long before = taken;
      long give = Math.max(1, most - (before - back));
      if (TAKEN.compareAndSet(this, before, before + give)) {
        givenBack += give;
        return;
      }
    }
  }

  /** Takes all of {@code permits}, or none: from this thread's place first, if there are some. */
  boolean take(long permits, long now) {
    return isSpread ? takeSpread(permits, now) : takeInRace(permits, now);
  }

  private boolean takeSpread(long permits, long now) {
    Stripes spread = Objects.requireNonNull(stripes);
    return spread.take(permits, now)
        || takeInRace(permits, now)
        || spread.takeElsewhere(permits, now);
  }

  private boolean takeInRace(long permits, long now) {
    while (true) {
      long back = putBack;
      long before = taken;
      long most = granted; // read last: see close()
      if (permits > most - (before - back) || now < validFromNanos) {
        return false;
      }
      if (TAKEN.compareAndSet(this, before, before + permits)) {
        return true;
      }
      lostRaces++;
    }
  }
}
