package io.quotaenforcer.simulation.explore;

import java.util.ArrayList;
import java.util.List;

/** Many worlds, one after the other, as the words that they are made of. */
final class Worlds {
  private static final int PER_CHUNK = 1 << 13;

  private final int words;
  private final List<int[]> chunks = new ArrayList<>();
  private int size;

  Worlds(int instances) {
    words = World.words(instances);
  }

  void add(int[] world) {
    if (size == chunks.size() * PER_CHUNK) {
      chunks.add(new int[PER_CHUNK * words]);
    }
    System.arraycopy(world, 0, chunks.get(size / PER_CHUNK), size % PER_CHUNK * words, words);
    size++;
  }

  void get(int index, World into) {
    into.read(chunks.get(index / PER_CHUNK), index % PER_CHUNK * words);
  }

  int size() {
    return size;
  }
}
