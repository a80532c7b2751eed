package io.quotaenforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.RandomRules;
import io.quotaenforcer.core.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RuleYamlTest {

  @Test
  void file_anyRules_readsBackAndIsWrittenTheSameAgain() {
    Seeded.check(
        3_000,
        random -> {
          List<Rule> rules = new ArrayList<>();
          for (int i = random.nextInt(4); i > 0; i--) {
            rules.add(RandomRules.rule(random, new RuleId("do.main", "rule-" + i)));
          }
          String yaml = RuleYaml.file("do.main", rules);
          assertThat(RuleFile.parse("f", yaml))
              .as(yaml)
              .isEqualTo(new RuleFile.Valid("do.main", rules));
          assertThat(RuleYaml.file("do.main", RuleFiles.rules(yaml))).isEqualTo(yaml);
        });
  }

  @Test
  void file_aRule_spellsOutEveryDefault() {
    Rule rule =
        RuleFiles.rule(
            RuleFiles.withLines(
                "match: {ip: {cidr: 10.0.0.0/8}, api: POST *}",
                "overrides: [{key: {user: vip}, limit: {permits: 9}}, {key: {user: null-1}, exempt:"
                    + " true}]"));
    assertThat(RuleYaml.file("posts", List.of(rule)))
        .isEqualTo(
            """
            domain: posts
            rules:
              - id: per-user
                match: {api: "POST *", ip: {cidr: "10.0.0.0/8"}}
                key: [user]
                limit: {permits: 2, per: 1s, algorithm: sliding-window}
                tolerance: 0%
                enforcement: balanced
                over-limit: throttle
                on-unavailable: local
                mode: enforce
                overrides:
                  - {key: {user: vip}, limit: {permits: 9, per: 1s, algorithm: sliding-window}}
                  - {key: {user: null-1}, exempt: true}
            """);
  }

  @Test
  void file_domainAndIdThatLookLikeNumbers_readBack() {
    Rule rule = Rule.of(new RuleId("1.5", "null"), List.of(), new SlidingWindow(1, 1_000_000_000L));
    assertThat(RuleFile.parse("f", RuleYaml.file("1.5", List.of(rule))))
        .isEqualTo(new RuleFile.Valid("1.5", List.of(rule)));
  }

  /** Only a published record can hold these: the rule language has no word for them. */
  @ParameterizedTest
  @ValueSource(strings = {"a*", "*", "a*b", "a\\Eb*"})
  void file_starInAValue_matchesTheSame(String value) {
    Rule exact = rule(new Matcher.Exact(value));
    Matcher read = RuleFiles.rule(RuleYaml.file("d", List.of(exact))).match().get("api");
    assertThat(read.matches(value)).isTrue();
    assertThat(read.matches(value + "x")).isFalse();
    assertThat(read.matches("abc")).isFalse();

    Rule prefix = rule(new Matcher.Prefix(value));
    read = RuleFiles.rule(RuleYaml.file("d", List.of(prefix))).match().get("api");
    assertThat(read.matches(value)).isTrue();
    assertThat(read.matches(value + "\nx")).isTrue();
    assertThat(read.matches("abc")).isFalse();
  }

  private static Rule rule(Matcher matcher) {
    return Rule.of(new RuleId("d", "r"), List.of(), new SlidingWindow(1, 1_000_000_000L))
        .withMatch(Map.of("api", matcher));
  }
}
