package io.quotaenforcer.cli.log;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** A log format that can be run. */
public enum LogFormat {
  /** Combined and common log format of Apache httpd and nginx. */
  COMBINED,
  /** Comma-separated with a header that names the attributes. */
  CSV;

  /** Reads the name as a user writes it. */
  public static Optional<LogFormat> named(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "combined" -> Optional.of(COMBINED);
      case "csv" -> Optional.of(CSV);
      default -> Optional.empty();
    };
  }

  /**
   * Guesses the format from a file's name: CSV if it ends in {@code .csv} or {@code .csv.gz}, else
   * combined.
   */
  public static LogFormat ofFile(Path file) {
    String name = file.toString().toLowerCase(Locale.ROOT);
    return name.endsWith(".csv") || name.endsWith(".csv.gz") ? CSV : COMBINED;
  }
}
