package io.quotaenforcer.lab.verdict;

import io.quotaenforcer.core.PermitSource;
import java.util.Arrays;

/** Decisions in memory, sortable by their stamps. */
final class DecisionBuffer {
  private long[] stamps = new long[1024];
  private int[] keys = new int[1024];
  private long[] costs = new long[1024];
  private PermitSource[] sources = new PermitSource[1024];
  private long[] windows = new long[1024];
  private int size;

  void add(long stampNanos, int key, long cost, PermitSource source, long windowStartNanos) {
    if (size == stamps.length) {
      int grown = size * 2;
      stamps = Arrays.copyOf(stamps, grown);
      keys = Arrays.copyOf(keys, grown);
      costs = Arrays.copyOf(costs, grown);
      sources = Arrays.copyOf(sources, grown);
      windows = Arrays.copyOf(windows, grown);
    }
    stamps[size] = stampNanos;
    keys[size] = key;
    costs[size] = cost;
    sources[size] = source;
    windows[size++] = windowStartNanos;
  }

  /** A closed log of everything; equal stamps stay in the order in which they were added. */
  DecisionLog toSortedLog() {
    int[] order = order();
    DecisionLog log = new DecisionLog();
    for (int i : order) {
      log.record(stamps[i], keys[i], costs[i], sources[i], windows[i]);
    }
    log.close();
    return log;
  }

  private int[] order() {
    boolean ordered = true;
    int[] order = new int[size];
    for (int i = 0; i < size; i++) {
      order[i] = i;
      ordered &= i == 0 || stamps[i - 1] <= stamps[i];
    }
    return ordered ? order : mergeSort(order);
  }

  private int[] mergeSort(int[] order) {
    int[] from = order;
    int[] to = new int[size];
    for (long width = 1; width < size; width *= 2) {
      for (long low = 0; low < size; low += 2 * width) {
        merge(
            from,
            to,
            (int) low,
            (int) Math.min(low + width, size),
            (int) Math.min(low + 2 * width, size));
      }
      int[] swapped = from;
      from = to;
      to = swapped;
    }
    return from;
  }

  private void merge(int[] from, int[] to, int low, int middle, int high) {
    int left = low;
    int right = middle;
    for (int i = low; i < high; i++) {
      boolean takeLeft =
          left < middle && (right >= high || stamps[from[left]] <= stamps[from[right]]);
      to[i] = takeLeft ? from[left++] : from[right++];
    }
  }
}
