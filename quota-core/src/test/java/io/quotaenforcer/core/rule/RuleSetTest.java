package io.quotaenforcer.core.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RuleSetTest {
  private static final Rule A = rule("a", "api");
  private static final Rule B = rule("b", "user");

  @Test
  void match_request_givesMatchingRulesInOrder() {
    RuleSet rules = RuleSet.of(List.of(B, A, rule("c", "ip")));
    assertThat(rules.match(Request.of("user", "1", "api", "x")))
        .extracting(match -> match.rule().id().id(), match -> match.quotaKey().toString())
        .containsExactly(tuple("a", "d/a/x"), tuple("b", "d/b/1"));
  }

  @Test
  void match_noRule_isEmpty() {
    assertThat(RuleSet.empty().match(Request.of("user", "1"))).isEmpty();
    assertThat(RuleSet.of(List.of(A)).match(Request.of("user", "1"))).isEmpty();
  }

  @Test
  void with_changedRule_replacesItInTheNewSetOnly() {
    RuleSet before = RuleSet.of(List.of(A, B));
    Rule changed = A.withMatch(Map.of("user", new Matcher.Any()));
    RuleSet after = before.with(changed);
    assertThat(before.rule(A.id())).contains(A);
    assertThat(after.rule(A.id())).contains(changed);
    assertThat(after.rules()).containsExactly(changed, B);
  }

  @Test
  void without_rule_removesItFromTheNewSetOnly() {
    RuleSet before = RuleSet.of(List.of(A, B));
    assertThat(before.without(A.id()).rules()).containsExactly(B);
    assertThat(before.rules()).containsExactly(A, B);
    assertThat(RuleSet.empty().without(A.id()).rules()).isEmpty();
  }

  @Test
  void withEnforcement_everyRule_isThatAndNothingElseChanges() {
    RuleSet strict = RuleSet.of(List.of(A, B)).withEnforcement(Enforcement.STRICT);
    assertThat(strict.rules())
        .containsExactly(
            A.withEnforcement(Enforcement.STRICT), B.withEnforcement(Enforcement.STRICT));
  }

  private static Rule rule(String id, String key) {
    return Rule.of(new RuleId("d", id), List.of(key), new SlidingWindow(1, 1_000_000_000L));
  }
}
