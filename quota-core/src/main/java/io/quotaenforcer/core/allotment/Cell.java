package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.message.CellCounts;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.EarlierUse;
import io.quotaenforcer.core.message.NamedShare;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A source of permits of one quota key, and the account of them that is reported. Each kind says
 * what may be taken of it, and when.
 *
 * <p>{@link #tryTake}, {@link #takeUpTo}, {@link #roomAt}, {@link #putBack}, {@link #refund},
 * {@link #awaitOutcome}, {@link #outcomeTold} and {@link #refuse} may be called by any thread;
 * everything else only by the owner of the book. What is taken, net of what is put back, never
 * exceeds what there is, however calls interleave: one compare-and-set moves what was taken, and
 * every other value in the condition can only have become more favourable since it was read.
 */
abstract sealed class Cell permits LeaseCell, CountingCell, ShareCell {
  /** How long a sealed cell waits for requests to tell how they turned out. */
  static final long OUTCOME_NANOS = 10_000_000_000L;

  private static final VarHandle UNTOLD =
      FieldHandle.of(MethodHandles.lookup(), "untold", int.class);

  // What each decision reads comes first, so that it is on few cache lines: an instance may decide
  // on a million cells, and most are not at hand for the processor.
  private final PermitCounter counter = new PermitCounter();
  private volatile Phase phase = Phase.OPEN;
  private volatile long validFromNanos;
  private volatile long validUntilNanos;
  private final long id;
  private final long windowStartNanos;
  private long sealedAtNanos;
  private volatile int untold;
  private @Nullable Mark mark;

  private enum Phase {
    OPEN,
    /** Out of use: decisions in flight may still put permits back. */
    SEALED,
    /** The counts are final. */
    CLOSED
  }

  /** Permits taken by a certain time; -1 if not known yet. */
  private static final class Mark {
    private long taken = -1;
    private long usedEarlier;
    private long earlierNanos;
  }

  Cell(long id, long windowStartNanos, long validFromNanos, long validUntilNanos) {
    this.id = id;
    this.windowStartNanos = windowStartNanos;
    this.validFromNanos = validFromNanos;
    this.validUntilNanos = validUntilNanos;
  }

  /** Takes all of {@code permits}, or none, of a cell that was valid when the clock was read. */
  abstract boolean take(long permits, long now);

  /** Permits that one request may take now, at most. */
  abstract long roomAt(long now);

  /**
   * How many of the permits that a request took but did not use may be taken again.
   *
   * @param ofWindow whether permits of the limit belong to a window
   */
  abstract long takeableAgain(long permits, boolean ofWindow, long takenNanos, long now);

  /**
   * Permits of a lease that are left beside what this cell gave.
   *
   * @param inUse those of the lease that is in use
   */
  abstract long leased(long inUse);

  /** Takes up to {@code permits} that are free, valid or not, and marks them as given back. */
  abstract long giveBack(long permits);

  /**
   * From now on whoever reads again finds nothing to take.
   *
   * @return permits that there were in all
   */
  abstract long end();

  /** Has threads that race for permits find them in different places, if there are many. */
  abstract void spreadPermits(boolean isContended, int least);

  final PermitCounter counter() {
    return counter;
  }

  final long id() {
    return id;
  }

  final long windowStartNanos() {
    return windowStartNanos;
  }

  final long validFromNanos() {
    return validFromNanos;
  }

  final void validFrom(long nanos) {
    validFromNanos = nanos;
  }

  final long validUntilNanos() {
    return validUntilNanos;
  }

  /** Is valid for longer; an older answer changes nothing. */
  final void validUntil(long nanos) {
    validUntilNanos = Math.max(validUntilNanos, nanos);
  }

  final boolean isValidAt(long now) {
    return now >= validFromNanos && now < validUntilNanos;
  }

  /** Takes all of {@code permits}, or none when there is no room or the cell is not valid. */
  final boolean tryTake(long permits, long now) {
    return isValidAt(now) && take(permits, now);
  }

  /** Takes as many as there are of {@code permits}, and says how many. */
  final long takeUpTo(long permits, long now) {
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

  /**
   * Returns permits that were taken for a request that another rule refused.
   *
   * @param takenNanos the clock reading by which they were taken
   */
  void putBack(long permits, long takenNanos) {
    counter.putBack(permits);
  }

  /**
   * Returns permits that a request took and did not use after all: some may be taken again, and the
   * enforcer frees the rest as its algorithm allows. Nothing returns to a closed cell.
   */
  void refund(long permits, boolean ofWindow, long takenNanos, long now) {
    long again = takeableAgain(permits, ofWindow, takenNanos, now);
    if (!isClosed()) {
      counter.refund(permits, again);
    }
  }

  /** Counts permits that were asked for and not given, as far as they can be reported. */
  final void refuse(long permits) {
    counter.refuse(permits);
  }

  /** Permits given back so far. */
  final long givenBackNow() {
    return counter.givenBack();
  }

  /** Permits asked for so far, given or not. */
  final long asked() {
    return counter.asked();
  }

  final long used() {
    return counter.used();
  }

  /** Whether its counts are soon too large, after all that was taken of it and perhaps put back. */
  final boolean isWorn() {
    return counter.isWorn();
  }

  /** A number that grows with whatever there is to report of this cell. */
  final long changes() {
    return counter.changes();
  }

  final boolean isSealed() {
    return phase != Phase.OPEN;
  }

  final boolean isClosed() {
    return phase == Phase.CLOSED;
  }

  /** A request took permits that go back if it turns out otherwise. Any thread. */
  final void awaitOutcome() {
    UNTOLD.getAndAdd(this, 1);
  }

  /** Such a request has told how it turned out, and what goes back has gone. Any thread. */
  final void outcomeTold() {
    UNTOLD.getAndAdd(this, -1);
  }

  /** Whether it was sealed after this: decisions in flight may still put permits back. */
  final boolean isFresh(long closeBefore) {
    return isSealed() && sealedAtNanos > closeBefore;
  }

  /**
   * Whether it was sealed before this, so that it may be reported as closed: for some time only if
   * all outcomes are known that permits depend on.
   */
  boolean isClosable(long closeBefore) {
    return isSealed() && sealedAtNanos <= closeBefore - (untold > 0 ? OUTCOME_NANOS : 0);
  }

  /** Spreads what threads race for. To be called at each look at the key. */
  final void spread(Spreading spreading) {
    boolean isContended = counter.isContended(spreading);
    if (isSealed()) {
      return;
    }
    if (isContended) {
      counter.stripe(spreading.places());
    }
    spreadPermits(isContended, spreading.least());
  }

  /** Remembers what was taken until now, so that {@link #confirmMark} can say when. */
  final void mark() {
    mark = mark == null ? new Mark() : mark;
    mark.taken = counter.takenInAll() - counter.givenBack();
  }

  /**
   * Confirms that the marked permits were taken before {@code now}, a clock reading that is later
   * than the mark. Permits put back since may be among them.
   */
  final void confirmMark(long now) {
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
    if (!isSealed()) {
      phase = Phase.SEALED;
      sealedAtNanos = now;
      validUntilNanos = Long.MIN_VALUE;
      giveBack(Long.MAX_VALUE);
    }
  }

  /**
   * Takes a cell into use again that was sealed, and of which nobody was told that it is closed.
   */
  final void reopen() {
    phase = Phase.OPEN;
  }

  /**
   * The cell's counts.
   *
   * @param closeBefore a cell that was sealed before this is reported as closed; between the two,
   *     decisions in flight may still put permits back
   */
  CellUsage usage(long closeBefore) {
    if (isClosable(closeBefore) && !isClosed()) {
      close();
    }
    // Read before what was taken, so that no more is returned than that.
    long back = counter.putBackInAll();
    long unused = counter.refunded();
    long skipped = counter.skipped();
    return new CellUsage(
        id,
        windowStartNanos,
        new CellCounts(
            grantedByEnforcer(),
            counter.takenInAll() - skipped,
            back,
            counter.givenBack() - skipped + unused,
            PermitCount.reported(counter.throttledInAll())),
        isClosed(),
        mark == null
            ? EarlierUse.NONE
            : new EarlierUse(Math.max(0, mark.usedEarlier - back - unused), mark.earlierNanos),
        NamedShare.NONE);
  }

  /** Permits that an enforcer granted, as it is told. */
  long grantedByEnforcer() {
    return 0;
  }

  /**
   * Makes the counts final. A thread that found the cell valid long ago may still be about to take
   * permits put back since, or permits without a limit. What there is goes first, then what was
   * taken moves by at least one: whoever read before fails to move it, reads again, and finds
   * nothing.
   */
  void close() {
    long most = end();
    phase = Phase.CLOSED;
    counter.finish(most);
  }

  /** The counts are final from now on. */
  final void closed() {
    phase = Phase.CLOSED;
  }
}
