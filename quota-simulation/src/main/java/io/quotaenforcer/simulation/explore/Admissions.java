package io.quotaenforcer.simulation.explore;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import java.util.Map;
import java.util.TreeMap;

/**
 * Admissions so far, judged by the algorithm run in one process: a permit belongs to the window of
 * its cell, or, for a bucket, is taken at the true time of its decision. A slot is held until its
 * request ends; that of an instance which crashed goes on for as long as it may.
 */
final class Admissions {
  /** Numbered instead of a state: one permit too many was admitted. */
  static final int TOO_MANY = -1;

  private final Setting setting;
  private final Numbers<Admitted> states = new Numbers<>();
  private final LongMap known = new LongMap();

  /**
   * The state of a bucket, or the permits of each window; slots by the tick that they are since.
   */
  private record Admitted(long total, Map<Integer, Integer> perWindow, LimitState bucket) {}

  Admissions(Setting setting) {
    this.setting = setting;
  }

  int none() {
    return states.of(new Admitted(0, Map.of(), setting.limit.initial(Setting.START)));
  }

  long total(int state) {
    return states.get(state).total;
  }

  /** The state after one more permit, or {@link #TOO_MANY}. */
  int admit(int state, int window, int tick) {
    long key = (long) (state + 1) << 16 | window << 8 | tick;
    long before = known.get(key);
    if (before != LongMap.ABSENT) {
      return (int) before;
    }
    int after = after(states.get(state), window, tick);
    known.put(key, after);
    return after;
  }

  /** The state after a request ends that held a slot since this tick. */
  int end(int state, int begun) {
    return setting.isOfSlots() ? without(states.get(state), begun, 1) : state;
  }

  /** The state once time has gone on to this tick. */
  int tick(int state, int tick) {
    Admitted before = states.get(state);
    int over = tick - 2;
    return setting.isOfSlots() && before.perWindow.containsKey(over)
        ? without(before, over, before.perWindow.get(over))
        : state;
  }

  private int without(Admitted before, int begun, int ended) {
    Map<Integer, Integer> running = new TreeMap<>(before.perWindow);
    running.computeIfPresent(begun, (tick, held) -> held > ended ? held - ended : null);
    return states.of(new Admitted(before.total, running, before.bucket));
  }

  private int after(Admitted before, int window, int tick) {
    Limit limit = setting.limit;
    if (setting.isOfSlots()) {
      Map<Integer, Integer> running = new TreeMap<>(before.perWindow);
      running.merge(tick, 1, Integer::sum);
      boolean fits = running.values().stream().mapToInt(held -> held).sum() <= limit.permits();
      return fits ? states.of(new Admitted(before.total + 1, running, before.bucket)) : TOO_MANY;
    }
    if (limit instanceof WindowedLimit) {
      Map<Integer, Integer> perWindow = new TreeMap<>(before.perWindow);
      boolean fits = perWindow.merge(window, 1, Integer::sum) <= limit.permits();
      return fits ? states.of(new Admitted(before.total + 1, perWindow, before.bucket)) : TOO_MANY;
    }
    LimitState filled = limit.advance(before.bucket, Setting.nanos(tick));
    boolean fits = limit.available(filled, Setting.nanos(tick)) >= 1;
    return fits
        ? states.of(
            new Admitted(before.total + 1, Map.of(), limit.book(filled, 1, Setting.nanos(tick))))
        : TOO_MANY;
  }
}
