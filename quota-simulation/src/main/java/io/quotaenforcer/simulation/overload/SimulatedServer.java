package io.quotaenforcer.simulation.overload;

import io.quotaenforcer.core.adapt.LoadQuantity;
import io.quotaenforcer.core.adapt.LoadSignal;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A server with a few workers and a queue. It works off what it has accepted, first in, first out,
 * also for callers that have given up: an overloaded one is busy and of no use. Times are in
 * nanoseconds since the start of the run. Not thread-safe.
 */
final class SimulatedServer {
  /** Requests a second that a healthy server gets done. */
  static final double CAPACITY = 100;

  /** An answer later than this is of no use to anybody. */
  static final long PATIENCE_NANOS = 1_000_000_000L;

  private static final int WORKERS = 4;
  private static final int LONGEST_QUEUE = 1_000;
  private static final double SECOND = 1e9;
  private static final long IDLE = Long.MAX_VALUE;

  private final Trouble trouble;
  private final int index;
  private final SplittableRandom random;

  /** When the worker's request ends, and when it had come. */
  private final long[] endsAt = new long[WORKERS];

  private final long[] cameAt = new long[WORKERS];

  /** Times at which waiting requests have come. */
  private final ArrayDeque<Long> waiting = new ArrayDeque<>();

  private int busy;
  private long servedInTrouble;
  private final long[] goodPerSecond = new long[Trouble.END_SECOND];

  /** Of the second that is not over: latencies, of how many; rejected; time of busy workers. */
  private long[] latencies = new long[256];

  private int ended;
  private int rejected;
  private double busyNanos;
  private long busyUntil;

  SimulatedServer(Trouble trouble, int index, SplittableRandom random) {
    this.trouble = trouble;
    this.index = index;
    this.random = random;
    Arrays.fill(endsAt, IDLE);
  }

  int inFlight() {
    return busy + waiting.size();
  }

  /** Answers per second that came in time. */
  long[] goodPerSecond() {
    return goodPerSecond;
  }

  /** A request comes; it is turned away where the queue is full. */
  void accept(long now) {
    if (waiting.size() >= LONGEST_QUEUE) {
      rejected++;
      return;
    }
    waiting.add(now);
    begin(now);
  }

  /** Does what is due until now. */
  void advance(long now, Gate gate) {
    int first = first();
    while (endsAt[first] <= now) {
      end(first, gate);
      first = first();
    }
    busyNanos += busy * (double) (now - busyUntil);
    busyUntil = now;
  }

  /** What it says of the last second; the next begins. */
  LoadSignal signal() {
    Map<LoadQuantity, Double> values = new EnumMap<>(LoadQuantity.class);
    values.put(LoadQuantity.CPU, Math.min(1, busyNanos / SECOND / WORKERS));
    values.put(LoadQuantity.IN_FLIGHT, (double) inFlight());
    values.put(LoadQuantity.THROUGHPUT, (double) ended);
    values.put(LoadQuantity.QUEUE, (double) waiting.size());
    if (ended > 0) {
      Arrays.sort(latencies, 0, ended);
      values.put(LoadQuantity.LATENCY_P90, (double) latencies[(ended - 1) * 9 / 10]);
      values.put(LoadQuantity.LATENCY_P99, (double) latencies[(ended - 1) * 99 / 100]);
    }
    if (ended + rejected > 0) {
      values.put(LoadQuantity.ERRORS, rejected / (double) (ended + rejected));
    }
    ended = 0;
    rejected = 0;
    busyNanos = 0;
    return new LoadSignal(values);
  }

  private void end(int worker, Gate gate) {
    long now = endsAt[worker];
    busyNanos += busy * (double) (now - busyUntil);
    busyUntil = now;
    long took = now - cameAt[worker];
    if (took <= PATIENCE_NANOS) {
      goodPerSecond[(int) Math.min(goodPerSecond.length - 1, now / (long) SECOND)]++;
    }
    if (now >= Trouble.START_SECOND * SECOND) {
      servedInTrouble++;
    }
    if (ended == latencies.length) {
      latencies = Arrays.copyOf(latencies, 2 * ended);
    }
    latencies[ended++] = took;
    gate.ended(index, took, inFlight());
    endsAt[worker] = IDLE;
    busy--;
    begin(now);
  }

  private void begin(long now) {
    if (busy == WORKERS || waiting.isEmpty()) {
      return;
    }
    int worker = 0;
    while (endsAt[worker] != IDLE) {
      worker++;
    }
    double mean =
        WORKERS / CAPACITY * trouble.serviceTime(index, now / SECOND, servedInTrouble) * SECOND;
    cameAt[worker] = waiting.remove();
    endsAt[worker] = now + (long) (-mean * Math.log(1 - random.nextDouble()));
    busyNanos += busy * (double) (now - busyUntil);
    busyUntil = now;
    busy++;
  }

  private int first() {
    int first = 0;
    for (int i = 1; i < WORKERS; i++) {
      if (endsAt[i] < endsAt[first]) {
        first = i;
      }
    }
    return first;
  }
}
