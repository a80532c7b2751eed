package io.quotaenforcer.cli.log;

import io.quotaenforcer.core.Request;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Comma-separated values with a header (RFC 4180): every column is an attribute by its header name,
 * the time and cost columns too; an empty value is an absent one.
 */
public final class CsvLogParser implements LogParser {
  private static final Set<String> TIME_NAMES =
      Set.of("timestamp", "time", "ts", "date", "datetime");
  static final String TEXT_AFTER_QUOTE =
      "must have a comma, or the end of the line, after a closing quote";

  private static final long MAX_COST = 1_000_000_000_000L;

  private final List<String> header;
  private final int timeColumn;
  private final int costColumn;

  private CsvLogParser(List<String> header, int timeColumn, int costColumn) {
    this.header = header;
    this.timeColumn = timeColumn;
    this.costColumn = costColumn;
  }

  /** Throws an IllegalArgumentException that names the existing columns if one is missing. */
  public static CsvLogParser of(String headerLine, CsvColumns columns) {
    List<String> header =
        CsvFields.split(headerLine).orElse(List.of()).stream().map(String::strip).toList();
    if (header.isEmpty() || header.contains("") || Set.copyOf(header).size() < header.size()) {
      throw new IllegalArgumentException(
          "must be a header of different column names: line 1: " + shortened(headerLine));
    }
    int time =
        columns.time().isPresent()
            ? column(header, "--time", columns.time().get())
            : timeColumn(header);
    int cost = columns.cost().isPresent() ? column(header, "--cost", columns.cost().get()) : -1;
    return new CsvLogParser(header, time, cost);
  }

  @Override
  public LogLine parse(long lineNumber, String line) {
    if (line.isBlank()) {
      return new LogLine.Unparsed(lineNumber, "is empty");
    }
    Optional<List<String>> split = CsvFields.split(line);
    if (split.isEmpty()) {
      return new LogLine.Unparsed(lineNumber, TEXT_AFTER_QUOTE);
    }
    List<String> fields = split.get();
    if (fields.size() != header.size()) {
      return new LogLine.Unparsed(
          lineNumber, "must have " + header.size() + " fields: fields=" + fields.size());
    }
    OptionalLong time = LogTime.column(fields.get(timeColumn));
    if (time.isEmpty()) {
      return new LogLine.Unparsed(lineNumber, "must be a time: " + named(fields, timeColumn));
    }
    long cost = 1;
    if (costColumn >= 0) {
      OptionalLong found = cost(fields.get(costColumn));
      if (found.isEmpty()) {
        return new LogLine.Unparsed(
            lineNumber, "must be a whole number >= 1: " + named(fields, costColumn));
      }
      cost = found.getAsLong();
    }
    return new LogLine.Parsed(lineNumber, time.getAsLong(), new Request(attributes(fields), cost));
  }

  private Map<String, String> attributes(List<String> fields) {
    Map<String, String> attributes = new HashMap<>();
    for (int i = 0; i < fields.size(); i++) {
      if (!fields.get(i).isEmpty()) {
        attributes.put(header.get(i), fields.get(i));
      }
    }
    return attributes;
  }

  private static OptionalLong cost(String text) {
    if (text.length() > 30) {
      return OptionalLong.empty();
    }
    try {
      BigDecimal cost = new BigDecimal(text.strip());
      boolean legal =
          cost.compareTo(BigDecimal.ONE) >= 0 && cost.compareTo(BigDecimal.valueOf(MAX_COST)) <= 0;
      return legal ? OptionalLong.of(cost.longValueExact()) : OptionalLong.empty();
    } catch (NumberFormatException | ArithmeticException e) {
      return OptionalLong.empty();
    }
  }

  private String named(List<String> fields, int column) {
    return header.get(column) + "=" + shortened(fields.get(column));
  }

  private static int timeColumn(List<String> header) {
    for (int i = 0; i < header.size(); i++) {
      if (TIME_NAMES.contains(header.get(i).toLowerCase(Locale.ROOT))) {
        return i;
      }
    }
    throw new IllegalArgumentException(
        "must be given, as no column is called timestamp: --time (one of "
            + String.join(", ", header)
            + ")");
  }

  private static int column(List<String> header, String option, String name) {
    int column = header.indexOf(name);
    if (column < 0) {
      throw new IllegalArgumentException(
          "must be one of " + String.join(", ", header) + ": " + option + "=" + name);
    }
    return column;
  }

  private static String shortened(String text) {
    return text.length() <= 80 ? text : text.substring(0, 80) + "...";
  }
}
