package io.quotaenforcer.core.match;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds all prefixes of a text among many, longest first, without allocating: {@code for (int i =
 * longest(text); i >= 0; i = shorter(i)) … get(i)}.
 *
 * <p>In sorted order everything between a prefix and a text that begins with it also begins with
 * it. So the longest is the last entry not after the text, or a prefix of that entry.
 */
final class PrefixTable<V> {
  private final String[] prefixes;
  private final int[] shorter;
  private final List<V> values;

  PrefixTable(Map<String, V> byPrefix) {
    TreeMap<String, V> sorted = new TreeMap<>(byPrefix);
    this.prefixes = sorted.keySet().toArray(new String[0]);
    this.values = List.copyOf(sorted.values());
    this.shorter = new int[prefixes.length];
    for (int i = 0; i < prefixes.length; i++) {
      int before = i - 1;
      while (before >= 0 && !prefixes[i].startsWith(prefixes[before])) {
        before = shorter[before];
      }
      shorter[i] = before;
    }
  }

  /** The longest prefix of a text; -1 if there is none. */
  int longest(String text) {
    int found = Arrays.binarySearch(prefixes, text);
    if (found >= 0) {
      return found;
    }
    int at = -found - 2;
    while (at >= 0 && !text.startsWith(prefixes[at])) {
      at = shorter[at];
    }
    return at;
  }

  /** The next shorter prefix of this one; -1 if there is none. */
  int shorter(int index) {
    return shorter[index];
  }

  V get(int index) {
    return values.get(index);
  }
}
