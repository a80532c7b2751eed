package io.quotaenforcer.core.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.match.Matcher;
import java.util.ArrayList;
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

  @Test
  void match_anyRulesAndRequest_areThoseAScanFinds_inOrder() {
    Seeded.check(
        1_000,
        random -> {
          List<Rule> rules = new ArrayList<>();
          for (int i = random.nextInt(60); i > 0; i--) {
            rules.add(RandomRules.rule(random, new RuleId("d" + random.nextInt(3), "r" + i)));
          }
          RuleSet set = RuleSet.of(rules);
          for (int i = 0; i < 10; i++) {
            Request request = RandomRules.request(random, rules);
            List<RuleSet.Match> scanned = new ArrayList<>();
            for (Rule rule : set.rules()) {
              rule.quotaKey(request).ifPresent(key -> scanned.add(new RuleSet.Match(rule, key)));
            }
            assertThat(set.match(request)).isEqualTo(scanned);
          }
        });
  }

  @Test
  void with_manyRulesOneByOne_areAllThere() {
    RuleSet rules = RuleSet.empty();
    for (int i = 0; i < 50_000; i++) {
      rules = rules.with(rule("r" + i, "user"));
      if (i % 2 == 1) {
        rules = rules.without(new RuleId("d", "r" + i));
      }
    }
    assertThat(rules.rules()).hasSize(25_000);
    assertThat(rules.rule(new RuleId("d", "r4242"))).isPresent();
    assertThat(rules.rule(new RuleId("d", "r4243"))).isEmpty();
  }

  private static Rule rule(String id, String key) {
    return Rule.of(new RuleId("d", id), List.of(key), new SlidingWindow(1, 1_000_000_000L));
  }
}
