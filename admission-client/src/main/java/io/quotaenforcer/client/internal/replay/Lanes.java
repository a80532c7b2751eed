package io.quotaenforcer.client.internal.replay;

import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The order of replays: one after the other in each lane, and the lanes in turn.
 *
 * <p>A lane's first item is started, stays the first until it is finished, and holds up those
 * behind it only. Not safe for use by several threads.
 */
final class Lanes<T> {
  private final Map<Lane, Line<T>> lines = new HashMap<>();
  private final Deque<Lane> ready = new ArrayDeque<>();

  /** Replays of one lane are kept in order. */
  record Lane(QuotaKey quotaKey, Priority priority) {}

  private static final class Line<T> {
    private final Deque<T> items = new ArrayDeque<>();
    private boolean started;
  }

  void add(Lane lane, T item) {
    Line<T> line = lines.computeIfAbsent(lane, l -> new Line<>());
    line.items.add(item);
    if (line.items.size() == 1) {
      ready.add(lane);
    }
  }

  /** Starts the first item of the lane whose turn it is; empty if every lane is started. */
  Optional<T> startNext() {
    Lane lane = ready.poll();
    if (lane == null) {
      return Optional.empty();
    }
    Line<T> line = line(lane);
    line.started = true;
    return Optional.of(line.items.element());
  }

  /** The started item of a lane is to be started again, once it is the lane's turn. */
  void startAgain(Lane lane) {
    line(lane).started = false;
    ready.add(lane);
  }

  /** Removes the started item of a lane. */
  void finish(Lane lane) {
    Line<T> line = line(lane);
    line.items.remove();
    line.started = false;
    if (line.items.isEmpty()) {
      lines.remove(lane);
    } else {
      ready.add(lane);
    }
  }

  /** Removes items, started ones as well, and says which. */
  List<T> drop(Predicate<T> unwanted) {
    List<T> dropped = new ArrayList<>();
    Iterator<Map.Entry<Lane, Line<T>>> entries = lines.entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<Lane, Line<T>> entry = entries.next();
      Line<T> line = entry.getValue();
      T first = line.items.element();
      line.items.removeIf(item -> unwanted.test(item) && dropped.add(item));
      if (line.items.isEmpty()) {
        entries.remove();
        if (!line.started) {
          ready.remove(entry.getKey());
        }
      } else if (line.started && line.items.element() != first) {
        line.started = false;
        ready.add(entry.getKey());
      }
    }
    return dropped;
  }

  private Line<T> line(Lane lane) {
    Line<T> line = lines.get(lane);
    if (line == null) {
      throw new IllegalStateException("must hold something: lane=" + lane);
    }
    return line;
  }
}
