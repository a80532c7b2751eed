package io.quotaenforcer.enforcer.query;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * The first rows of many, in order.
 *
 * @param more whether there are others after the last one
 */
public record Page<T>(List<T> rows, boolean more) {
  public Page {
    rows = List.copyOf(rows);
  }

  public static <T> Page<T> empty() {
    return new Page<>(List.of(), false);
  }

  /** Its last row, if there are others after it. */
  Optional<T> end() {
    return more && !rows.isEmpty() ? Optional.of(rows.get(rows.size() - 1)) : Optional.empty();
  }

  /** Its first rows, at least one, up to a total weight. */
  Page<T> cut(ToLongFunction<? super T> weight, long most) {
    long sum = 0;
    for (int i = 0; i < rows.size(); i++) {
      sum += weight.applyAsLong(rows.get(i));
      if (sum > most && i > 0) {
        return new Page<>(rows.subList(0, i), true);
      }
    }
    return this;
  }

  /**
   * One page of several that are each in order. Rows beyond the end of a page that has more are
   * left out, since further rows of that page may precede them.
   */
  public static <T> Page<T> merge(List<Page<T>> pages, Comparator<? super T> order, int most) {
    Optional<T> end = pages.stream().flatMap(page -> page.end().stream()).min(order);
    long all = pages.stream().mapToLong(page -> page.rows.size()).sum();
    List<T> rows =
        pages.stream()
            .flatMap(page -> page.rows.stream())
            .filter(row -> end.isEmpty() || order.compare(row, end.get()) <= 0)
            .sorted(order)
            .limit(most)
            .toList();
    return new Page<>(rows, rows.size() < all || pages.stream().anyMatch(Page::more));
  }
}
