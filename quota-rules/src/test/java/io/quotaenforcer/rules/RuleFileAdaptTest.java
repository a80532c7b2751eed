package io.quotaenforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.adapt.AdaptStep;
import io.quotaenforcer.core.adapt.AdaptTerms;
import io.quotaenforcer.core.adapt.LoadCondition;
import io.quotaenforcer.core.adapt.LoadScope;
import io.quotaenforcer.core.adapt.Lowering;
import io.quotaenforcer.core.adapt.Recovery;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits that follow the load in rule files; what is wrong is in the command line's tests. */
class RuleFileAdaptTest {
  private static final long SECOND = 1_000_000_000L;

  private static Rule rule(String... lines) {
    return RuleFiles.rule(RuleFiles.withLines(lines));
  }

  private static AdaptTerms adapt(String adapt) {
    return rule("adapt: " + adapt).adapt().orElseThrow();
  }

  private static String explained(String adapt) {
    return RuleExplainer.of(rule("adapt: " + adapt), 10).lines().stream()
        .filter(line -> line.label().equals("follows load"))
        .map(RuleExplanation.Line::text)
        .collect(Collectors.joining("\n"));
  }

  @Test
  void step_withoutMore_hasTheDefaults() {
    AdaptTerms terms = adapt("{steps: [{when: cpu > 80%, to: 50%}]}");
    assertThat(terms.steps())
        .containsExactly(
            new AdaptStep(
                LoadCondition.parse("cpu > 80%"),
                5 * SECOND,
                new Lowering.To(5_000),
                Recovery.Growing.DEFAULT));
    assertThat(terms.floorBasisPoints()).isEqualTo(1_000);
    assertThat(terms.ceilingBasisPoints()).isEqualTo(10_000);
    assertThat(terms.withoutSignalBasisPoints()).isEqualTo(10_000);
    assertThat(terms.holdNanos()).isEqualTo(30 * SECOND);
  }

  @Test
  void everything_isRead_andWrittenSo() {
    String text =
        "{steps: [{when: \"latency.p99 > 300ms\", for: 10s, by: -10%, recover: \"+5% per 10s\"},"
            + " {when: \"throughput < 2/s\", for: 0, to: 20.5%, recover: \"+1% per 2s up to"
            + " 9%\"}], floor: 5%, ceiling: 150%, without-signal: 40%, hold: 1m}";
    Rule rule = rule("adapt: " + text);
    assertThat(rule.adapt().orElseThrow().steps())
        .extracting(AdaptStep::lowering)
        .containsExactly(new Lowering.By(1_000), new Lowering.To(2_050));
    assertThat(rule.adapt().orElseThrow().steps())
        .extracting(AdaptStep::recovery)
        .containsExactly(
            new Recovery.Even(500, 10 * SECOND), new Recovery.Growing(100, 2 * SECOND, 900));
    assertThat(RuleYaml.file("posts", List.of(rule))).contains("    adapt: " + text + "\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT-1S", "PT-3000000000H", "PT3000000000H", "0", "2h", "PT0.0001S"})
  void recovery_inATimeThatNoLimitCanHave_isRefusedWhereItStands(String every) {
    String recover = "+5% per " + every;
    assertThat(
            RuleFiles.problems(
                RuleFiles.withLines(
                    "adapt: {steps: [{when: cpu > 80%, to: 50%, recover: \"" + recover + "\"}]}")))
        .containsExactly(
            "6:57: recover must be such as \"+5% per 10s\", or \"+0.3% per 1s up to 8%\", of at"
                + " most 100% and an hour, not \""
                + recover
                + "\"");
  }

  @Test
  void served_isForRulesWithoutKey() {
    Rule rule =
        RuleFiles.rules(
                """
                domain: api
                rules:
                  - id: all
                    limit: {permits: 100, per: 1s}
                    adapt: {steps: [{when: queue > 5, to: served}]}
                """)
            .get(0);
    AdaptTerms terms = rule.adapt().orElseThrow();
    assertThat(terms.steps().get(0).lowering()).isEqualTo(Lowering.ToServed.DEFAULT);
    assertThat(terms.nominalPerSecond()).isEqualTo(100);
    assertThat(RuleYaml.file("api", List.of(rule))).contains("to: served");
  }

  @Test
  void loadOfEachInstance_isForRulesPerInstance() {
    String text = "{load: instance, steps: [{when: cpu > 80%, to: 50%}]}";
    Rule rule = rule("enforcement: per-instance", "adapt: " + text);
    assertThat(rule.adapt().orElseThrow().scope()).isEqualTo(LoadScope.INSTANCE);
    assertThat(RuleYaml.file("posts", List.of(rule))).contains("    adapt: {load: instance, steps");
    assertThat(RuleExplainer.of(rule, 10).lines().toString())
        .contains("each instance follows its own");
    assertThat(adapt("{load: service, steps: [{when: cpu > 80%, to: 50%}]}").scope())
        .isEqualTo(LoadScope.SERVICE);
  }

  @Test
  void explanation_saysWhenTheLimitFalls_andHowItComesBack() {
    assertThat(
            explained(
                "{steps: [{when: cpu > 80%, to: 50%, recover: +5% per 10s}], without-signal: 30%}"))
        .isEqualTo(
            "once cpu > 80% has lasted 5s, the limit falls to 50% of it; it comes back by 5% of"
                + " the limit per 10s\n"
                + "at least 10% and at most 100% of the limit are in force; when nobody says what"
                + " the load is, it stays for 30s, and is at most 30% then");
    assertThat(explained("{steps: [{when: errors > 5%, for: 0, by: -10%}]}"))
        .contains("as soon as errors > 5%, the limit falls by 10% of what is in force, and again")
        .contains("it comes back by 0.3% of what is in force per 1s, less near the bound")
        .endsWith("when nobody says what the load is, it stays");
  }
}
