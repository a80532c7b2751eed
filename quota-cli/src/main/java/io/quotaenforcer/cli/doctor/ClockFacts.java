package io.quotaenforcer.cli.doctor;

import static io.quotaenforcer.cli.doctor.Finding.Check.CLOCK;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * This host's clock beside the brokers'.
 *
 * @param trouble why an enforcer here would grant nothing
 * @param aheadSeconds certain lead over the brokers; NaN if it cannot be compared
 */
public record ClockFacts(Optional<String> trouble, double aheadSeconds) {
  /** The diagnosis. */
  public List<Finding> findings() {
    if (trouble.isPresent()) {
      return List.of(
          Finding.problem(
              CLOCK, trouble.get() + " (by enforcers on this host; set its clock by NTP)"));
    }
    if (Double.isNaN(aheadSeconds)) {
      return List.of(
          Finding.warning(
              CLOCK,
              "the brokers' time is not known, since topics are not stamped by brokers; run: quota"
                  + " topics create --alter"));
    }
    return List.of(
        Finding.ok(
            CLOCK,
            "this host's clock and the brokers' differ by %s"
                .formatted(
                    aheadSeconds == 0
                        ? "nothing that can be told"
                        : String.format(Locale.ROOT, "%.0f ms", Math.abs(aheadSeconds) * 1_000))));
  }
}
