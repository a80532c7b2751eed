package io.quotaenforcer.cli.log;

/** Reads lines of one format; throws nothing, whatever it is given. */
public sealed interface LogParser permits CombinedLogParser, CsvLogParser {
  LogLine parse(long lineNumber, String line);
}
