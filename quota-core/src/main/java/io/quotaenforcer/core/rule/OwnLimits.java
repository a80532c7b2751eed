package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.AdaptTerms;
import io.quotaenforcer.core.adapt.LimitInForce;
import io.quotaenforcer.core.adapt.LoadScope;
import io.quotaenforcer.core.adapt.LoadSignal;
import io.quotaenforcer.core.adapt.RuleAdaptation;
import io.quotaenforcer.core.adapt.ServiceLoad;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * What is in force of the limits that follow the load of one instance, as that instance works it
 * out by itself. Immutable.
 *
 * @param byRule of the rules that do, and of no others
 */
public record OwnLimits(Map<RuleId, RuleAdaptation> byRule) {
  /** Before any rule follows it. */
  public static final OwnLimits NONE = new OwnLimits(Map.of());

  public OwnLimits {
    byRule = Map.copyOf(byRule);
  }

  /** Whether a rule's limits follow the load of the instance itself. */
  public static boolean areFollowed(Rule rule) {
    return rule.adapt().filter(terms -> terms.scope() == LoadScope.INSTANCE).isPresent();
  }

  /**
   * About a second later.
   *
   * @param signal of this instance; with nothing in it where nothing was measured
   * @param nowNanos since 1970, by a clock that never runs backwards
   */
  public OwnLimits next(RuleSet rules, LoadSignal signal, long nowNanos) {
    ServiceLoad load =
        signal.equals(LoadSignal.NOTHING) ? ServiceLoad.UNKNOWN : ServiceLoad.of(signal);
    return new OwnLimits(
        rules.declared().stream()
            .filter(OwnLimits::areFollowed)
            .collect(Collectors.toMap(Rule::id, rule -> next(rule, load, nowNanos))));
  }

  private RuleAdaptation next(Rule rule, ServiceLoad load, long nowNanos) {
    AdaptTerms terms = rule.adapt().orElseThrow();
    RuleAdaptation before = byRule.get(rule.id());
    return before == null
        ? RuleAdaptation.begin(terms, OptionalInt.empty(), nowNanos)
        : before.next(terms, load, nowNanos);
  }

  /** What is in force of a rule's limits, in hundredths of a percent. */
  public int basisPoints(RuleId rule) {
    return of(rule).map(LimitInForce::basisPoints).orElse(AdaptTerms.WHOLE);
  }

  /** What is in force of a rule's limits; empty where nothing was worked out. */
  public Optional<LimitInForce> of(RuleId rule) {
    return Optional.ofNullable(byRule.get(rule)).map(RuleAdaptation::inForce);
  }
}
