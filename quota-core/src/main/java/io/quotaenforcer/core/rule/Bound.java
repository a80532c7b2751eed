package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.algorithm.Limit;
import java.util.Comparator;
import java.util.OptionalLong;

/**
 * The formulas of the declared bound. Permits that were granted are within the limit; over it are
 * only those that an instance admits without a grant: by its opening, as long as it has not heard
 * of others, and while the enforcer is away what its own share of the limit gives. The worst case
 * is that all instances open a key at the same moment, and spend all of the opening before an
 * answer comes; what is expected is the demand of the time that an answer takes.
 *
 * <p>Epochs count rather than instances, since one that restarts has forgotten what it opened.
 */
public final class Bound {
  private static final double NANOS_PER_SECOND = 1e9;

  private Bound() {}

  /** The bound of a rule for a quota key with this limit, with as many epochs as may be. */
  public static DeclaredBound of(Rule rule, Limit limit, int maxInstances) {
    return of(rule, limit, maxInstances, maxInstances, 0, 0);
  }

  /** The bound of a rule for whichever of its quota keys has the largest. */
  public static DeclaredBound largest(Rule rule, int maxInstances) {
    return rule.limits().stream()
        .map(limit -> of(rule, limit, maxInstances))
        .max(
            Comparator.comparingLong(DeclaredBound::connected)
                .thenComparingLong(bound -> bound.away().orElse(Long.MAX_VALUE)))
        .orElseThrow();
  }

  /**
   * The bound with what is expected of it.
   *
   * @param epochs most epochs that use the key in one window
   * @param demandPerSecond permits that clients ask for, of all instances together
   * @param loopNanos time from report to answer
   */
  public static DeclaredBound of(
      Rule rule,
      Limit limit,
      int epochs,
      int maxInstances,
      double demandPerSecond,
      long loopNanos) {
    long connected = connected(rule, limit, epochs, maxInstances);
    // An instance that decides for itself does not notice whether anyone answers.
    boolean noticesAway = rule.enforcement() == Enforcement.BALANCED;
    OptionalLong away = OptionalLong.of(connected);
    if (noticesAway) {
      away =
          rule.onUnavailable() == OnUnavailable.ALLOW
              ? OptionalLong.empty()
              : OptionalLong.of(
                  connected + away(rule.onUnavailable(), limit, epochs, maxInstances));
    }
    double inOneLoop = Math.ceil(demandPerSecond * loopNanos / NANOS_PER_SECOND);
    boolean learns = rule.enforcement() != Enforcement.PER_INSTANCE;
    return new DeclaredBound(
        connected, away, learns ? (long) Math.min(connected, inOneLoop) : connected);
  }

  /**
   * Most permits that {@code epochs} epochs may add to {@link #connected} in one window in which
   * the enforcer is away for them; {@code Long.MAX_VALUE} when there is no bound.
   */
  public static long away(OnUnavailable onUnavailable, Limit limit, int epochs, int maxInstances) {
    return switch (onUnavailable) {
      case DENY -> 0;
      case LOCAL -> limit.share(maxInstances).mostInAPeriod() * epochs;
      case ALLOW -> Long.MAX_VALUE;
    };
  }

  /**
   * Most permits over the limit of one quota key in one window, with at most {@code epochs} epochs.
   */
  public static long connected(Rule rule, Limit limit, int epochs, int maxInstances) {
    return switch (rule.enforcement()) {
      case STRICT -> 0;
      case BALANCED -> rule.opening().inAPeriod(limit, maxInstances) * epochs;
      case PER_INSTANCE -> limit.mostInAPeriod() * Math.max(0, epochs - 1);
    };
  }
}
