package io.quotaenforcer.simulation.explore;

/** A message's route and fate, in bits. */
final class Head {
  private static final int SNAPSHOT = 1 << 9;
  private static final int FROM_ZOMBIE = 1 << 8;
  private static final int INSTANCE_SHIFT = 6;
  private static final int EPOCH_SHIFT = 1;
  private static final int SEEN_BY_ZOMBIE = 1;

  private Head() {}

  static int report(int instance, int epoch) {
    return instance << INSTANCE_SHIFT | epoch << EPOCH_SHIFT;
  }

  static int snapshot(int instance, int epoch, boolean fromZombie) {
    return SNAPSHOT | (fromZombie ? FROM_ZOMBIE : 0) | report(instance, epoch);
  }

  static boolean isSnapshot(int head) {
    return (head & SNAPSHOT) != 0;
  }

  static boolean isFromZombie(int head) {
    return (head & FROM_ZOMBIE) != 0;
  }

  static int instance(int head) {
    return head >>> INSTANCE_SHIFT & 3;
  }

  static int epoch(int head) {
    return head >>> EPOCH_SHIFT & 31;
  }

  static boolean isSeenByZombie(int head) {
    return (head & SEEN_BY_ZOMBIE) != 0;
  }

  static int seenByZombie(int head) {
    return head | SEEN_BY_ZOMBIE;
  }

  static int unseen(int head) {
    return head & ~SEEN_BY_ZOMBIE;
  }

  static int withInstance(int head, int instance) {
    return head & ~(3 << INSTANCE_SHIFT) | instance << INSTANCE_SHIFT;
  }

  static int way(int head) {
    return head >>> 1;
  }
}
