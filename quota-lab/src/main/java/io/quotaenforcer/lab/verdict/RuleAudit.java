package io.quotaenforcer.lab.verdict;

import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.verdict.RuleVerdict.Opened;
import io.quotaenforcer.lab.verdict.RuleVerdict.Place;
import io.quotaenforcer.lab.verdict.RuleVerdict.Places;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Running figures of one rule; decisions come in the order of their stamps. */
abstract sealed class RuleAudit permits FixedWindowAudit, ReplayAudit {
  private final Rule rule;
  private final VerdictTerms terms;
  private final Map<Integer, KeyAudit> keys = new HashMap<>();
  private long admitted;
  private long throttled;
  private long admittedPermits;
  private long allowedPermits;
  private long over;
  private long grantedOver;
  private long mislabelled;
  private Opened opened;
  private @Nullable Place firstGranted;
  private @Nullable Place mostOpenedAt;
  private @Nullable Place firstMislabelled;

  RuleAudit(Rule rule, VerdictTerms terms) {
    this.rule = rule;
    this.terms = terms;
    this.opened = new Opened(0, 0, terms.opening(rule, rule.limit()));
  }

  static RuleAudit of(Rule rule, VerdictTerms terms) {
    return rule.limit() instanceof WindowedLimit
        ? new FixedWindowAudit(rule, terms)
        : new ReplayAudit(rule, terms);
  }

  final void accept(
      long stampNanos,
      int instance,
      KeyEntry key,
      long cost,
      PermitSource source,
      long windowStartNanos) {
    boolean wasAdmitted = source != PermitSource.NONE;
    if (wasAdmitted) {
      admitted++;
      admittedPermits += cost;
    } else {
      throttled++;
    }
    KeyAudit known = keys.computeIfAbsent(key.id(), id -> new KeyAudit(key, stampNanos));
    known.add(stampNanos, cost, wasAdmitted, terms.sliceNanos());
    if (known.isDenied() && !wasAdmitted) {
      return;
    }
    audit(stampNanos, instance, key, cost, source, windowStartNanos);
  }

  abstract void audit(
      long stampNanos,
      int instance,
      KeyEntry key,
      long cost,
      PermitSource source,
      long windowStartNanos);

  final VerdictTerms terms() {
    return terms;
  }

  final void allow(long permits) {
    allowedPermits += permits;
  }

  final void mislabel(KeyEntry key, long label) {
    mislabelled++;
    if (firstMislabelled == null) {
      firstMislabelled = place(key, label, 1);
    }
  }

  /** Notes {@code added} permits over the limit, {@code inWindow} of them in this window so far. */
  final void exceed(KeyEntry key, long windowStartNanos, long added, long inWindow) {
    over += added;
    KeyAudit known = keys.get(key.id());
    if (known != null) {
      known.exceed(windowStartNanos, inWindow);
    }
  }

  /** Notes granted permits that exceed the limit even without the others. */
  final void exceedGranted(KeyEntry key, long windowStartNanos, long added) {
    // If each instance has the limit, all of them together have a multiple.
    if (rule.enforcement() == Enforcement.PER_INSTANCE || added == 0) {
      return;
    }
    grantedOver += added;
    if (firstGranted == null) {
      firstGranted = place(key, windowStartNanos, added);
    }
  }

  /** Notes permits that an instance opened, {@code inPeriod} of them in this period so far. */
  final void open(KeyEntry key, long windowStartNanos, long added, long inPeriod) {
    Opened before = opened;
    long permits = before.permits() + added;
    long allowed = terms.opening(rule, key.limit());
    boolean isMost = before.permits() == 0 || inPeriod - allowed > before.most() - before.allowed();
    mostOpenedAt = isMost ? place(key, windowStartNanos, inPeriod) : mostOpenedAt;
    opened =
        isMost
            ? new Opened(permits, inPeriod, allowed)
            : new Opened(permits, before.most(), before.allowed());
  }

  /**
   * The figures so far.
   *
   * @param loopNanos time from report to answer; empty until one is measured: then all that is
   *     possible is expected
   */
  final RuleVerdict verdict(OptionalLong loopNanos) {
    Optional<KeyAudit> worst =
        keys.values().stream()
            .filter(key -> key.worstOver() > 0)
            .max(
                Comparator.<KeyAudit>comparingLong(key -> key.worstOver() - bound(key, loopNanos))
                    .thenComparingLong(KeyAudit::worstOver));
    Limit limit = worst.map(key -> key.key.limit()).orElse(rule.limit());
    long bound =
        worst
            .map(key -> bound(key, loopNanos))
            .orElseGet(
                () ->
                    keys.values().stream().mapToLong(key -> bound(key, loopNanos)).max().orElse(0));
    return new RuleVerdict(
        rule,
        admitted + throttled,
        admitted,
        throttled,
        admittedPermits,
        allowedPermits,
        over,
        worst.map(KeyAudit::worst),
        bound,
        terms.worstCase(rule, limit),
        grantedOver,
        opened,
        mislabelled,
        turnedAway(false),
        turnedAway(true),
        new Places(
            Optional.ofNullable(firstGranted),
            Optional.ofNullable(mostOpenedAt),
            Optional.ofNullable(firstMislabelled),
            innocent()));
  }

  private Optional<Place> innocent() {
    return keys.values().stream()
        .filter(KeyAudit::isInnocent)
        .map(KeyAudit::turnedAwayAt)
        .filter(place -> place.count() > 0)
        .max(
            Comparator.comparingLong(Place::count)
                .thenComparing(Comparator.comparing(Place::quotaKey).reversed()));
  }

  private static Place place(KeyEntry key, long windowStartNanos, long count) {
    return new Place(key.quotaKey().toString(), windowStartNanos, count);
  }

  private long bound(KeyAudit key, OptionalLong loopNanos) {
    Limit limit = key.key.limit();
    return loopNanos.isPresent()
        ? terms.expected(rule, limit, key.mostInASlice(), loopNanos.getAsLong())
        : terms.worstCase(rule, limit);
  }

  private TurnedAway turnedAway(boolean onlyInnocents) {
    return keys.values().stream()
        .filter(key -> !onlyInnocents || key.isInnocent())
        .map(key -> key.turnedAway.total())
        .reduce(TurnedAway.NONE, TurnedAway::plus);
  }
}
