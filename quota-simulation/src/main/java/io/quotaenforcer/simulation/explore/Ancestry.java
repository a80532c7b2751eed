package io.quotaenforcer.simulation.explore;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Predecessor of each world, and the step by which it was first reached. */
final class Ancestry {
  private static final int PER_CHUNK = 1 << 16;
  private static final int STEP_BITS = 16;

  private final List<long[]> chunks = new ArrayList<>();
  private int size;

  void add(int parent, int step) {
    if (size == chunks.size() * PER_CHUNK) {
      chunks.add(new long[PER_CHUNK]);
    }
    chunks.get(size / PER_CHUNK)[size % PER_CHUNK] = (long) parent << STEP_BITS | step;
    size++;
  }

  int size() {
    return size;
  }

  /** The steps from the first world to this one. */
  List<Step> path(int world) {
    List<Step> path = new ArrayList<>();
    for (int at = world; at > 0; ) {
      long entry = chunks.get(at / PER_CHUNK)[at % PER_CHUNK];
      path.add(Step.of((int) entry & ((1 << STEP_BITS) - 1)));
      at = (int) (entry >>> STEP_BITS);
    }
    Collections.reverse(path);
    return path;
  }
}
