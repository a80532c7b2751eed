package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.Kept;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.match.AttributeValues;
import io.quotaenforcer.core.match.MatchIndex;
import io.quotaenforcer.core.rule.CountedUnder;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.UnsureMatches;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The quota keys that one request counts under, in the order of their rules, and the cells that its
 * permits come from. Belongs to a thread, which uses it for one decision after the other: a
 * decision costs no more memory than it returns. Between two decisions it knows of no book, so that
 * threads keep none alive that is not used any more.
 */
final class MatchedKeys implements AttributeValues, MatchIndex.Found<RuleKeys>, AutoCloseable {
  private static final int FEW = 4;
  private static final int[] FIRST_OF_EACH = {};

  private @Nullable LiveKeys live;
  private @Nullable UnsureMatches unsure;
  private @Nullable KeyAllotment[] keys = new KeyAllotment[FEW];
  private @Nullable Cell[] cells = new Cell[FEW];

  /** At their places, the keys that have borrowed. */
  private @Nullable KeyAllotment[] borrowed = new KeyAllotment[FEW];

  private int borrows;
  private int[] ranks = new int[FEW];
  private int[] demandClasses = new int[FEW];
  private int size;

  /** The key that borrows, if one does; of several, the last. */
  private @Nullable KeyAllotment borrower;

  private int borrowerIndex;
  private int poolIndex;
  private @Nullable Request request;
  private Map<String, String> attributes = Map.of();
  private HashKeys hashKeys = HashKeys.NONE;
  private Undecided undecided = Undecided.NONE;
  private boolean hashes;
  private long now;

  /** Rules that match, and of which the quota key is not known. */
  enum Undecided {
    NONE,
    /** Some, none of them strict. */
    LENIENT,
    /** A strict one at least. */
    STRICT
  }

  /** Kept with a request that was decided once; the second time, more is worth keeping. */
  private enum Seen implements Kept {
    ONCE
  }

  /** The keys of a request that was decided before, as long as the same rules are in force. */
  private record Found(HeldKeys.InForce inForce, @Nullable KeyAllotment[] keys, int[] demandClasses)
      implements Kept {}

  /**
   * Finds the keys of a request.
   *
   * @param given takes note of conditions that were given up
   */
  void match(LiveKeys of, UnsureMatches given, Request wanted, long at) {
    HeldKeys.InForce inForce = of.inForce();
    Kept kept = Kept.with(wanted);
    if (kept instanceof Found before && before.inForce == inForce && take(before)) {
      return;
    }
    size = 0;
    live = of;
    unsure = given;
    request = wanted;
    now = at;
    hashKeys = inForce.hashKeys();
    attributes = wanted.attributes();
    inForce.index().find(this, this);
    // A hash costs more than what is kept, so keep that at once.
    if (undecided != Undecided.NONE || (kept == null && !hashes)) {
      Kept.keep(wanted, Seen.ONCE);
    } else {
      Kept.keep(
          wanted,
          new Found(inForce, Arrays.copyOf(keys, size), Arrays.copyOf(demandClasses, size)));
    }
  }

  /** Takes a key that is known without matching, for a request of a class. */
  void matchOnly(KeyAllotment key, int demandClass) {
    reserve(size + 1);
    keys[size] = key;
    demandClasses[size++] = demandClass;
  }

  /** Takes note of a rule that matches, and of which the quota key is not known. */
  void undecided(Rule rule) {
    if (undecided != Undecided.STRICT) {
      undecided = rule.enforcement() == Enforcement.STRICT ? Undecided.STRICT : Undecided.LENIENT;
    }
  }

  Undecided undecided() {
    return undecided;
  }

  /** False if another object stands for one of these keys now. */
  private boolean take(Found found) {
    int count = found.keys.length;
    reserve(count);
    for (int i = 0; i < count; i++) {
      KeyAllotment key = found.keys[i];
      if (key == null || key.isRetired()) {
        return false;
      }
      keys[i] = key;
      demandClasses[i] = found.demandClasses[i];
    }
    size = count;
    return true;
  }

  @Override
  public @Nullable String get(String attribute) {
    return attributes.get(attribute);
  }

  @Override
  public int count() {
    return attributes.size();
  }

  @Override
  public Collection<String> names() {
    return attributes.keySet();
  }

  @Override
  public void found(RuleKeys rule) {
    Request wanted = Objects.requireNonNull(request);
    if (rule.hashes()) {
      foundHashing(rule, wanted);
      return;
    }
    KeyAllotment key = rule.find(wanted);
    if (key == null) {
      QuotaKey quotaKey = rule.quotaKey(wanted);
      if (quotaKey == null) {
        return;
      }
      key = Objects.requireNonNull(live).findOrFull(rule.rule(), quotaKey, now);
    } else if (key.terms().exempt()) {
      return;
    }
    insert(key, rule.rank(), rule.demandClass(wanted));
  }

