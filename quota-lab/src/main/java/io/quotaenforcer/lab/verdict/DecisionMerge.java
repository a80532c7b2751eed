package io.quotaenforcer.lab.verdict;

import java.util.Arrays;
import java.util.List;

/** Merges the decisions of several instances into one sequence, in the order of their stamps. */
public final class DecisionMerge {
  private final KeyTable keys;
  private final List<DecisionLog> logs;
  private final DecisionConsumer consumer;
  private long lastStampNanos = Long.MIN_VALUE;

  /** A log's index in the list is the instance passed to the consumer. */
  public DecisionMerge(KeyTable keys, List<DecisionLog> logs, DecisionConsumer consumer) {
    this.keys = keys;
    this.logs = List.copyOf(logs);
    this.consumer = consumer;
  }

  /**
   * Passes on every decision that no later one can precede: those stamped before the moment up to
   * which all logs are settled. Each log must have been recorded in the order of its stamps.
   */
  public void drain() {
    long untilNanos = Long.MAX_VALUE;
    for (DecisionLog log : logs) {
      untilNanos = Math.min(untilNanos, log.settledNanos());
    }
    int earliest = earliest();
    while (earliest >= 0 && (logs.get(earliest).stampNanos() < untilNanos)) {
      DecisionLog log = logs.get(earliest);
      long stampNanos = log.stampNanos();
      if (stampNanos < lastStampNanos) {
        throw new IllegalStateException(
            "must be recorded in the order of stamps: instance="
                + earliest
                + ", stampNanos="
                + stampNanos
                + ", before="
                + lastStampNanos);
      }
      lastStampNanos = stampNanos;
      pass(log, earliest);
      earliest = earliest();
    }
  }

  /**
   * Passes on everything that is settled in {@code logs}, in whatever order it was recorded; holds
   * all of it in memory.
   */
  public static void replaySorted(
      KeyTable keys, List<DecisionLog> logs, DecisionConsumer consumer) {
    DecisionLog[] sorted = new DecisionLog[logs.size()];
    for (int i = 0; i < sorted.length; i++) {
      sorted[i] = sorted(logs.get(i));
    }
    new DecisionMerge(keys, Arrays.asList(sorted), consumer).drain();
  }

  private static DecisionLog sorted(DecisionLog log) {
    DecisionBuffer buffer = new DecisionBuffer();
    while (log.hasNext()) {
      buffer.add(log.stampNanos(), log.key(), log.cost(), log.source(), log.windowStartNanos());
      log.skip();
    }
    return buffer.toSortedLog();
  }

  private void pass(DecisionLog log, int instance) {
    consumer.accept(
        log.stampNanos(),
        instance,
        keys.entry(log.key()),
        log.cost(),
        log.source(),
        log.windowStartNanos());
    log.skip();
  }

  private int earliest() {
    int earliest = -1;
    long stampNanos = Long.MAX_VALUE;
    for (int i = 0; i < logs.size(); i++) {
      DecisionLog log = logs.get(i);
      if (log.hasNext() && (earliest < 0 || log.stampNanos() < stampNanos)) {
        earliest = i;
        stampNanos = log.stampNanos();
      }
    }
    return earliest;
  }
}
