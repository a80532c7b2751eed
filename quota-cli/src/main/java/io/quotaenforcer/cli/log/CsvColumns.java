package io.quotaenforcer.cli.log;

import java.util.Optional;

/**
 * The columns of a CSV log that are not plain attributes.
 *
 * @param time when a request was made; empty: the column called timestamp, time, ts or date
 * @param cost permits that a request takes; empty: 1 each
 */
public record CsvColumns(Optional<String> time, Optional<String> cost) {
  public static final CsvColumns DEFAULTS = new CsvColumns(Optional.empty(), Optional.empty());
}