  private void foundHashing(RuleKeys rule, Request wanted) {
    hashes = true;
    CountedUnder counted = rule.countedUnder(wanted, hashKeys);
    if (!(counted instanceof CountedUnder.Keys known)) {
      undecided(rule.rule());
      return;
    }
    for (QuotaKey quotaKey : known.all()) {
      KeyAllotment key = Objects.requireNonNull(live).findOrFull(rule.rule(), quotaKey, now);
      insert(key, rule.rank(), rule.demandClass(wanted));
    }
  }

  @Override
  public void foundUnsure(RuleKeys rule, String attribute) {
    Objects.requireNonNull(unsure).add(rule.rule().id(), attribute);
    found(rule);
  }

  private void insert(KeyAllotment key, int rank, int demandClass) {
    reserve(size + 1);
    int at = size++;
    while (at > 0 && ranks[at - 1] > rank) {
      keys[at] = keys[at - 1];
      ranks[at] = ranks[at - 1];
      demandClasses[at] = demandClasses[at - 1];
      at--;
    }
    keys[at] = key;
    ranks[at] = rank;
    demandClasses[at] = demandClass;
  }

  private void reserve(int most) {
    if (most > keys.length) {
      int larger = Math.max(most, 2 * keys.length);
      keys = Arrays.copyOf(keys, larger);
      cells = Arrays.copyOf(cells, larger);
      borrowed = Arrays.copyOf(borrowed, larger);
      ranks = Arrays.copyOf(ranks, larger);
      demandClasses = Arrays.copyOf(demandClasses, larger);
    }
  }

  /** Leaves out what the request has paid already. */
  void removePaid(Collection<QuotaKey> paid) {
    int left = 0;
    for (int i = 0; i < size; i++) {
      KeyAllotment key = get(i);
      if (!paid.contains(key.quotaKey())) {
        demandClasses[left] = demandClasses[i];
        keys[left++] = key;
      }
    }
    size = left;
  }

  int size() {
    return size;
  }

  KeyAllotment get(int index) {
    return Objects.requireNonNull(keys[index]);
  }

  void set(int index, KeyAllotment key) {
    keys[index] = key;
  }

  /** The index of the request's class by the key's rule; 0 where that has none. */
  int demandClass(int index) {
    return demandClasses[index];
  }

  /**
   * Has a key borrow: what counts that is in its place, and the pool takes the request for one of
   * the class that borrows.
   */
  void borrow(int index, KeyAllotment by, int pool) {
    borrower = get(index);
    borrowerIndex = index;
    poolIndex = pool;
    keys[index] = by;
    demandClasses[pool] = get(pool).terms().rule().classes().last();
  }

  /** Takes note of a key of which permits were not there, and borrowed. */
  void borrowed(int index, KeyAllotment key) {
    borrowed[index] = key;
    borrows++;
  }

  /** Every key has room: those that have borrowed count what they lacked. */
  void countBorrowed(long cost) {
    for (int i = 0; borrows > 0 && i < size; i++) {
      KeyAllotment key = borrowed[i];
      if (key != null) {
        key.borrowed(cost, demandClasses[i]);
      }
    }
  }

  /** The index of the key that borrows of one that has no room, in its place again; or that one. */
  int borrowerOf(int pool) {
    if (borrower == null || poolIndex != pool) {
      return pool;
    }
    keys[borrowerIndex] = borrower;
    return borrowerIndex;
  }

  /** The index of the key of a rule; negative when there is none. */
  int indexOf(RuleId rule) {
    for (int i = 0; i < size; i++) {
      if (get(i).quotaKey().rule().equals(rule)) {
        return i;
      }
    }
    return -1;
  }

  /** Whether one at least is of a concurrency limit. */
  boolean holdSlots() {
    for (int i = 0; i < size; i++) {
      if (get(i).isOfSlots()) {
        return true;
      }
    }
    return false;
  }

  @Nullable Cell cell(int index) {
    return cells[index];
  }

  void cell(int index, @Nullable Cell cell) {
    cells[index] = cell;
  }

  /** The decision is made. */
  @Override
  public void close() {
    live = null;
    unsure = null;
    request = null;
    borrower = null;
    attributes = Map.of();
    hashKeys = HashKeys.NONE;
    undecided = Undecided.NONE;
    hashes = false;
    for (int i = 0; i < keys.length && keys[i] != null; i++) {
      keys[i] = null;
      cells[i] = null;
      borrowed[i] = null;
    }
    borrows = 0;
    size = 0;
  }

  /** The request's class of each key, for longer than this decision; empty if each is the first. */
  int[] demandClasses() {
    for (int i = 0; i < size; i++) {
      if (demandClasses[i] != 0) {
        return Arrays.copyOf(demandClasses, size);
      }
    }
    return FIRST_OF_EACH;
  }

  /** Each key, and after it its cell, for longer than this decision. */
  @Nullable Object[] keysAndCells() {
    @Nullable Object[] all = new Object[2 * size];
    for (int i = 0; i < size; i++) {
      all[2 * i] = keys[i];
      all[2 * i + 1] = cells[i];
    }
    return all;
  }
}
