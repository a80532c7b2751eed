package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.QuotaKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Key allotments that are out of use and not settled yet: what was used of them is reported to the
 * end. Only {@link #count} may be called by any thread; the rest belongs to the owner of the book.
 */
final class RetiringKeys {
  private final Map<QuotaKey, List<KeyAllotment>> byKey = new HashMap<>();
  private volatile int count;

  /** Quota keys that have any. */
  int count() {
    return count;
  }

  void add(KeyAllotment allotment) {
    byKey.computeIfAbsent(allotment.quotaKey(), key -> new ArrayList<>()).add(allotment);
    count = byKey.size();
  }

  List<KeyAllotment> of(QuotaKey key) {
    return byKey.getOrDefault(key, List.of());
  }

  List<KeyAllotment> all() {
    List<KeyAllotment> all = new ArrayList<>();
    byKey.values().forEach(all::addAll);
    return all;
  }

  /** Gives a key's cells to the object that the key has now: they belong into one report. */
  void adoptedBy(KeyAllotment allotment) {
    List<KeyAllotment> gone = byKey.get(allotment.quotaKey());
    if (gone != null) {
      gone.removeIf(allotment::adopt);
      dropIfEmpty(allotment.quotaKey(), gone);
    }
  }

  void forgetIfDone(KeyAllotment allotment) {
    List<KeyAllotment> gone = byKey.get(allotment.quotaKey());
    if (gone != null && (allotment.isSettled() || allotment.isRefused())) {
      gone.remove(allotment);
      dropIfEmpty(allotment.quotaKey(), gone);
    }
  }

  /** Whether the enforcer has booked all that was ever taken of them. */
  boolean areSettled() {
    byKey.values().forEach(gone -> gone.removeIf(KeyAllotment::isSettled));
    byKey.values().removeIf(List::isEmpty);
    return byKey.isEmpty();
  }

  private void dropIfEmpty(QuotaKey key, List<KeyAllotment> gone) {
    if (gone.isEmpty()) {
      byKey.remove(key);
      count = byKey.size();
    }
  }
}
