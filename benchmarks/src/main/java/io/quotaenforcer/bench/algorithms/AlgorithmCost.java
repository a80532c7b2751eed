package io.quotaenforcer.bench.algorithms;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.allotment.AllotmentBook;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one kind of limit costs.
 *
 * @param decisionNanos of a request that is decided and booked in the algorithm's own state, at
 *     twice the limit
 * @param rowBytes of the ledger of a key that one instance has used once
 * @param busyRowBytes of the ledger of a key of which 8 instances use all permits, evenly
 */
record AlgorithmCost(String name, double decisionNanos, int rowBytes, int busyRowBytes) {
  private static final int INSTANCES = 8;
  private static final int BUSY_MILLIS = 3_000;
  private static final int REQUESTS_PER_MILLI = 1;
  private static final long START = 1_700_000_000_000_000_000L;
  private static final long HELD = 500_000_000_000L;

  static AlgorithmCost measure(MeasuredLimit measured, Stopwatch stopwatch) {
    OneKey quiet = new OneKey(measured.limit(), 1);
    quiet.useOnce();
    OneKey busy = new OneKey(measured.limit(), INSTANCES);
    busy.pass(BUSY_MILLIS, REQUESTS_PER_MILLI);
    return new AlgorithmCost(
        measured.name(),
        stopwatch.nanosEach(new Requests(measured)::decide),
        quiet.rowBytes(),
        busy.rowBytes());
  }

  /**
   * Nanoseconds in which a client decides on permits that it holds by a lease: counted alike,
   * whatever the algorithm.
   */
  static double clientNanos(Limit limit, Stopwatch stopwatch) {
    OneKey key = new OneKey(limit, 1);
    AllotmentBook book = key.holding(HELD);
    return stopwatch.nanosEach(
        times -> {
          long admitted = key.admitted(book, times);
          if (admitted < times) {
            throw new IllegalStateException("the permits must last: admitted=" + admitted);
          }
          return admitted;
        });
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", name);
    json.put("decisionNanos", decisionNanos);
    json.put("rowBytes", rowBytes);
    json.put("busyRowBytes", busyRowBytes);
    return json;
  }

  /** Requests at twice a limit, one after the other. */
  private static final class Requests {
    private final Limit limit;
    private final long pause;
    private LimitState state;
    private long at = START;

    Requests(MeasuredLimit measured) {
      limit = measured.limit();
      pause = measured.pauseNanos();
      state = limit.initial(at);
    }

    long decide(int times) {
      long admitted = 0;
      for (int i = 0; i < times; i++) {
        at += pause;
        if (limit.available(state, at) >= 1) {
          state = limit.book(state, 1, at);
          admitted++;
        }
      }
      return admitted;
    }
  }
}
