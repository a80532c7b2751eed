package io.quotaenforcer.cli.log;

import io.quotaenforcer.cli.log.LogLines.Line;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The records of comma-separated values. A record is a line, or several if quoted fields contain
 * line breaks. A quote that is never closed spoils only its own line: later lines are read as
 * records of their own.
 */
final class CsvRecords {
  private final LogLines lines;
  private final int maxLength;

  /**
   * @param maxLength most characters of a record of several lines
   */
  CsvRecords(LogLines lines, int maxLength) {
    this.lines = lines;
    this.maxLength = maxLength;
  }

  /**
   * A record.
   *
   * @param lineNumber of its first line
   * @param text with its line breaks
   * @param problem why it cannot be read; empty if it can be split into fields, or at least tried
   */
  record CsvRecord(long lineNumber, String text, Optional<String> problem) {}

  /** The next record; empty at the end of the log. */
  Optional<CsvRecord> next() throws IOException {
    Optional<Line> first = lines.next();
    if (first.isEmpty()) {
      return Optional.empty();
    }
    long number = lines.number();
    if (first.get().tooLong()) {
      return Optional.of(problem(number, LogReader.TOO_LONG));
    }
    CsvQuote quote = new CsvQuote();
    quote.add(first.get().text());
    return Optional.of(
        quote.isOpen()
            ? several(number, first.get(), quote)
            : new CsvRecord(number, first.get().text(), Optional.empty()));
  }

  private CsvRecord several(long number, Line first, CsvQuote quote) throws IOException {
    StringBuilder text = new StringBuilder(first.text());
    String end = first.end();
    List<Line> more = new ArrayList<>();
    while (quote.isOpen()) {
      Optional<Line> next = lines.next();
      if (next.isEmpty()) {
        return spoiled(number, more, "must close its quoted fields before the end of the log");
      }
      Line line = next.get();
      more.add(line);
      if (line.tooLong() || text.length() + line.text().length() >= maxLength) {
        return spoiled(
            number, more, "must close its quoted fields within " + maxLength + " characters");
      }
      text.append(end).append(line.text());
      end = line.end();
      quote.add(line.text());
    }
    return quote.isBroken()
        ? spoiled(number, more, CsvLogParser.TEXT_AFTER_QUOTE)
        : new CsvRecord(number, text.toString(), Optional.empty());
  }

  private CsvRecord spoiled(long number, List<Line> more, String problem) {
    lines.giveBack(more);
    return problem(number, problem);
  }

  private static CsvRecord problem(long number, String problem) {
    return new CsvRecord(number, "", Optional.of(problem));
  }
}
