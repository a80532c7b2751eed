package io.quotaenforcer.simulation.explore;

import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.LeakyBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.algorithm.WarmUpBucket;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Bounds of an exploration: every order of the steps of some instances and one enforcer. The limit
 * is {@value #PERMITS} permits; at most {@value #MAX_IN_FLIGHT} messages are under way, and as many
 * reports are in a transaction.
 *
 * <p>Time moves in ticks. Between two ticks any number of steps happens, in any order and at one
 * reading of every clock. A lease lasts one and a half ticks: permits that came in one tick can be
 * taken in this and the next one.
 *
 * @param requests requests of each epoch of an instance; one comes when the one before is gone
 * @param windows windows, or for a bucket periods, that pass
 * @param ticksPerWindow ticks in each
 * @param kinds of faults
 * @param faultsOfAKind most faults of each kind
 * @param faultsInAll most faults of all kinds together
 */
public record Scope(
    Algorithm algorithm,
    int instances,
    int requests,
    int windows,
    int ticksPerWindow,
    Set<FaultKind> kinds,
    int faultsOfAKind,
    int faultsInAll) {
  static final int PERMITS = 3;
  static final int MAX_IN_FLIGHT = 3;

  private static final int MAX_INSTANCES = 3;
  private static final int MAX_REQUESTS = 6;
  private static final int MAX_FAULTS = 7;
  private static final int MAX_WINDOWS = 4;
  private static final int MAX_TICKS_PER_WINDOW = 4;

  /** Kind by which the permits renew. */
  public enum Algorithm {
    FIXED_WINDOW((period, ticks) -> new FixedWindow(PERMITS, period)),
    TOKEN_BUCKET((period, ticks) -> new TokenBucket(PERMITS, period, PERMITS)),
    /** A bucket that refills twice in a tick, so that leases are too slow for it. */
    TIGHT_BUCKET((period, ticks) -> new TokenBucket(2L * PERMITS * ticks, period, PERMITS)),
    LEAKY_BUCKET((period, ticks) -> LeakyBucket.of(PERMITS, period, PERMITS - 2)),
    /** Comes to its whole rate in two ticks. */
    WARM_UP_BUCKET(
        (period, ticks) -> new WarmUpBucket(PERMITS, period, PERMITS, PERMITS, 2 * Setting.TICK)),
    /** Slots, each held for a tick at most. */
    SLOTS((period, ticks) -> new ConcurrencyLimit(PERMITS, Setting.TICK)),
    /** A window of which every other request of an instance is of a second class. */
    TWO_CLASSES((period, ticks) -> new FixedWindow(PERMITS, period)),
    /**
     * A pool, and two users who have one permit of it each, and may borrow two more. Every other
     * request of an instance is of the second user.
     */
    POOL((period, ticks) -> new FixedWindow(PERMITS, period)),
    SLIDING_LOG((period, ticks) -> new SlidingLog(PERMITS, period, false)),
    SLIDING_WINDOW((period, ticks) -> new SlidingWindow(PERMITS, period)),
    SLIDING_SUB_WINDOWS(
        (period, ticks) -> new SlidingSubWindows(PERMITS, period, Math.max(2, ticks))),
    INTERVAL_BUCKET((period, ticks) -> new IntervalBucket(PERMITS - 1, period, PERMITS, PERMITS));

    /** The limit for a period of a number of ticks. */
    private interface OfPeriod {
      Limit limit(long period, int ticks);
    }

    private final OfPeriod limit;

    Algorithm(OfPeriod limit) {
      this.limit = limit;
    }

    Limit limit(long period, int ticks) {
      return limit.limit(period, ticks);
    }

    /** Whether the outcome depends on the position of window borders. */
    public boolean hasBorders() {
      return this == SLIDING_WINDOW || this == SLIDING_SUB_WINDOWS || this == INTERVAL_BUCKET;
    }

    @Override
    public String toString() {
      return words(name());
    }
  }

  public Scope {
    kinds = Set.copyOf(kinds);
    check("instances", 1, instances, MAX_INSTANCES);
    check("requests", 1, requests, MAX_REQUESTS);
    check("windows", 1, windows, MAX_WINDOWS);
    check("ticksPerWindow", 1, ticksPerWindow, MAX_TICKS_PER_WINDOW);
    check("faultsOfAKind", 0, faultsOfAKind, MAX_FAULTS);
    check("faultsInAll", 0, faultsInAll, MAX_FAULTS * FaultKind.values().length);
  }

  /**
   * Two requests for each of two instances, over one window of three ticks, without faults; over
   * two ticks of slots, as more can happen there; of a pool three requests over one tick.
   */
  public static Scope of(Algorithm algorithm) {
    return switch (algorithm) {
      case POOL -> new Scope(algorithm, 2, 3, 1, 1, Set.of(), 0, 0);
      case SLOTS -> new Scope(algorithm, 2, 2, 1, 2, Set.of(), 0, 0);
      default -> new Scope(algorithm, 2, 2, 1, 3, Set.of(), 0, 0);
    };
  }

  public Scope withInstances(int newInstances) {
    return new Scope(
        algorithm,
        newInstances,
        requests,
        windows,
        ticksPerWindow,
        kinds,
        faultsOfAKind,
        faultsInAll);
  }

  public Scope withWindows(int newWindows, int newTicksPerWindow) {
    return new Scope(
        algorithm,
        instances,
        requests,
        newWindows,
        newTicksPerWindow,
        kinds,
        faultsOfAKind,
        faultsInAll);
  }

  public Scope withRequests(int newRequests) {
    return new Scope(
        algorithm,
        instances,
        newRequests,
        windows,
        ticksPerWindow,
        kinds,
        faultsOfAKind,
        faultsInAll);
  }

  /** With faults of these kinds. */
  public Scope withFaults(Set<FaultKind> newKinds, int ofAKind, int inAll) {
    return new Scope(
        algorithm, instances, requests, windows, ticksPerWindow, newKinds, ofAKind, inAll);
  }

  /** With faults of every kind. */
  public Scope withFaults(int ofAKind, int inAll) {
    return withFaults(EnumSet.allOf(FaultKind.class), ofAKind, inAll);
  }

  int lastTick() {
    return windows * ticksPerWindow - 1;
  }

  private static void check(String name, int least, int value, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "must be between %d and %d: %s=%d".formatted(least, most, name, value));
    }
  }

  private static String words(String constant) {
    return constant.toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  @Override
  public String toString() {
    return "%s, %d x %d ticks, %d instances of %d requests, %s"
        .formatted(algorithm, windows, ticksPerWindow, instances, requests, faults());
  }

  private String faults() {
    if (kinds.isEmpty() || faultsInAll == 0) {
      return "no faults";
    }
    boolean all = kinds.size() == FaultKind.values().length;
    String which =
        all
            ? "every kind of fault"
            : Arrays.stream(FaultKind.values())
                .filter(kinds::contains)
                .map(kind -> words(kind.name()))
                .collect(Collectors.joining(", "));
    return "%s up to %d times, %d in all".formatted(which, faultsOfAKind, faultsInAll);
  }
}
