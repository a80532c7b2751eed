package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.QuotaKey;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is known of quota keys for which there is no object: of those at rest, which hold nothing
 * and have nothing to say, how their quota stood; and of all, until when they must be taken for
 * used before, and whether they may have opening credit all the same. One that comes back gets no
 * second credit in a window for one that is not covered. Keys that do not fit make all keys wait as
 * long.
 *
 * <p>A key is a row of 48 bytes by its hash, 64 to 96 with the slots between. Of two keys that
 * share a hash, which nobody can bring about, the one may get what is known of the other. Rows are
 * in several tables, so that one that grows holds nobody up for long. Safe for use by any thread.
 */
final class KeyMemory {
  static final int TABLES = 64;

  /** Local time until which the key must be taken for used, or must wait for credit, and flags. */
  private static final int UNTIL = 0;

  /** Local time until which it is worth knowing. */
  private static final int KEPT_UNTIL = 1;

  private static final int USED = 2;
  private static final int REMAINING = 3;
  private static final int RESET = 4;
  private static final int COLUMNS = 5;

  /** Flags, in the last bits of a time in nanoseconds. Without credit until then. */
  private static final long WITHOUT_CREDIT = 1;

  /** All was reported and booked. */
  private static final long SETTLED = 2;

  private static final long FLAGS = WITHOUT_CREDIT | SETTLED;

  /** Use of a key of which there is no answer. */
  private static final long UNKNOWN = -1;

  private final KeyHash hash;
  private final int capacity;
  private final long keptNanos;
  private final @Nullable HashedRows[] tables = new @Nullable HashedRows[TABLES];
  private Iterator<@Nullable HashedRows> sweep = Collections.emptyIterator();
  private int size;
  private long overflowUntil = Long.MIN_VALUE;

  /**
   * @param capacity most keys that are known
   * @param keptNanos how long after its last request a key at rest is worth knowing
   */
  KeyMemory(KeyHash hash, int capacity, long keptNanos) {
    this.hash = hash;
    this.capacity = capacity;
    this.keptNanos = keptNanos;
  }

  /** How many keys are known. */
  synchronized int size() {
    return size;
  }

  /**
   * What is known of a key, for an object that is made for it: from now on that knows.
   *
   * @param periodNanos of the key's limit
   */
  synchronized Origin recall(QuotaKey key, long periodNanos, long now) {
    long hashed = hash.of(key);
    HashedRows rows = tables[table(hashed)];
    int row = rows == null ? -1 : rows.find(hashed);
    if (rows == null || row < 0) {
      return Origin.forgotten(overflowUntil, overflowUntil);
    }
    long until = rows.get(row, UNTIL);
    long creditFrom = (until & WITHOUT_CREDIT) != 0 ? time(until) : Long.MIN_VALUE;
    Origin known =
        (until & SETTLED) != 0
            ? new Origin(true, creditFrom, now + periodNanos, answer(rows, row))
            : Origin.forgotten(
                Math.max(overflowUntil, creditFrom), Math.max(overflowUntil, time(until)));
    rows.remove(row);
    size--;
    return known;
  }

  /**
   * A key is forgotten, and gets no opening credit for a time.
   *
   * @param until local time until which it must be taken for used before
   */
  synchronized void forgotten(QuotaKey key, long until) {
    if (!remember(hash.of(key), until, WITHOUT_CREDIT, until, null)) {
      overflowUntil = Math.max(overflowUntil, until);
    }
  }

  /** A key holds nothing and has nothing to say. */
  synchronized void rested(QuotaKey key, DormantKey rest, long now) {
    boolean hasCredit = rest.creditFromNanos() <= now;
    long until = hasCredit ? rest.usedUntilNanos() : rest.creditFromNanos();
    long flags = hasCredit ? SETTLED : SETTLED | WITHOUT_CREDIT;
    long neededUntil = Math.max(until, rest.usedUntilNanos());
    long keptUntil = Math.max(neededUntil, rest.lastAskedNanos() + keptNanos);
    if (!remember(hash.of(key), until, flags, keptUntil, rest.answer())) {
      overflowUntil = Math.max(overflowUntil, neededUntil);
    }
  }

  /** Forgets how quotas stood: some are counted anew. Others wait for a table at most. */
  void forgetAnswers() {
    for (int table = 0; table < TABLES; table++) {
      forgetAnswers(table);
    }
  }

  private synchronized void forgetAnswers(int table) {
    HashedRows rows = tables[table];
    if (rows != null) {
      rows.forEach(row -> rows.set(row, USED, UNKNOWN));
    }
  }

  /** Whether what nothing depends on must go soon. */
  synchronized boolean isShort() {
    return size > capacity / 4 * 3;
  }

  /** Looks at a {@value #TABLES}th of the keys, and drops what is not worth knowing any more. */
  synchronized void sweep(long now) {
    if (!sweep.hasNext()) {
      sweep = Arrays.asList(tables).iterator();
    }
    HashedRows rows = sweep.next();
    if (rows != null) {
      boolean isShort = isShort();
      int before = rows.size();
      rows.removeIf(row -> isOver(rows, row, isShort, now));
      size -= before - rows.size();
    }
  }

  private static boolean isOver(HashedRows rows, int row, boolean isShort, long now) {
    long until = rows.get(row, UNTIL);
    boolean isWithoutNeed = isShort && (until & WITHOUT_CREDIT) == 0;
    return (isWithoutNeed ? time(until) : rows.get(row, KEPT_UNTIL)) <= now;
  }

  /** False when there is no room. */
  private boolean remember(
      long hashed, long until, long flags, long keptUntil, @Nullable KnownQuota answer) {
    int table = table(hashed);
    HashedRows rows = Objects.requireNonNullElseGet(tables[table], () -> new HashedRows(COLUMNS));
    tables[table] = rows;
    int row = rows.find(hashed);
    if (row >= 0) {
      // Another key's, or the same one's of an object that is gone: what is safe for both.
      long before = rows.get(row, UNTIL);
      long both = (before | flags) & WITHOUT_CREDIT;
      long kept = Math.max(rows.get(row, KEPT_UNTIL), keptUntil);
      set(rows, row, Math.max(time(before), rounded(until)) | both, kept, null);
      return true;
    }
    if (size >= capacity) {
      return false;
    }
    set(rows, rows.add(hashed), rounded(until) | flags, keptUntil, answer);
    size++;
    return true;
  }

  private static void set(
      HashedRows rows, int row, long until, long keptUntil, @Nullable KnownQuota answer) {
    rows.set(row, UNTIL, until);
    rows.set(row, KEPT_UNTIL, Math.max(keptUntil, time(until)));
    rows.set(row, USED, answer == null ? UNKNOWN : answer.used());
    rows.set(row, REMAINING, answer == null ? 0 : answer.remaining());
    rows.set(row, RESET, answer == null ? 0 : answer.resetNanos());
  }

  /** Whether others lack permits by now is not known. */
  private static @Nullable KnownQuota answer(HashedRows rows, int row) {
    long used = rows.get(row, USED);
    return used == UNKNOWN
        ? null
        : new KnownQuota(used, rows.get(row, REMAINING), rows.get(row, RESET), false);
  }

  private static long time(long until) {
    return until & ~FLAGS;
  }

  /** Not earlier, with room for flags. */
  private static long rounded(long until) {
    return time(until + FLAGS);
  }

  private static int table(long hashed) {
    return (int) hashed & TABLES - 1;
  }
}
