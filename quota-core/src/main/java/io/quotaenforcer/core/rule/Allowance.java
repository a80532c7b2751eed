package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.algorithm.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How much a rule allows each of its quota keys.
 *
 * @param toleranceBasisPoints how far above the limit permits are still given, in hundredths of a
 *     percent
 * @param overrides what holds instead of the limit for some quota keys
 * @param elastic how far quota keys may go beyond it, if they may
 */
public record Allowance(
    Limit limit, int toleranceBasisPoints, Overrides overrides, Optional<Elastic> elastic) {
  public static final int MAX_TOLERANCE_BASIS_POINTS = 10_000;

  public Allowance {
    if (toleranceBasisPoints < 0 || toleranceBasisPoints > MAX_TOLERANCE_BASIS_POINTS) {
      throw new IllegalArgumentException(
          "must be between 0 and "
              + MAX_TOLERANCE_BASIS_POINTS
              + ": toleranceBasisPoints="
              + toleranceBasisPoints);
    }
    // Fails here rather than in a decision.
    tolerant(limit, toleranceBasisPoints);
    elastic.ifPresent(beyond -> check(limit, beyond));
    for (RuleOverride override : overrides.all()) {
      override.limit().ifPresent(other -> check(other, limit, toleranceBasisPoints));
    }
  }

  /** A limit, and nothing else. */
  public static Allowance of(Limit limit) {
    return new Allowance(limit, 0, Overrides.of(List.of()), Optional.empty());
  }

  /**
   * The permits that may be borrowed on top of each limit; none for those denied by an override.
   */
  Allowance beyond(Elastic by) {
    List<RuleOverride> beyond =
        overrides.all().stream()
            .map(each -> new RuleOverride(each.key(), beyond(each.effect(), by)))
            .toList();
    return new Allowance(by.beyond(limit), 0, Overrides.of(beyond), Optional.empty());
  }

  private static OverrideEffect beyond(OverrideEffect effect, Elastic by) {
    if (!(effect instanceof OverrideEffect.Limited limited)) {
      return effect;
    }
    return by.permitsBeyond(limited.limit()) == 0
        ? new OverrideEffect.Denied()
        : new OverrideEffect.Limited(by.beyond(limited.limit()));
  }

  /** The limit that an override gives, or the rule's own; before the tolerance. */
  Limit nominal(@Nullable OverrideEffect effect) {
    return effect instanceof OverrideEffect.Limited other ? other.limit() : limit;
  }

  /** The limit that holds, with the tolerance. */
  Limit withTolerance(Limit nominal) {
    return tolerant(nominal, toleranceBasisPoints);
  }

  /** Every limit that a quota key may have, the one without override first. */
  List<Limit> limits() {
    List<Limit> limits = new ArrayList<>();
    limits.add(withTolerance(limit));
    for (RuleOverride override : overrides.all()) {
      override.limit().ifPresent(other -> limits.add(withTolerance(other)));
    }
    return limits;
  }

  private static void check(Limit other, Limit limit, int toleranceBasisPoints) {
    if (!other.countsAlike(limit)) {
      throw new IllegalArgumentException(
          "must have the algorithm and period of the rule's limit: override.limit=" + other);
    }
    tolerant(other, toleranceBasisPoints);
  }

  private static void check(Limit limit, Elastic elastic) {
    if (elastic.permitsBeyond(limit) < 1) {
      throw new IllegalArgumentException(
          "must leave at least one permit to borrow: upToBasisPoints=" + elastic.upToBasisPoints());
    }
    elastic.beyond(limit);
  }

  private static Limit tolerant(Limit nominal, int basisPoints) {
    return basisPoints == 0
        ? nominal
        : nominal.withPermits(nominal.permits() + nominal.permits() * basisPoints / 10_000);
  }
}
