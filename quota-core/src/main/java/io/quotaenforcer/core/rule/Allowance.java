package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.adapt.AdaptTerms;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
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
 * @param entitlements what data may give quota keys that no override names, if it may
 * @param adapt how the limits follow the load of the service, if they do; their nominal rate is
 *     that of {@code limit}, whatever is given
 */
public record Allowance(
    Limit limit,
    int toleranceBasisPoints,
    Overrides overrides,
    Optional<Elastic> elastic,
    Optional<Entitlements> entitlements,
    Optional<AdaptTerms> adapt) {
  public static final int MAX_TOLERANCE_BASIS_POINTS = 10_000;
  private static final int TEN = 10;
  private static final double NANOS_PER_SECOND = 1e9;

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
    elastic.ifPresent(beyond -> checkOverrides(overrides, beyond));
    if (entitlements.isPresent() && elastic.isPresent()) {
      throw new IllegalArgumentException(
          "must not be elastic where data gives quota keys their limits: elastic=" + elastic.get());
    }
    entitlements.ifPresent(
        data ->
            data.plans()
                .forEach((name, permits) -> checkPlan(name, permits, limit, toleranceBasisPoints)));
    if (adapt.isPresent()) {
      checkAdapts(limit, elastic, entitlements);
      adapt =
          Optional.of(
              adapt.get().withNominal(limit.permits() * NANOS_PER_SECOND / limit.periodNanos()));
      checkBounds(adapt.get(), limit, toleranceBasisPoints, overrides);
    }
  }

  /** The same for limits that do not follow the load. */
  public Allowance(
      Limit limit,
      int toleranceBasisPoints,
      Overrides overrides,
      Optional<Elastic> elastic,
      Optional<Entitlements> entitlements) {
    this(limit, toleranceBasisPoints, overrides, elastic, entitlements, Optional.empty());
  }

  /** The same without limits by data. */
  public Allowance(
      Limit limit, int toleranceBasisPoints, Overrides overrides, Optional<Elastic> elastic) {
    this(limit, toleranceBasisPoints, overrides, elastic, Optional.empty());
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

  /**
   * The limit by data, with the tolerance; empty where the rule's own holds: it takes none from
   * data, has no such plan, or can have no such limit.
   */
  Optional<Limit> entitled(Entitlement entitlement) {
    return entitlements.flatMap(data -> entitled(data, entitlement));
  }

  private Optional<Limit> entitled(Entitlements data, Entitlement entitlement) {
    if (entitlement instanceof Entitlement.Permits number) {
      return tolerantOf(Math.min(number.permits(), mostPermits()));
    }
    if (entitlement instanceof Entitlement.Plan plan) {
      Long permits = data.plans().get(plan.name());
      return permits == null ? Optional.empty() : tolerantOf(Math.min(permits, mostPermits()));
    }
    return exempt();
  }

  /** A limit that is out of reach: of a bucket a multiple, which can be counted where it can. */
  private Optional<Limit> exempt() {
    long least = Math.max(1, limit.permits());
    Optional<Limit> found = Optional.empty();
    for (long times = Limit.MAX_PERMITS; times >= 1 && found.isEmpty(); times /= TEN) {
      found = least <= mostPermits() / times ? tolerantOf(least * times) : found;
    }
    return found;
  }

  /** The limit with another number of permits, the tolerance included, if there is one. */
  Optional<Limit> withPermits(long permits) {
    try {
      return Optional.of(limit.withPermits(permits));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private Optional<Limit> tolerantOf(long permits) {
    try {
      return Optional.of(withTolerance(limit.withPermits(permits)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** The most that leave room for the tolerance, and for a burst in proportion. */
  private long mostPermits() {
    long most = Limit.MAX_PERMITS / (MAX_TOLERANCE_BASIS_POINTS + toleranceBasisPoints);
    return Math.max(1, most * MAX_TOLERANCE_BASIS_POINTS / timesCapacity());
  }

  /** How many times its permits a limit may give at once, rounded up. */
  private long timesCapacity() {
    return limit.permits() == 0
        ? 1
        : Math.max(1, -Math.floorDiv(-limit.capacity(), limit.permits()));
  }

  /**
   * So much of a limit: at least one permit of one that has any.
   *
   * @param basisPoints of the limit, in hundredths of a percent; within the bounds of the terms
   */
  Limit inForce(Limit whole, int basisPoints) {
    if (adapt.isEmpty()) {
      return whole;
    }
    long permits = permitsInForce(whole, adapt.get().bounded(basisPoints));
    return permits == whole.permits() ? whole : whole.countable(permits);
  }

  private static long permitsInForce(Limit whole, int basisPoints) {
    long part = whole.permits() * basisPoints / AdaptTerms.WHOLE;
    return Math.min(whole.permits(), 1) > part ? 1 : part;
  }

  /** Permits that the tolerance has added to a limit. */
  long toleratedOf(Limit tolerant) {
    int whole = MAX_TOLERANCE_BASIS_POINTS + toleranceBasisPoints;
    return tolerant.permits() - tolerant.permits() * MAX_TOLERANCE_BASIS_POINTS / whole;
  }

  /** The limit that holds, with the tolerance. */
  Limit withTolerance(Limit nominal) {
    return tolerant(nominal, toleranceBasisPoints);
  }

  /** Every limit that rules give a quota key, the one without override first. */
  List<Limit> limits() {
    List<Limit> limits = new ArrayList<>();
    limits.add(withTolerance(limit));
    for (RuleOverride override : overrides.all()) {
      override.limit().ifPresent(other -> limits.add(withTolerance(other)));
    }
    entitlements.ifPresent(
        data ->
            data.plans().keySet().stream()
                .flatMap(plan -> entitled(new Entitlement.Plan(plan)).stream())
                .forEach(limits::add));
    return limits;
  }

  private static void checkAdapts(
      Limit limit, Optional<Elastic> elastic, Optional<Entitlements> entitlements) {
    if (limit instanceof ConcurrencyLimit || limit.permits() == 0) {
      throw new IllegalArgumentException(
          "must be permits per period, and one at least, where the limit follows the load: limit="
              + limit);
    }
    if (elastic.isPresent()) {
      throw new IllegalArgumentException(
          "must not be elastic where the limit follows the load: elastic=" + elastic.get());
    }
    if (entitlements.isPresent()) {
      throw new IllegalArgumentException(
          "must not be by data where the limit follows the load: entitlements="
              + entitlements.get());
    }
  }

  /** Fails here rather than when floor or ceiling are in force. */
  private static void checkBounds(
      AdaptTerms adapt, Limit limit, int toleranceBasisPoints, Overrides overrides) {
    checkBounds(adapt, tolerant(limit, toleranceBasisPoints));
    for (RuleOverride override : overrides.all()) {
      override
          .limit()
          .ifPresent(other -> checkBounds(adapt, tolerant(other, toleranceBasisPoints)));
    }
  }

  private static void checkBounds(AdaptTerms adapt, Limit whole) {
    if (whole.permits() > 0) {
      whole.countable(permitsInForce(whole, adapt.floorBasisPoints()));
      whole.countable(permitsInForce(whole, adapt.ceilingBasisPoints()));
    }
  }

  private static void checkPlan(String name, long permits, Limit limit, int tolerance) {
    try {
      tolerant(limit.withPermits(permits), tolerance);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("plans.%s: %s".formatted(name, e.getMessage()), e);
    }
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

  /** Fails here rather than when the rule borrows, which is when rules come into force. */
  private static void checkOverrides(Overrides overrides, Elastic elastic) {
    for (RuleOverride override : overrides.all()) {
      try {
        beyond(override.effect(), elastic);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "must leave what an override may borrow within bounds: override=%s, upToBasisPoints=%d: %s"
                .formatted(override, elastic.upToBasisPoints(), e.getMessage()),
            e);
      }
    }
  }

  private static Limit tolerant(Limit nominal, int basisPoints) {
    return basisPoints == 0
        ? nominal
        : nominal.withPermits(nominal.permits() + nominal.permits() * basisPoints / 10_000);
  }
}
