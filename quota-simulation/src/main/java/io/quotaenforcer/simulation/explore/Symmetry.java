package io.quotaenforcer.simulation.explore;

/**
 * Puts interchangeable instances in one order, so that one world represents all that differ only in
 * the instances' names. They are sorted by a hash of their state and of their messages under way;
 * ties keep their order, which costs states but is safe.
 */
final class Symmetry {
  private static final int MOST_INSTANCES = 3;

  private final Desks desks;
  private final long[] keys = new long[MOST_INSTANCES];
  private final int[] order = new int[MOST_INSTANCES];
  private final int[] names = new int[MOST_INSTANCES];
  private final World before;

  Symmetry(Desks desks, int instances) {
    this.desks = desks;
    this.before = new World(instances);
  }

  /** The instances' previous names, in their present order. */
  int[] order() {
    return order;
  }

  /** Renames the instances. */
  void apply(World world) {
    if (isSorted(world)) {
      return;
    }
    before.set(world);
    int renaming = 0;
    for (int i = 0; i < world.instances; i++) {
      int was = order[i];
      names[was] = i;
      world.books[i] = before.books[was];
      world.epochs[i] = before.epochs[was];
    }
    for (int i = 0; i < world.instances; i++) {
      renaming = renaming << 2 | names[i];
    }
    world.messages = 0;
    for (int m = 0; m < before.messages; m++) {
      int head = before.heads[m];
      world.send(Head.withInstance(head, names[Head.instance(head)]), before.contents[m]);
    }
    world.desk = desks.renamed(world.desk, names, renaming);
    if (world.zombie != World.NOBODY) {
      world.zombie = desks.renamed(world.zombie, names, renaming);
    }
  }

  /** Whether the instances are in order; {@link #order} tells the right one. */
  private boolean isSorted(World world) {
    for (int i = 0; i < world.instances; i++) {
      keys[i] = Hash.mix((long) world.books[i] << 20 ^ world.epochs[i]);
      order[i] = i;
    }
    for (int m = 0; m < world.messages; m++) {
      int head = world.heads[m];
      int i = Head.instance(head);
      keys[i] = Hash.mix(keys[i] ^ (long) Head.withInstance(head, 0) << 32 ^ world.contents[m]);
    }
    boolean sorted = true;
    for (int i = 1; i < world.instances; i++) {
      int at = i;
      while (at > 0 && keys[order[at - 1]] > keys[i]) {
        order[at] = order[at - 1];
        at--;
        sorted = false;
      }
      order[at] = i;
    }
    return sorted;
  }
}
