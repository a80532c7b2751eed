package io.quotaenforcer.core.match;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Finds all networks of an address among many, longest first: {@code for (int i = longest(address);
 * i >= 0; i = shorter(i)) … get(i)}. As {@link PrefixTable}, for bits.
 */
final class NetworkTable<V> {
  private final IpNetwork[] networks;
  private final int[] shorter;
  private final List<V> values;

  NetworkTable(Map<IpNetwork, V> byNetwork) {
    this.networks =
        byNetwork.keySet().stream().sorted(NetworkTable::compare).toArray(IpNetwork[]::new);
    this.shorter = new int[networks.length];
    List<V> sorted = new ArrayList<>(networks.length);
    for (int i = 0; i < networks.length; i++) {
      sorted.add(byNetwork.get(networks[i]));
      int before = i - 1;
      while (before >= 0 && !networks[before].contains(networks[i])) {
        before = shorter[before];
      }
      shorter[i] = before;
    }
    this.values = List.copyOf(sorted);
  }

  /** The longest network that contains the other or equals it; -1 if there is none. */
  int longest(IpNetwork other) {
    int from = 0;
    int to = networks.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (compare(networks[middle], other) <= 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    int at = from - 1;
    while (at >= 0 && !networks[at].contains(other)) {
      at = shorter[at];
    }
    return at;
  }

  /** The next shorter network that contains this one; -1 if there is none. */
  int shorter(int index) {
    return shorter[index];
  }

  V get(int index) {
    return values.get(index);
  }

  /** A network comes right before the networks in it. */
  private static int compare(IpNetwork a, IpNetwork b) {
    if (a.first().bits() != b.first().bits()) {
      return Integer.compare(a.first().bits(), b.first().bits());
    }
    int high = Long.compareUnsigned(a.first().high(), b.first().high());
    if (high != 0) {
      return high;
    }
    int low = Long.compareUnsigned(a.first().low(), b.first().low());
    return low != 0 ? low : Integer.compare(a.length(), b.length());
  }
}
