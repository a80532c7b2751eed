package io.quotaenforcer.cli.backtest;

import io.quotaenforcer.cli.log.SeenAttributes;
import java.util.List;

/**
 * What a back-test was given.
 *
 * @param from the log's name, or the topic's
 * @param unit what there are so many of: lines or events
 * @param firstUnreadable the first of these
 * @param attributes of the requests
 */
public record BacktestInput(
    String from,
    String unit,
    Counts counts,
    List<Unreadable> firstUnreadable,
    SeenAttributes attributes) {

  /**
   * How much it was.
   *
   * @param read lines, or events of the time asked for; each was a request, unreadable, or repeated
   * @param repeated events that had come before
   * @param unreadable lines or events that are no requests
   */
  public record Counts(long read, long repeated, long unreadable) {}

  public BacktestInput {
    firstUnreadable = List.copyOf(firstUnreadable);
  }

  /**
   * What is not a request, and why.
   *
   * @param place a line, or a partition and offset
   */
  public record Unreadable(String place, String reason) {}
}
