package io.quotaenforcer.bench.moving.scenario;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.quotaenforcer.simulation.SlotOracle;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * When requests of all instances began and ended, and by nothing else how many slots were held. Of
 * those that end as others begin, the end comes first.
 */
public final class SlotLog {
  @GuardedBy("this")
  private final List<Change> changes = new ArrayList<>();

  private record Change(long nanos, long slots) {}

  public synchronized void begins(long slots, long nanos) {
    changes.add(new Change(nanos, slots));
  }

  public synchronized void ends(long slots, long nanos) {
    changes.add(new Change(nanos, -slots));
  }

  /** Most slots that were held at any moment. */
  public long most() {
    SlotOracle oracle = new SlotOracle();
    sorted().forEach(change -> tell(oracle, change));
    return oracle.most();
  }

  /** Slots held between two moments, on average. */
  public double mean(long fromNanos, long untilNanos) {
    SlotOracle oracle = new SlotOracle();
    List<Change> all = sorted();
    all.stream().filter(change -> change.nanos < fromNanos).forEach(it -> tell(oracle, it));
    oracle.restart(fromNanos);
    all.stream()
        .filter(change -> change.nanos >= fromNanos && change.nanos < untilNanos)
        .forEach(change -> tell(oracle, change));
    return oracle.takeMean(untilNanos - fromNanos, untilNanos);
  }

  /** The first moment after another at which so many are held; empty if they never are. */
  public OptionalLong firstAfter(long nanos, long slots) {
    SlotOracle oracle = new SlotOracle();
    for (Change change : sorted()) {
      tell(oracle, change);
      if (change.nanos > nanos && oracle.held() >= slots) {
        return OptionalLong.of(change.nanos);
      }
    }
    return OptionalLong.empty();
  }

  private static void tell(SlotOracle oracle, Change change) {
    if (change.slots < 0) {
      oracle.ends(-change.slots, change.nanos);
    } else {
      oracle.begins(change.slots, change.nanos);
    }
  }

  private synchronized List<Change> sorted() {
    return changes.stream()
        .sorted(Comparator.comparingLong(Change::nanos).thenComparingLong(Change::slots))
        .toList();
  }
}
