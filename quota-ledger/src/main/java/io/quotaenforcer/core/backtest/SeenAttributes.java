package io.quotaenforcer.core.backtest;

import io.quotaenforcer.core.Request;
import java.util.Set;
import java.util.TreeSet;

/** The attribute names seen in requests; if there are very many, the first ones. */
public final class SeenAttributes {
  static final int MAX_NAMES = 1_000;

  private final Set<String> names = new TreeSet<>();

  public void add(Request request) {
    for (String name : request.attributes().keySet()) {
      if (names.size() < MAX_NAMES) {
        names.add(name);
      }
    }
  }

  boolean has(String name) {
    return names.contains(name);
  }

  /** In alphabetical order, with commas. */
  String text() {
    return names.isEmpty() ? "none" : String.join(", ", names);
  }
}
