package io.quotaenforcer.core.activity;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The keys with the largest sums of weights in a stream, in bounded memory: Space-Saving (Metwally,
 * Agrawal and El Abbadi, "Efficient Computation of Frequent and Top-k Elements in Data Streams",
 * 2005), with weights that count half after each {@link HalfLife}.
 *
 * <p>A key whose true sum is more than {@link #total} / capacity is always among them. The sum of a
 * key is never too small, and too large by {@link Hitter#over} at most. Time does not run
 * backwards.
 *
 * @param <K> with equality and a text
 */
public final class HeavyHitters<K> {
  /**
   * Far from where numbers run over: later weights are written larger, instead of old ones less.
   */
  private static final double MOST_HALVINGS = 64;

  private final int capacity;
  private final HalfLife halfLife;
  private final Map<K, Slot<K>> slots = new HashMap<>();

  /** The smallest sum first: each is at most as large as those at twice its place. */
  private final List<Slot<K>> heap = new ArrayList<>();

  private double total;

  /** When a weight is written as it is. */
  private long baseNanos;

  private long newestNanos = Long.MIN_VALUE;

  /** How much larger a weight of the newest moment is written. */
  private double newestScale = 1;

  /**
   * A key and its sum.
   *
   * @param over by how much the sum may be too large: it is that of the key whose place it took
   */
  public record Hitter<K>(K key, double sum, double over) {}

  private static final class Slot<K> {
    private K key;
    private double sum;
    private double over;
    private int place;

    Slot(K key, int place) {
      this.key = key;
      this.place = place;
    }
  }

  /**
   * @param capacity keys that are known at a time
   */
  public HeavyHitters(int capacity, HalfLife halfLife) {
    if (capacity < 1) {
      throw new IllegalArgumentException("must be >= 1: capacity=" + capacity);
    }
    this.capacity = capacity;
    this.halfLife = halfLife;
  }

  /** Adds a weight, if it is more than 0. */
  public void add(K key, double weight, long now) {
    if (!(weight > 0)) {
      return;
    }
    double written = weight * scale(now);
    total += written;
    Slot<K> slot = slots.get(key);
    if (slot == null && slots.size() < capacity) {
      slot = new Slot<>(key, heap.size());
      slot.sum = written;
      slots.put(key, slot);
      heap.add(slot);
      rise(slot);
      return;
    }
    if (slot == null) {
      slot = heap.get(0);
      slots.remove(slot.key);
      slot.key = key;
      slot.over = slot.sum;
      slots.put(key, slot);
    }
    slot.sum += written;
    sink(slot);
  }

  /** The largest, the largest first. */
  public List<Hitter<K>> top(int most, long now) {
    double scale = Math.pow(2, halfLife.halvings(Math.max(now, newestNanos) - baseNanos));
    return heap.stream()
        .map(slot -> new Hitter<>(slot.key, slot.sum / scale, slot.over / scale))
        .sorted(
            Comparator.<Hitter<K>>comparingDouble(Hitter::sum)
                .reversed()
                .thenComparing(hitter -> hitter.key().toString()))
        .limit(most)
        .toList();
  }

  /** The sum of all weights, of whatever key. */
  public double total(long now) {
    return total == 0
        ? 0
        : total / Math.pow(2, halfLife.halvings(Math.max(now, newestNanos) - baseNanos));
  }

  private double scale(long now) {
    if (newestNanos == Long.MIN_VALUE) {
      baseNanos = now;
    } else if (now <= newestNanos) {
      return newestScale;
    }
    newestNanos = Math.max(newestNanos, now);
    double halvings = halfLife.halvings(newestNanos - baseNanos);
    if (halvings > MOST_HALVINGS) {
      // Alike for all, so that their order stays.
      double less = Math.pow(2, -halvings);
      for (Slot<K> slot : heap) {
        slot.sum *= less;
        slot.over *= less;
      }
      total *= less;
      baseNanos = newestNanos;
      halvings = 0;
    }
    newestScale = Math.pow(2, halvings);
    return newestScale;
  }

  private void rise(Slot<K> slot) {
    while (slot.place > 0) {
      Slot<K> parent = heap.get((slot.place - 1) / 2);
      if (parent.sum <= slot.sum) {
        return;
      }
      swap(parent, slot);
    }
  }

  private void sink(Slot<K> slot) {
    while (true) {
      int left = 2 * slot.place + 1;
      if (left >= heap.size()) {
        return;
      }
      Slot<K> smaller = heap.get(left);
      if (left + 1 < heap.size() && heap.get(left + 1).sum < smaller.sum) {
        smaller = heap.get(left + 1);
      }
      if (smaller.sum >= slot.sum) {
        return;
      }
      swap(slot, smaller);
    }
  }

  private void swap(Slot<K> one, Slot<K> other) {
    int place = one.place;
    one.place = other.place;
    other.place = place;
    heap.set(one.place, one);
    heap.set(other.place, other);
  }
}
