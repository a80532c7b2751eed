package io.quotaenforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.rule.Entitlements;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Limits from data in rule files; what is wrong with them is in the command line's tests. */
class RuleFileEntitlementsTest {
  private static final String FROM = "limits-from: entitlements";

  private static Rule rule(String... lines) {
    return RuleFiles.rule(RuleFiles.withLines(lines));
  }

  @Test
  void limitsFrom_withoutPlans_isRead_andWrittenSo() {
    Rule rule = rule(FROM);
    assertThat(rule.entitlements()).hasValue(Entitlements.NO_PLANS);
    assertThat(RuleYaml.file("posts", List.of(rule))).contains(FROM).doesNotContain("plans");
    assertThat(rule("mode: shadow").entitlements()).isEmpty();
  }

  @Test
  void plans_areRead_andWrittenInTheOrderOfTheirNames() {
    Rule rule = rule(FROM, "plans: {silver: {permits: 1_000}, gold: {permits: 0}}");
    assertThat(rule.entitlements())
        .hasValue(new Entitlements(Map.of("gold", 0L, "silver", 1_000L)));
    assertThat(RuleYaml.file("posts", List.of(rule)))
        .contains("plans: {gold: {permits: 0}, silver: {permits: 1000}}");
  }

  @Test
  void plans_ofMoreThanAHundred_areRefused() {
    String plans =
        IntStream.rangeClosed(0, Entitlements.MAX_PLANS)
            .mapToObj(i -> "p%d: {permits: %d}".formatted(i, i))
            .collect(Collectors.joining(", ", "plans: {", "}"));
    assertThat(RuleFiles.problems(RuleFiles.withLines(FROM, plans)))
        .containsExactly(
            "7:12: plans must be at most 100, not 101; give single quota keys their permits"
                + " instead");
  }

  @Test
  void explanation_saysWhatEntitlementsMayBe() {
    assertThat(EntitlementFields.words(new Entitlements(Map.of("gold", 1_000L))))
        .startsWith("an entitlement of its own gives a quota key another number of permits, a plan")
        .contains("a plan: gold (1,000 permits), or exempts it");
  }
}
