package io.quotaenforcer.cli.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Splits a record of comma-separated values (RFC 4180) into its fields. */
public final class CsvFields {
  private CsvFields() {}

  /** The fields of a record; empty if a quoted one is not closed, or text follows its quote. */
  public static Optional<List<String>> split(String line) {
    List<String> fields = new ArrayList<>();
    int at = 0;
    while (true) {
      int end;
      if (at < line.length() && line.charAt(at) == '"') {
        end = closingQuote(line, at + 1) + 1;
        if (end == 0 || (end < line.length() && line.charAt(end) != ',')) {
          return Optional.empty();
        }
        fields.add(line.substring(at + 1, end - 1).replace("\"\"", "\""));
      } else {
        int comma = line.indexOf(',', at);
        end = comma < 0 ? line.length() : comma;
        fields.add(line.substring(at, end));
      }
      if (end >= line.length()) {
        return Optional.of(fields);
      }
      at = end + 1;
    }
  }

  /** The quote that closes a quoted field; -1 if there is none. */
  static int closingQuote(String line, int from) {
    int quote = line.indexOf('"', from);
    while (quote >= 0 && quote + 1 < line.length() && line.charAt(quote + 1) == '"') {
      quote = line.indexOf('"', quote + 2);
    }
    return quote;
  }
}
