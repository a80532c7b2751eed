package io.quotaenforcer.core.allotment;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.quotaenforcer.core.QuotaKey;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Knowledge of quota keys that have no object. For those at rest, which hold nothing and have
 * nothing to report: how their quota stood and how far they can be opened. For all: until when they
 * must be assumed to have been used before. Keys that are not known for lack of room are opened no
 * further than by a shared credit, as long as one of them may matter.
 *
 * <p>A key is a row of 72 bytes by its hash, 96 to 144 with the slots between. Of two keys that
 * share a hash, which nobody can bring about, the one may get what is known of the other. Rows are
 * in several tables, so that one that grows holds nobody up for long. Safe for use by any thread.
 */
final class KeyMemory {
  static final int TABLES = 64;

  /** Local time until which it matters that the key is known. */
  private static final int UNTIL = 0;

  /** Local time until which it is worth knowing. */
  private static final int KEPT_UNTIL = 1;

  /** Also says whether the key is under a penalty, which then ends at {@link #RESET}. */
  private static final int USED = 2;

  private static final int RESET = 3;

  /** Permits that were left, as far as the key can be opened at least. */
  private static final int LEFT = 4;

  /** Enforcer time at which that was so; {@link #NEVER} where the key cannot be opened. */
  private static final int AT = 5;

  private static final int OPENED = 6;

  /** Enforcer time until which the key is shut. */
  private static final int SHUT_UNTIL = 7;

  private static final int COLUMNS = 8;

  /** Use of a key of which there is no answer. */
  private static final long UNKNOWN = -1;

  private static final long NEVER = Long.MIN_VALUE;

  private final KeyHash hash;
  private final int capacity;
  private final long keptNanos;

  @GuardedBy("this")
  private final @Nullable HashedRows[] tables = new @Nullable HashedRows[TABLES];

  @GuardedBy("this")
  private Iterator<@Nullable HashedRows> sweep = Collections.emptyIterator();

  @GuardedBy("this")
  private int size;

  @GuardedBy("this")
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
   * Takes over everything known of a key into the object that is being made for it; from then on
   * the object knows it.
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
    long usedUntil = Math.max(rows.get(row, UNTIL), now + periodNanos);
    Origin known = new Origin(opening(rows, row), NEVER, usedUntil, answer(rows, row));
    rows.remove(row);
    size--;
    return known;
  }

  /** A key holds nothing and has nothing to say, or is forgotten. */
  synchronized void rested(QuotaKey key, DormantKey rest) {
    long until = Math.max(rest.usedUntilNanos(), rest.openingNeededUntilNanos());
    if (!remember(hash.of(key), rest, until)) {
      overflowUntil = Math.max(overflowUntil, until);
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
      rows.forEach(
          row -> {
            rows.set(row, USED, UNKNOWN);
            rows.set(row, LEFT, OpeningState.ALL);
            rows.set(row, SHUT_UNTIL, 0);
          });
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
    return rows.get(row, isShort ? UNTIL : KEPT_UNTIL) <= now;
  }

  /** False when there is no room. */
  @GuardedBy("this")
  private boolean remember(long hashed, DormantKey rest, long until) {
    int table = table(hashed);
    HashedRows rows = Objects.requireNonNullElseGet(tables[table], () -> new HashedRows(COLUMNS));
    tables[table] = rows;
    int row = rows.find(hashed);
    if (row < 0 && size >= capacity) {
      return false;
    }
    long untilBoth = until;
    if (row < 0) {
      row = rows.add(hashed);
      size++;
    } else {
      // Another key's, or the same one's of an object that is gone: the newer counts.
      untilBoth = Math.max(until, rows.get(row, UNTIL));
    }
    set(rows, row, rest, untilBoth);
    return true;
  }

  private void set(HashedRows rows, int row, DormantKey rest, long until) {
    KnownQuota answer = rest.answer();
    OpeningState opening = rest.opening();
    rows.set(row, UNTIL, until);
    rows.set(row, KEPT_UNTIL, Math.max(until, rest.lastAskedNanos() + keptNanos));
    rows.set(row, USED, answer == null ? UNKNOWN : used(answer));
    rows.set(row, RESET, answer == null ? 0 : reset(answer));
    if (opening == null) {
      rows.set(row, LEFT, answer == null ? 0 : answer.remaining());
      rows.set(row, AT, NEVER);
      rows.set(row, OPENED, 0);
      rows.set(row, SHUT_UNTIL, 0);
    } else {
      rows.set(row, LEFT, opening.left());
      rows.set(row, AT, opening.atNanos());
      rows.set(row, OPENED, opening.opened());
      // What an abused key may be opened by all the same is known from elsewhere.
      rows.set(row, SHUT_UNTIL, opening.cap() == 0 ? opening.cappedUntilNanos() : 0);
    }
  }

  private static @Nullable OpeningState opening(HashedRows rows, int row) {
    long at = rows.get(row, AT);
    return at == NEVER
        ? null
        : new OpeningState(
            rows.get(row, LEFT), at, rows.get(row, OPENED), 0, rows.get(row, SHUT_UNTIL));
  }

  /** Below {@link #UNKNOWN} for a key under a penalty. */
  private static long used(KnownQuota answer) {
    return answer.penaltyUntilNanos() == 0 ? answer.used() : UNKNOWN - 1 - answer.used();
  }

  private static long reset(KnownQuota answer) {
    return answer.penaltyUntilNanos() == 0 ? answer.resetNanos() : answer.penaltyUntilNanos();
  }

  /** Whether others lack permits by now is not known. */
  private static @Nullable KnownQuota answer(HashedRows rows, int row) {
    long used = rows.get(row, USED);
    long reset = rows.get(row, RESET);
    if (used < UNKNOWN) {
      return new KnownQuota(UNKNOWN - 1 - used, 0, reset, false, reset);
    }
    long left = Math.max(0, rows.get(row, LEFT));
    return used == UNKNOWN ? null : new KnownQuota(used, left, reset, false, 0);
  }

  private static int table(long hashed) {
    return (int) hashed & TABLES - 1;
  }
}
