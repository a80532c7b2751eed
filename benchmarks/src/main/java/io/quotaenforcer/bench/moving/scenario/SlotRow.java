package io.quotaenforcer.bench.moving.scenario;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/**
 * Slots that are held at twice the demand, and those of an instance that was killed.
 *
 * @param used of the slots, on average
 * @param most that were held at any moment
 * @param backSeconds from the end of the instance that held all, until the others held all
 */
public record SlotRow(int slots, double used, long most, double backSeconds) {
  /** Slots over the limit, at the worst moment. */
  @JsonProperty
  public long over() {
    return Math.max(0, most - slots);
  }

  public static String head() {
    return "%-22s %6s %6s %5s %9s".formatted("limit", "used", "most", "over", "back after");
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%-22s %6.3f %6d %5d %8.2f s",
        slots + " slots",
        used,
        most,
        over(),
        backSeconds);
  }
}
