package io.quotaenforcer.simulation.explore;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import java.util.Map;
import java.util.TreeMap;

/**
 * Permits taken so far, judged by the algorithm run in one process: a permit belongs to the window
 * of its cell, or, for a bucket, is taken at the true time of its decision. A slot is held until
 * its request ends; that of an instance which crashed goes on for as long as it may.
 */
final class Admissions {
  /** Numbered instead of a state: one permit too many was admitted. */
  static final int TOO_MANY = -1;

  private final Setting setting;
  private final Numbers<Admitted> states = new Numbers<>();
  private final LongMap known = new LongMap();

  /**
   * The state of a bucket, or the permits of each window; slots by the tick that they are since.
   *
   * @param beside by the numbers of {@link Windows} without what every request takes
   */
  private record Admitted(
      long total,
      Map<Integer, Integer> perWindow,
      Map<Integer, Integer> beside,
      LimitState bucket) {}

  Admissions(Setting setting) {
    this.setting = setting;
  }

  int none() {
    return states.of(new Admitted(0, Map.of(), Map.of(), setting.limit.initial(Setting.START)));
  }

  /** Permits of all quota keys. */
  long total(int state) {
    return states.get(state).total;
  }

  /**
   * The state after one more request, or {@link #TOO_MANY}.
   *
   * @param windows of the permits that it took, as {@link Windows} numbers them
   */
  int admit(int state, int windows, int tick) {
    long key = ((long) (state + 1) << Windows.NUMBER_BITS | windows) << 8 | tick;
    long before = known.get(key);
    if (before != LongMap.ABSENT) {
      return (int) before;
    }
    int after = after(states.get(state), Windows.ofKey(windows), tick);
    if (after != TOO_MANY && Windows.beside(windows) >= 0) {
      after = beside(states.get(after), windows);
    }
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
    return states.of(new Admitted(before.total, running, Map.of(), before.bucket));
  }

  private int beside(Admitted before, int windows) {
    int window = windows - Windows.ofKey(windows);
    Map<Integer, Integer> beside = new TreeMap<>(before.beside);
    long most = setting.beside.get(Windows.beside(windows)).limit().permits();
    return beside.merge(window, 1, Integer::sum) <= most
        ? states.of(new Admitted(before.total + 1, before.perWindow, beside, before.bucket))
        : TOO_MANY;
  }

  private int after(Admitted before, int window, int tick) {
    Limit limit = setting.limit;
    if (setting.isOfSlots()) {
      Map<Integer, Integer> running = new TreeMap<>(before.perWindow);
      running.merge(tick, 1, Integer::sum);
      boolean fits = running.values().stream().mapToInt(held -> held).sum() <= limit.permits();
      return fits
          ? states.of(new Admitted(before.total + 1, running, Map.of(), before.bucket))
          : TOO_MANY;
    }
    if (limit instanceof WindowedLimit) {
      Map<Integer, Integer> perWindow = new TreeMap<>(before.perWindow);
      boolean fits = perWindow.merge(window, 1, Integer::sum) <= limit.permits();
      return fits
          ? states.of(new Admitted(before.total + 1, perWindow, before.beside, before.bucket))
          : TOO_MANY;
    }
    LimitState filled = limit.advance(before.bucket, Setting.nanos(tick));
    boolean fits = limit.available(filled, Setting.nanos(tick)) >= 1;
    return fits
        ? states.of(
            new Admitted(
                before.total + 1, Map.of(), Map.of(), limit.book(filled, 1, Setting.nanos(tick))))
        : TOO_MANY;
  }
}
