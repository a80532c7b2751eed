package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.trace.TraceCheck;
import io.quotaenforcer.lab.trace.TraceCheck.RuleFigures;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Promises that any test's trace keeps for each of its rules, whatever went wrong meanwhile:
 * something was admitted, nothing was granted over the limit, no instance opened too much, and no
 * label hides anything.
 *
 * @param slack granted permits that a check by borders of true time may show as too many
 * @param opened permits that a service may have opened in another period by its stamps than by its
 *     time from the enforcer
 * @param more permits beyond a balanced rule's bound that the test's faults explain
 */
record TracePromises(
    List<Rule> rules,
    ToLongFunction<Rule> slack,
    ToLongFunction<Rule> opened,
    ToLongFunction<Rule> more) {

  /** Without any slack. */
  static TracePromises of(List<Rule> rules) {
    return new TracePromises(rules, rule -> 0, rule -> 0, rule -> 0);
  }

  TracePromises withSlack(ToLongFunction<Rule> newer) {
    return new TracePromises(rules, newer, opened, more);
  }

  TracePromises withMore(ToLongFunction<Rule> newer) {
    return new TracePromises(rules, slack, opened, newer);
  }

  TracePromises withOpened(ToLongFunction<Rule> newer) {
    return new TracePromises(rules, slack, newer, more);
  }

  void assertKept(TraceCheck.Result result) {
    assertThat(result.perRule())
        .extracting(RuleFigures::rule)
        .containsExactlyElementsOf(rules.stream().map(rule -> rule.id().toString()).toList());
    for (int i = 0; i < rules.size(); i++) {
      assertKept(rules.get(i), result.perRule().get(i));
    }
  }

  private void assertKept(Rule rule, RuleFigures figures) {
    long granted = slack.applyAsLong(rule);
    boolean strict = rule.enforcement() == Enforcement.STRICT;
    long over = strict ? granted : figures.bound() + more.applyAsLong(rule);
    assertThat(figures.admitted()).as("admitted: %s", figures).isPositive();
    assertThat(figures.grantedOver()).as("granted: %s", figures).isLessThanOrEqualTo(granted);
    assertThat(figures.worstOver()).as("over: %s", figures).isLessThanOrEqualTo(over);
    assertThat(figures.mostOpened())
        .as("opened: %s", figures)
        .isLessThanOrEqualTo(figures.openingAllowed() + (strict ? 0 : opened.applyAsLong(rule)));
    assertThat(figures.mislabelled()).as("mislabelled: %s", figures).isZero();
  }

  /** All that was admitted, and nothing else, is counted. */
  static void assertCounted(TraceCheck.Result result, List<Long> counted) {
    assertThat(counted)
        .as("%s", result.perRule())
        .isEqualTo(result.perRule().stream().map(RuleFigures::admittedPermits).toList());
  }
}
