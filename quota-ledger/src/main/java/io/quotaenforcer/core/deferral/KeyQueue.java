package io.quotaenforcer.core.deferral;

import io.quotaenforcer.core.rule.OverLimit.OnDelete;
import java.util.ArrayList;
import java.util.List;

/**
 * The queue of one quota key, without its requests. Immutable.
 *
 * @param lanes by the ordinal of {@link Lane}
 * @param bytes of the requests that wait
 * @param unacknowledged replays that are released and not acknowledged
 * @param turn whose turn it is among the priorities
 * @param nextReleaseNanos before which a steady rule releases nothing, epoch nanoseconds
 * @param dueNanos when the queue is to be looked at, epoch nanoseconds; {@link #NOT_DUE} when an
 *     event will tell, {@link #AT_WORK} while it is being worked on
 * @param onDelete what becomes of the requests when their rule is deleted, as it last said
 */
public record KeyQueue(
    List<LaneState> lanes,
    long bytes,
    int unacknowledged,
    PriorityTurn turn,
    long nextReleaseNanos,
    long dueNanos,
    OnDelete onDelete) {
  public static final long NOT_DUE = 0;
  public static final long AT_WORK = 1;

  private static final long NANOS_PER_MICRO = 1_000L;

  public KeyQueue {
    lanes = List.copyOf(lanes);
    if (lanes.size() != Lane.values().length) {
      throw new IllegalArgumentException("must be one of each lane: lanes=" + lanes);
    }
  }

  /**
   * A queue in which nothing waits.
   *
   * @param now epoch nanoseconds: numbers start above all that an earlier queue of the key gave
   */
  public static KeyQueue empty(OnDelete onDelete, long now) {
    LaneState lane = LaneState.from(now / NANOS_PER_MICRO);
    return new KeyQueue(
        List.of(lane, lane, lane, lane), 0, 0, PriorityTurn.FIRST, 0, NOT_DUE, onDelete);
  }

  public LaneState lane(Lane lane) {
    return lanes.get(lane.ordinal());
  }

  /** Requests that wait, over all lanes. */
  public long waiting() {
    long waiting = 0;
    for (LaneState lane : lanes) {
      waiting += lane.waiting();
    }
    return waiting;
  }

  /** Arrival of the oldest waiting request, epoch milliseconds; now if none waits. */
  public long oldestMillis(long nowMillis) {
    return lanes.stream()
        .filter(lane -> lane.waiting() > 0)
        .mapToLong(LaneState::sinceMillis)
        .min()
        .orElse(nowMillis);
  }

  /** Whether forgetting it would lose nothing. */
  public boolean isIdle(long now) {
    return waiting() == 0 && unacknowledged == 0 && nextReleaseNanos <= now && dueNanos == NOT_DUE;
  }

  /** With one more request at the end of a lane, whose number is the lane's {@code next}. */
  public KeyQueue add(Lane lane, long size, long deferredMillis, OnDelete newOnDelete) {
    return new KeyQueue(
        with(lane, lane(lane).add(deferredMillis)),
        bytes + size,
        unacknowledged,
        turn,
        nextReleaseNanos,
        dueNanos,
        newOnDelete);
  }

  /** Without a request that waited in a lane. */
  public KeyQueue remove(Lane lane, long size) {
    return new KeyQueue(
        with(lane, lane(lane).remove()),
        bytes - size,
        unacknowledged,
        turn,
        nextReleaseNanos,
        dueNanos,
        onDelete);
  }

  /** Without any request in a lane: those that it should have are not to be found. */
  public KeyQueue clear(Lane lane) {
    List<LaneState> left = with(lane, lane(lane).clear());
    boolean empty = left.stream().allMatch(state -> state.waiting() == 0);
    return new KeyQueue(
        left, empty ? 0 : bytes, unacknowledged, turn, nextReleaseNanos, dueNanos, onDelete);
  }

  /** Whether the request with this number is waiting, unless it was taken out since. */
  public boolean waits(Lane lane, long number) {
    return number >= lane(lane).first();
  }

  /** The lane whose first request is next; something must wait. */
  public Lane nextLane() {
    return lane(Lane.EXPEDITED).waiting() > 0 ? Lane.EXPEDITED : turn.next(lanes).lane();
  }

  /** With the first request of the next lane released. */
  public KeyQueue release(long number, long size, long deferredMillis) {
    Lane lane = nextLane();
    return new KeyQueue(
        with(lane, lane(lane).release(number, deferredMillis)),
        bytes - size,
        unacknowledged + 1,
        lane == Lane.EXPEDITED ? turn : turn.next(lanes).after(),
        nextReleaseNanos,
        dueNanos,
        onDelete);
  }

  public KeyQueue acknowledge() {
    return new KeyQueue(
        lanes, bytes, unacknowledged - 1, turn, nextReleaseNanos, dueNanos, onDelete);
  }

  public KeyQueue withNextRelease(long newNextReleaseNanos) {
    return new KeyQueue(
        lanes, bytes, unacknowledged, turn, newNextReleaseNanos, dueNanos, onDelete);
  }

  public KeyQueue withDue(long newDueNanos) {
    return new KeyQueue(
        lanes, bytes, unacknowledged, turn, nextReleaseNanos, newDueNanos, onDelete);
  }

  /**
   * Number of a replay: it grows with each release of the key and priority, and is 0 for a release
   * out of turn.
   */
  public static long replayNumber(Lane lane, long number) {
    return lane == Lane.EXPEDITED ? 0 : number;
  }

  private List<LaneState> with(Lane lane, LaneState state) {
    List<LaneState> changed = new ArrayList<>(lanes);
    changed.set(lane.ordinal(), state);
    return changed;
  }
}
