package io.quotaenforcer.cli;

import io.quotaenforcer.cli.log.CsvColumns;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the columns of a CSV log. */
public final class CsvOptions {
  @Option(
      names = "--time",
      paramLabel = "COLUMN",
      description =
          "csv: the column of the time of a request. Default: timestamp, time, ts, date or"
              + " datetime.")
  private @Nullable String time;

  @Option(
      names = "--cost",
      paramLabel = "COLUMN",
      description = "csv: the column of the permits that a request takes. Default: 1 for each.")
  private @Nullable String cost;

  public CsvColumns columns() {
    return new CsvColumns(Optional.ofNullable(time), Optional.ofNullable(cost));
  }

  boolean areGiven() {
    return !columns().equals(CsvColumns.DEFAULTS);
  }
}
