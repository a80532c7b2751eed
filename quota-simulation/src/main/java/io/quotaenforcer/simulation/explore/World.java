package io.quotaenforcer.simulation.explore;

import java.util.Arrays;

/**
 * One state of everything, as the numbers of its parts' states. Messages are grouped by route, in
 * the order in which they were sent.
 */
final class World {
  static final int NOBODY = -1;

  /** More messages than an exploration allows, so that a calm end has room to spare. */
  private static final int MAX_MESSAGES = 24;

  final int instances;
  int tick;
  int desk;
  int zombie = NOBODY;
  int faults;
  int admitted;
  final int[] books;
  final int[] epochs;

  int messages;
  final int[] heads = new int[MAX_MESSAGES];
  final int[] contents = new int[MAX_MESSAGES];

  World(int instances) {
    this.instances = instances;
    books = new int[instances];
    epochs = new int[instances];
  }

  /** Length of {@link #write}. */
  static int words(int instances) {
    return 5 + 2 * instances + 2 * Scope.MAX_IN_FLIGHT;
  }

  void write(int[] into, int from) {
    int at = from;
    into[at++] = tick | messages << 8;
    into[at++] = desk;
    into[at++] = zombie;
    into[at++] = faults;
    into[at++] = admitted;
    for (int i = 0; i < instances; i++) {
      into[at++] = books[i];
      into[at++] = epochs[i];
    }
    for (int i = 0; i < messages; i++) {
      into[at++] = heads[i];
      into[at++] = contents[i];
    }
    Arrays.fill(into, at, from + words(instances), 0);
  }

  void read(int[] words, int from) {
    int at = from;
    tick = words[at] & 255;
    messages = words[at++] >>> 8;
    desk = words[at++];
    zombie = words[at++];
    faults = words[at++];
    admitted = words[at++];
    for (int i = 0; i < instances; i++) {
      books[i] = words[at++];
      epochs[i] = words[at++];
    }
    for (int i = 0; i < messages; i++) {
      heads[i] = words[at++];
      contents[i] = words[at++];
    }
  }

  void set(World other) {
    tick = other.tick;
    desk = other.desk;
    zombie = other.zombie;
    faults = other.faults;
    admitted = other.admitted;
    messages = other.messages;
    System.arraycopy(other.books, 0, books, 0, instances);
    System.arraycopy(other.epochs, 0, epochs, 0, instances);
    System.arraycopy(other.heads, 0, heads, 0, messages);
    System.arraycopy(other.contents, 0, contents, 0, messages);
  }

  /** Behind the others that go the same way. */
  void send(int head, int content) {
    int at = messages;
    while (at > 0 && Head.way(heads[at - 1]) > Head.way(head)) {
      heads[at] = heads[at - 1];
      contents[at] = contents[at - 1];
      at--;
    }
    heads[at] = head;
    contents[at] = content;
    messages++;
  }

  void remove(int at) {
    messages--;
    System.arraycopy(heads, at + 1, heads, at, messages - at);
    System.arraycopy(contents, at + 1, contents, at, messages - at);
  }

  /** Whether no older message takes the same route. */
  boolean isNext(int at) {
    return at == 0 || Head.way(heads[at - 1]) != Head.way(heads[at]);
  }
}
