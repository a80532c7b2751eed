package io.quotaenforcer.core.deferral;

import java.util.List;

/**
 * The priorities' turns: of ten releases six are of high priority, three of normal and one of low,
 * evenly mixed. Priorities with nothing waiting leave their turns to the others. So none starves.
 *
 * <p>Smooth weighted round-robin, as nginx picks its upstream servers: each lane with requests
 * gains its weight, the one with the most is next and pays the sum of all gains.
 *
 * @param high gain of the lane of this priority
 */
public record PriorityTurn(int high, int normal, int low) {
  public static final PriorityTurn FIRST = new PriorityTurn(0, 0, 0);

  private static final int HIGH = 6;
  private static final int NORMAL = 3;
  private static final int LOW = 1;

  /** A lane, and the turn after it. */
  record Next(Lane lane, PriorityTurn after) {}

  /**
   * The lane whose turn it is; at least one must have requests.
   *
   * @param lanes by the ordinal of {@link Lane}
   */
  Next next(List<LaneState> lanes) {
    boolean hasHigh = has(lanes, Lane.HIGH);
    boolean hasNormal = has(lanes, Lane.NORMAL);
    boolean hasLow = has(lanes, Lane.LOW);
    int gained = (hasHigh ? HIGH : 0) + (hasNormal ? NORMAL : 0) + (hasLow ? LOW : 0);
    if (gained == 0) {
      throw new IllegalArgumentException("must have a request that waits: lanes=" + lanes);
    }
    // Otherwise an empty lane would get all its earlier gains at once.
    int ofHigh = hasHigh ? high + HIGH : 0;
    int ofNormal = hasNormal ? normal + NORMAL : 0;
    int ofLow = hasLow ? low + LOW : 0;
    if (hasHigh && (!hasNormal || ofHigh >= ofNormal) && (!hasLow || ofHigh >= ofLow)) {
      return new Next(Lane.HIGH, new PriorityTurn(ofHigh - gained, ofNormal, ofLow));
    }
    if (hasNormal && (!hasLow || ofNormal >= ofLow)) {
      return new Next(Lane.NORMAL, new PriorityTurn(ofHigh, ofNormal - gained, ofLow));
    }
    return new Next(Lane.LOW, new PriorityTurn(ofHigh, ofNormal, ofLow - gained));
  }

  private static boolean has(List<LaneState> lanes, Lane lane) {
    return lanes.get(lane.ordinal()).waiting() > 0;
  }
}
