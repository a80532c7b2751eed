package io.quotaenforcer.core;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the likely intended word for a mistyped one. */
public final class Suggestions {
  private static final int MAX_WORD_CHARS = 100;

  private Suggestions() {}

  /**
   * The candidate nearest to {@code word}: fewest letters inserted, left out, replaced or swapped
   * with their neighbour, ignoring case. Empty if none is near: at most a third of the letters, and
   * at most three, may differ.
   */
  public static Optional<String> nearest(String word, Collection<String> candidates) {
    if (word.length() > MAX_WORD_CHARS) {
      return Optional.empty();
    }
    String lower = word.toLowerCase(Locale.ROOT);
    int most = Math.min(3, Math.max(1, word.length() / 3));
    Optional<String> best = Optional.empty();
    for (String candidate : candidates) {
      int distance = distance(lower, candidate.toLowerCase(Locale.ROOT));
      if (distance <= most) {
        most = distance - 1;
        best = Optional.of(candidate);
      }
    }
    return best;
  }

  /** Optimal string alignment distance. */
  private static int distance(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        cost[i][j] = i == 0 ? j : j == 0 ? i : step(cost, a, b, i, j);
      }
    }
    return cost[a.length()][b.length()];
  }

  private static int step(int[][] cost, String a, String b, int i, int j) {
    int replaced = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
    int best = Math.min(replaced, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
  }
}
