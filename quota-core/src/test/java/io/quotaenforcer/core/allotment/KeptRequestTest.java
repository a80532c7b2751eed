package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A request that is decided again and again is matched once for each change of the rules. */
class KeptRequestTest {
  private static final int REPEATS = 4;

  private static Rule rule(String id, Mode mode) {
    return Rule.of(new RuleId("d", id), List.of("user"), new FixedWindow(1_000, 10 * SECOND))
        .withMode(mode)
        .withVersion(1, 1);
  }

  private static List<String> rules(TestBook client, Request request) {
    return client.book.decide(request, client.now).rules().stream()
        .map(RuleDecision::quotaKey)
        .map(key -> key.rule().id())
        .toList();
  }

  @Test
  void decide_again_isByTheSameRulesInTheirOrder() {
    Rule[] many =
        IntStream.range(0, 9).mapToObj(i -> rule("r" + (8 - i), Mode.SHADOW)).toArray(Rule[]::new);
    TestBook client = new TestBook(many);
    Request request = Request.of("user", "42");

    for (int i = 0; i < REPEATS; i++) {
      assertThat(rules(client, request))
          .containsExactly("r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8");
    }
  }

  @Test
  void decide_againAfterARuleCame_isByThatToo() {
    TestBook client = new TestBook(rule("b", Mode.SHADOW));
    Request request = Request.of("user", "42");
    for (int i = 0; i < REPEATS; i++) {
      assertThat(rules(client, request)).containsExactly("b");
    }

    client.apply(rule("a", Mode.SHADOW));

    for (int i = 0; i < REPEATS; i++) {
      assertThat(rules(client, request)).containsExactly("a", "b");
    }
  }

  @Test
  void decide_againAfterARuleMatchesNoMore_isUnmatched() {
    TestBook client = new TestBook(rule("b", Mode.SHADOW));
    Request request = Request.of("user", "42");
    for (int i = 0; i < REPEATS; i++) {
      assertThat(rules(client, request)).containsExactly("b");
    }

    client.apply(
        rule("b", Mode.SHADOW)
            .withMatch(Map.of("user", new Matcher.Exact("43")))
            .withVersion(2, 1));

    assertThat(rules(client, request)).isEmpty();
  }

  @Test
  void sameRequest_ofTwoBooks_isDecidedByEachOnItsOwn() {
    TestBook one = new TestBook(rule("one", Mode.SHADOW));
    TestBook other = new TestBook(rule("other", Mode.SHADOW));
    Request request = Request.of("user", "42");

    for (int i = 0; i < REPEATS; i++) {
      assertThat(rules(one, request)).containsExactly("one");
      assertThat(rules(other, request)).containsExactly("other");
    }
  }

  @Test
  void decision_askedLater_tellsTheWindowThatItsPermitCameFrom() {
    TestBook client = new TestBook(TestBook.balanced(new FixedWindow(100, SECOND)));
    var decision = client.book.decide(Request.of("user", "42"), client.now);

    client.passes(5 * SECOND);
    client.reports();

    assertThat(decision.rule().orElseThrow().windowStartNanos()).isEqualTo(TestBook.EPOCH);
    assertThat(decision.rule().orElseThrow().atNanos()).isEqualTo(TestBook.START);
  }
}
