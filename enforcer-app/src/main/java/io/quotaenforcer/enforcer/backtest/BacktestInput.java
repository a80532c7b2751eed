package io.quotaenforcer.enforcer.backtest;

import io.quotaenforcer.core.backtest.SeenAttributes;
import java.util.List;

/**
 * Input of a back-test.
 *
 * @param from the log's name, or the topic's
 * @param unit of the counts: lines or events
 * @param firstUnreadable the first unreadable lines or events
 * @param attributes of the requests
 */
public record BacktestInput(
    String from,
    String unit,
    Counts counts,
    List<Unreadable> firstUnreadable,
    SeenAttributes attributes) {

  /**
   * Size of the input.
   *
   * @param read lines, or events of the requested time; each was a request, unreadable, or repeated
   * @param repeated repetitions of earlier events
   * @param unreadable lines or events that are not requests
   */
  public record Counts(long read, long repeated, long unreadable) {}

  public BacktestInput {
    firstUnreadable = List.copyOf(firstUnreadable);
  }

  /**
   * A line or event that is not a request, and the reason.
   *
   * @param place a line, or a partition and offset
   */
  public record Unreadable(String place, String reason) {}
}
