package io.quotaenforcer.simulation;

import static io.quotaenforcer.simulation.LoopSimulation.MILLI;

import io.quotaenforcer.core.algorithm.Limit;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Request events amid all other trouble: for the key that instances decide about, and for one known
 * only from events. Drawn separately from everything else, as {@link ReplayTrouble} is.
 */
final class EventTrouble {
  static final String UNDECIDED = "43";

  private static final long SALT = 0x5eed_0f_e7e47L;
  private static final long SECOND = 1_000 * MILLI;

  /** One seed in this many has events. */
  private static final int ONE_IN = 6;

  private static final int LATE_ONE_IN = 4;
  private static final long LATEST = 3 * SECOND;

  private final SplittableRandom random;

  private EventTrouble(SplittableRandom random) {
    this.random = random;
  }

  /** Null for most seeds. */
  static @Nullable EventTrouble drawn(long seed) {
    SplittableRandom random = new SplittableRandom(seed ^ SALT);
    return random.nextInt(ONE_IN) == 0 ? new EventTrouble(random) : null;
  }

  /** A few at a time, now and then late, and sometimes more than the limit allows. */
  void befall(LoopSimulation simulation, Limit limit, long troubleEnds) {
    for (long at = SECOND; at < troubleEnds; at += 1 + random.nextLong(SECOND / 2)) {
      long late = random.nextInt(LATE_ONE_IN) == 0 ? random.nextLong(LATEST) : 20 * MILLI;
      String user = random.nextBoolean() ? "42" : UNDECIDED;
      simulation.events(user, 1 + random.nextLong(limit.permits() / 2), at, late);
    }
  }

  @Override
  public String toString() {
    return ", request events";
  }
}
