package io.quotaenforcer.core.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.AdaptStep;
import io.quotaenforcer.core.adapt.AdaptTerms;
import io.quotaenforcer.core.adapt.LoadCondition;
import io.quotaenforcer.core.adapt.LoadScope;
import io.quotaenforcer.core.adapt.Lowering;
import io.quotaenforcer.core.adapt.Recovery;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is in force of a rule's limits by the load, and which rules cannot follow it. */
class AdaptiveRuleTest {
  private static final long SECOND = 1_000_000_000L;
  private static final RuleId ID = new RuleId("api", "reads");

  private static AdaptTerms terms(int floor, int ceiling, Lowering lowering) {
    return new AdaptTerms(
        List.of(
            new AdaptStep(
                LoadCondition.parse("cpu > 80%"), SECOND, lowering, Recovery.Growing.DEFAULT)),
        floor,
        ceiling,
        ceiling,
        SECOND,
        1);
  }

  private static final AdaptTerms TERMS = terms(1_000, 15_000, new Lowering.To(5_000));
  private static final Limit LIMIT = new FixedWindow(200, 10 * SECOND);

  private static Rule rule(Limit limit) {
    return Rule.of(ID, List.of("user"), limit);
  }

  private static long inForce(Rule rule, int basisPoints) {
    QuotaKey key = QuotaKey.of(ID, List.of("42"));
    return rule.inForce(rule.limitOf(key), basisPoints).permits();
  }

  @Test
  void partOfTheLimit_isInForce_withinFloorAndCeiling() {
    Rule rule = rule(LIMIT).withAdapt(TERMS);
    assertThat(inForce(rule, 10_000)).isEqualTo(200);
    assertThat(inForce(rule, 5_000)).isEqualTo(100);
    assertThat(inForce(rule, 1)).as("the floor").isEqualTo(20);
    assertThat(inForce(rule, 100_000)).as("the ceiling").isEqualTo(300);
  }

  @Test
  void loadOfEachInstance_isForRulesPerInstanceOnly() {
    AdaptTerms own = TERMS.withScope(LoadScope.INSTANCE);
    assertThat(rule(LIMIT).withEnforcement(Enforcement.PER_INSTANCE).withAdapt(own).adapt())
        .contains(own.withNominal(20));
    assertThatThrownBy(() -> rule(LIMIT).withAdapt(own))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("enforcement=BALANCED");
  }

  @Test
  void partIsOfTheLimitWithOverrideAndTolerance() {
    Rule rule =
        rule(LIMIT)
            .withTolerance(1_000)
            .withOverrides(
                List.of(RuleOverride.limited(Map.of("user", "42"), LIMIT.withPermits(1_000))))
            .withAdapt(TERMS);
    assertThat(inForce(rule, 5_000)).isEqualTo(550);
  }

  @Test
  void burst_followsInProportion() {
    Rule rule = rule(new TokenBucket(100, SECOND, 400)).withAdapt(TERMS);
    Limit half = rule.inForce(rule.limit(), 5_000);
    assertThat(half.permits()).isEqualTo(50);
    assertThat(half.capacity()).isEqualTo(200);
  }

  @Test
  void onePermitIsLeft_ofALimitThatHasAny() {
    assertThat(inForce(rule(LIMIT.withPermits(3)).withAdapt(TERMS), 1_000)).isEqualTo(1);
  }

  @Test
  void ruleThatFollowsNoLoad_hasAllOfItsLimit() {
    assertThat(inForce(rule(LIMIT), 1)).isEqualTo(200);
    assertThat(rule(LIMIT).limitsMayDiffer()).isFalse();
    assertThat(rule(LIMIT).withAdapt(TERMS).limitsMayDiffer()).isTrue();
  }

  @Test
  void nominalRate_isThatOfTheLimit_alsoOnceThatIsAnother() {
    Rule rule = rule(LIMIT).withAdapt(TERMS);
    assertThat(rule.adapt().orElseThrow().nominalPerSecond()).isEqualTo(20);
    Rule other = rule.withLimit(LIMIT.withPermits(50));
    assertThat(other.adapt().orElseThrow().nominalPerSecond()).isEqualTo(5);
    assertThat(other.startsNewGenerationAfter(rule)).isFalse();
    assertThat(rule.startsNewGenerationAfter(rule(LIMIT))).isFalse();
  }

  static Stream<Arguments> refused() {
    Rule plain = rule(LIMIT);
    AdaptTerms served = terms(1_000, 10_000, Lowering.ToServed.DEFAULT);
    return Stream.of(
        Arguments.of(
            Rule.of(ID, List.of(), new ConcurrencyLimit(5, SECOND)), TERMS, "permits per period"),
        Arguments.of(rule(LIMIT.withPermits(0)), TERMS, "one at least"),
        Arguments.of(plain.withElastic(new Elastic("all", 20_000)), TERMS, "must not be elastic"),
        Arguments.of(plain.withEntitlements(Entitlements.NO_PLANS), TERMS, "must not be by data"),
        Arguments.of(plain.withOverLimit(OverLimit.Defer.DEFAULTS), TERMS, "must not defer"),
        Arguments.of(plain, served, "must have no key"),
        Arguments.of(rule(LIMIT.withPermits(Limit.MAX_PERMITS)), TERMS, "must be between 0 and"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void ruleThatCannotFollowTheLoad_isRefused(Rule rule, AdaptTerms terms, String why) {
    assertThatThrownBy(() -> rule.withAdapt(terms))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }
}
