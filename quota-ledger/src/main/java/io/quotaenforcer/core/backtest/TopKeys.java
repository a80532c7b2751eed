package io.quotaenforcer.core.backtest;

import io.quotaenforcer.core.QuotaKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Counts by quota key, of which only the largest matter. Beyond a bound, the smaller half is
 * forgotten each time; a forgotten key that comes back starts at zero.
 *
 * @param <T> count of one key
 */
final class TopKeys<T> {
  private final int maxKeys;
  private final Supplier<T> nothing;
  private final Comparator<Entry<T>> largestFirst;
  private final Map<QuotaKey, T> counted = new HashMap<>();
  private boolean exact = true;

  /** A key and its count. */
  record Entry<T>(QuotaKey quotaKey, T counted) {}

  /**
   * Nothing counted yet.
   *
   * @param nothing the count of a key at first
   * @param largestFirst how counts are compared; keys of equal ones by name
   */
  TopKeys(int maxKeys, Supplier<T> nothing, Comparator<T> largestFirst) {
    this.maxKeys = maxKeys;
    this.nothing = nothing;
    this.largestFirst =
        Comparator.<Entry<T>, T>comparing(Entry::counted, largestFirst)
            .thenComparing(entry -> entry.quotaKey.toString());
  }

  /** The count of a key. */
  T of(QuotaKey key) {
    T known = counted.get(key);
    if (known == null) {
      if (counted.size() >= maxKeys) {
        exact = false;
        List<Entry<T>> sorted = top(counted.size());
        sorted.subList(maxKeys / 2, sorted.size()).forEach(it -> counted.remove(it.quotaKey));
      }
      known = nothing.get();
      counted.put(key, known);
    }
    return known;
  }

  /** The largest first. */
  List<Entry<T>> top(int most) {
    List<Entry<T>> entries = new ArrayList<>(counted.size());
    counted.forEach((key, count) -> entries.add(new Entry<>(key, count)));
    entries.sort(largestFirst);
    return new ArrayList<>(entries.subList(0, Math.min(most, entries.size())));
  }

  /** Whether nothing was forgotten. */
  boolean isExact() {
    return exact;
  }
}
