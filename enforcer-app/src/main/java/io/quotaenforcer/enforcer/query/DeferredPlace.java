package io.quotaenforcer.enforcer.query;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.deferral.Lane;
import java.util.Comparator;
import java.util.Locale;

/**
 * Position of a deferred request in the order of release within a lane of a quota key. Written
 * {@code posts/per-user/42:normal:17}.
 */
public record DeferredPlace(QuotaKey quotaKey, Lane lane, long number)
    implements Comparable<DeferredPlace> {
  private static final Comparator<DeferredPlace> ORDER =
      Comparator.<DeferredPlace, String>comparing(place -> place.quotaKey.toString())
          .thenComparing(DeferredPlace::lane)
          .thenComparingLong(DeferredPlace::number);

  /** Reads what {@link #toString} wrote. */
  public static DeferredPlace parse(String text) {
    int last = text.lastIndexOf(':');
    int first = text.lastIndexOf(':', last - 1);
    try {
      return new DeferredPlace(
          QuotaKey.parse(text.substring(0, first)),
          Lane.valueOf(text.substring(first + 1, last).toUpperCase(Locale.ROOT)),
          Long.parseLong(text.substring(last + 1)));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("must be a place, as list names it: place=" + text, e);
    }
  }

  @Override
  public int compareTo(DeferredPlace other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return quotaKey + ":" + lane.name().toLowerCase(Locale.ROOT) + ":" + number;
  }
}
