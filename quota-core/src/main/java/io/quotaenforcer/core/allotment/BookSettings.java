package io.quotaenforcer.core.allotment;

/**
 * Tuning of the allotment book; times in nanoseconds of the instance's clock.
 *
 * @param maxKeys most quota keys that are in use at once, a new one beyond is throttled; and most
 *     that are remembered besides
 * @param spareFrom while fewer permits of a key are left to all, an instance whose callers wait
 *     asks for none before it has a request for it
 * @param spreading of permits that many threads ask for at once
 */
public record BookSettings(
    Reporting reporting, Holding holding, int maxKeys, long spareFrom, Spreading spreading) {

  private static final long MILLI = 1_000_000L;

  /** With this many permits left to all, an instance may ask for one it does not need yet. */
  private static final int MANY = 16;

  /** Rounds of all keys, at most, in the time after which a key is forgotten. */
  private static final int SWEEPS = 60;

  /**
   * As many before its end a share at rest is given back, since a round of many keys takes longer.
   */
  private static final int SWEEPS_AHEAD = 10;

  /** A quick interval is this fraction of the usual one. */
  private static final int QUICKER = 4;

  /**
   * When keys are reported.
   *
   * @param intervalNanos time between two reports of one key in normal use; down to {@link
   *     #quickIntervalNanos} where the enforcer answers quickly
   * @param urgentNanos shortest time between reports when a key was never answered
   * @param awayAfterNanos a partition that answers nothing for this long counts as unavailable
   * @param ofShareNanos time between two reports of a key whose share brings all that is asked for
   */
  public record Reporting(
      long intervalNanos, long urgentNanos, long awayAfterNanos, long ofShareNanos) {
    private static final int INTERVALS_OF_SHARE = 12;
    private static final long MOST_OF_SHARE = 250 * MILLI;

    /**
     * With reports of shares at a pace that goes with the interval, a quarter of a second at most.
     */
    public Reporting(long intervalNanos, long urgentNanos, long awayAfterNanos) {
      this(
          intervalNanos,
          urgentNanos,
          awayAfterNanos,
          Math.max(intervalNanos, Math.min(INTERVALS_OF_SHARE * intervalNanos, MOST_OF_SHARE)));
    }

    Reporting scaled(long factor) {
      return new Reporting(
          intervalNanos * factor,
          urgentNanos * factor,
          awayAfterNanos * factor,
          ofShareNanos * factor);
    }
  }

  /**
   * How long keys and cells are held.
   *
   * @param ttlNanos the enforcer's longest lease: keys in use are reported well within it
   * @param idleAfterNanos a key without requests for this long gives its permits back; less than a
   *     lease, so that they are not written off before
   * @param evictAfterNanos a key without requests for this long is forgotten
   * @param closeGraceNanos time for decisions in flight to put permits back before a cell is closed
   * @param windowSlackNanos how much earlier than certain a next window's permits may be used
   */
  public record Holding(
      long ttlNanos,
      long idleAfterNanos,
      long evictAfterNanos,
      long closeGraceNanos,
      long windowSlackNanos) {
    Holding scaled(long factor) {
      return new Holding(
          ttlNanos * factor,
          idleAfterNanos * factor,
          evictAfterNanos * factor,
          closeGraceNanos * factor,
          windowSlackNanos * factor);
    }

    /** With leases of another length. */
    public Holding withTtl(long nanos) {
      return new Holding(nanos, idleAfterNanos, evictAfterNanos, closeGraceNanos, windowSlackNanos);
    }

    /** With keys that are idle, and forgotten, after other times. */
    public Holding withIdle(long idleNanos, long evictNanos) {
      return new Holding(ttlNanos, idleNanos, evictNanos, closeGraceNanos, windowSlackNanos);
    }
  }

  /**
   * Reports every 20 ms (5 ms at the quickest, and for a new key), away after 1 s, idle after 1.6
   * s.
   */
  public static BookSettings defaults() {
    return new BookSettings(
        new Reporting(20 * MILLI, 5 * MILLI, 1_000 * MILLI),
        new Holding(2_000 * MILLI, 1_600 * MILLI, 60_000 * MILLI, 100 * MILLI, 50 * MILLI),
        1_000_000,
        MANY,
        Spreading.NONE);
  }

  /**
   * For queues, which ask for what they will use and no more: reports of a key that holds permits
   * every 100 ms, and a key that has nothing left to release is forgotten after 5 s.
   */
  public static BookSettings ofQueues() {
    BookSettings plain = defaults();
    return plain
        .with(new Reporting(100 * MILLI, plain.urgentIntervalNanos(), plain.awayAfterNanos()))
        .with(plain.holding.withIdle(plain.idleAfterNanos(), 5_000 * MILLI));
  }

  /** The same with keys reported at other times. */
  public BookSettings with(Reporting other) {
    return new BookSettings(other, holding, maxKeys, spareFrom, spreading);
  }

  /** The same with keys and cells held for other times. */
  public BookSettings with(Holding other) {
    return new BookSettings(reporting, other, maxKeys, spareFrom, spreading);
  }

  /** The same with permits spread otherwise. */
  public BookSettings with(Spreading other) {
    return new BookSettings(reporting, holding, maxKeys, spareFrom, other);
  }

  /** The same with another number of keys. */
  public BookSettings withMaxKeys(int keys) {
    return new BookSettings(reporting, holding, keys, spareFrom, spreading);
  }

  public long reportIntervalNanos() {
    return reporting.intervalNanos;
  }

  public long urgentIntervalNanos() {
    return reporting.urgentNanos;
  }

  /** Time between two reports of a key whose share brings all that is asked for. */
  long shareReportIntervalNanos() {
    return reporting.ofShareNanos;
  }

  /**
   * Time until the use of a few permits is reported, that nobody need know of sooner: as late as
   * the report that gives back what an idle key holds, so that this tells of both.
   */
  long fewReportIntervalNanos() {
    long idle = holding.idleAfterNanos + holding.closeGraceNanos + reporting.intervalNanos;
    return Math.min(idle, holding.ttlNanos);
  }

  public long awayAfterNanos() {
    return reporting.awayAfterNanos;
  }

  public long ttlNanos() {
    return holding.ttlNanos;
  }

  public long idleAfterNanos() {
    return holding.idleAfterNanos;
  }

  public long evictAfterNanos() {
    return holding.evictAfterNanos;
  }

  /** From when all keys have been looked at to the next look, to see which can be forgotten. */
  long sweptEveryNanos() {
    return holding.evictAfterNanos / SWEEPS;
  }

  /** What a share must be good for while nobody asks: so that it is given back in time. */
  long leastRestNanos() {
    return SWEEPS_AHEAD * sweptEveryNanos();
  }

  public long closeGraceNanos() {
    return holding.closeGraceNanos;
  }

  public long windowSlackNanos() {
    return holding.windowSlackNanos;
  }

  /** Shortest time between two reports of one key in normal use, and between looks at few keys. */
  long quickIntervalNanos() {
    return Math.max(reporting.urgentNanos, reporting.intervalNanos / QUICKER);
  }

  /** The same settings on a clock that runs {@code factor} times as fast. */
  public BookSettings scaled(long factor) {
    return with(reporting.scaled(factor)).with(holding.scaled(factor));
  }
}
