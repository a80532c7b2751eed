package io.quotaenforcer.cli.log;

import io.quotaenforcer.core.Request;

/** One line of an access log, read or not. */
public sealed interface LogLine {

  /** From 1, the header of a CSV file included. */
  long lineNumber();

  /**
   * A request.
   *
   * @param timeNanos when it was made, epoch nanoseconds
   */
  record Parsed(long lineNumber, long timeNanos, Request request) implements LogLine {}

  /**
   * A line that could not be read.
   *
   * @param reason description of the problem
   */
  record Unparsed(long lineNumber, String reason) implements LogLine {}
}
