package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.rule.OwnLimits;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** State shared by all keys of one allotment book. */
final class BookContext {
  /** Rounds in the time after which a key is forgotten. */
  private static final int ROUNDS = 8;

  private static final int MOST_EXHAUSTED = 100_000;

  /** Keys may keep permits at rest while fewer than this fraction of the most keys are in use. */
  private static final int AT_REST = 8;

  final BookSettings settings;
  final KeyMemory memory;
  final Pauses pauses;
  final ExhaustedKeys exhausted = new ExhaustedKeys(MOST_EXHAUSTED);

  /** Permits that were taken by openings. */
  final LongAdder opened = new LongAdder();

  private final AtomicLong openedCells = new AtomicLong();
  private volatile int maxInstances;
  private volatile OwnLimits ownLimits = OwnLimits.NONE;
  private volatile boolean mayRest = true;
  private long sweptNanos = Long.MIN_VALUE;
  private long forgottenNanos = Long.MIN_VALUE;

  BookContext(BookSettings settings, int maxInstances, KeyHash hash) {
    this.settings = settings;
    this.maxInstances = maxInstances;
    this.pauses = new Pauses(settings.reportIntervalNanos());
    this.memory = new KeyMemory(hash, settings.maxKeys(), settings.evictAfterNanos());
  }

  /** Ids of cells that this instance opens: negative, and falling for the whole epoch. */
  long nextOpenedId() {
    return -openedCells.incrementAndGet();
  }

  int maxInstances() {
    return maxInstances;
  }

  void maxInstances(int instances) {
    maxInstances = instances;
  }

  /** What is in force of the limits that follow the load of this instance. */
  OwnLimits ownLimits() {
    return ownLimits;
  }

  void ownLimits(OwnLimits limits) {
    ownLimits = limits;
  }

  /** Whether keys may keep a share that nobody asks for. */
  boolean mayRest() {
    return mayRest;
  }

  /**
   * @param held keys that there are objects of: those at rest are among them
   */
  void held(int held) {
    mayRest = held <= settings.maxKeys() / AT_REST;
  }

  /** Drops some of what is over; to be called often. */
  void forgetEnded(ExhaustedKeys.EnforcerClock clock, long now) {
    long round = settings.evictAfterNanos() / ROUNDS;
    if (memory.isShort() || isAgo(sweptNanos, round / KeyMemory.TABLES, now)) {
      sweptNanos = now;
      memory.sweep(now);
    }
    if (isAgo(forgottenNanos, round, now)) {
      forgottenNanos = now;
      exhausted.sweep(clock);
    }
  }

  private static boolean isAgo(long then, long nanos, long now) {
    return then == Long.MIN_VALUE || now - then >= nanos;
  }
}
