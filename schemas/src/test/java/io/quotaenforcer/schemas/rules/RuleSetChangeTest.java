package io.quotaenforcer.schemas.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RuleSetChangeTest {
  private static Rule rule(String id, long version) {
    return Rule.of(
            new RuleId("shop", id), List.of("user"), new FixedWindow(100 + version, 1_000_000_000L))
        .withVersion(version, version);
  }

  private static RuleSet rules(Rule... rules) {
    return RuleSet.of(List.of(rules));
  }

  @Test
  void describe_firstRules_countsThem() {
    assertThat(RuleSetChange.describe(null, RuleSet.empty())).isEqualTo("0 rules in force");
    assertThat(RuleSetChange.describe(null, rules(rule("a", 1)))).isEqualTo("1 rule in force");
  }

  @Test
  void describe_change_namesWhatIsNewChangedAndGone() {
    assertThat(
            RuleSetChange.describe(
                rules(rule("a", 1), rule("b", 1), rule("c", 1)),
                rules(rule("a", 1), rule("b", 2), rule("d", 1))))
        .isEqualTo("3 rules in force: shop/b changed, shop/c gone, shop/d new");
  }

  @Test
  void describe_manyChanges_namesSome() {
    RuleSet many =
        RuleSet.of(IntStream.range(0, 500).mapToObj(each -> rule("r" + each, 1)).toList());

    assertThat(RuleSetChange.describe(RuleSet.empty(), many))
        .startsWith("500 rules in force: shop/r0 new, ")
        .endsWith(" new, and 490 more");
  }
}
