package io.quotaenforcer.enforcer.query;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The first rows of many, in order.
 *
 * @param more whether there are others after the last one
 */
public record Page<T>(List<T> rows, boolean more) {
  public Page {
    rows = List.copyOf(rows);
  }

  /**
   * One page of several that are each in order. What follows the end of a page that has more is
   * left out, since rows of that page may come before it.
   */
  public static <T> Page<T> merge(List<Page<T>> pages, Comparator<? super T> order, int most) {
    Optional<T> end =
        pages.stream()
            .filter(page -> page.more && !page.rows.isEmpty())
            .map(page -> page.rows.get(page.rows.size() - 1))
            .min(order);
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
