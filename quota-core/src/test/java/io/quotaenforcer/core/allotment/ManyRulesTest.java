package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.DemandClass;
import io.quotaenforcer.core.rule.DemandClasses;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A request that counts under more rules than most do. */
class ManyRulesTest {
  private static final int RULES = 9;
  private static final DemandClasses CLASSES =
      new DemandClasses(
          List.of(
              DemandClass.of("users", Map.of()),
              DemandClass.of("jobs", Map.of("job", new Matcher.Any()))));

  /** Rule {@code i} allows each instance {@code 10 * (i + 1)}; each third has classes. */
  private final TestBook client =
      new TestBook(IntStream.range(0, RULES).mapToObj(ManyRulesTest::alone).toArray(Rule[]::new));

  private static Rule alone(int i) {
    Rule rule =
        rule("rule-" + i, new FixedWindow(10L * (i + 1), 10 * SECOND), Enforcement.PER_INSTANCE);
    return i % 3 == 1 ? rule.withClasses(CLASSES) : rule;
  }

  private static List<QuotaKey> keys() {
    return IntStream.range(0, RULES).mapToObj(i -> key("rule-" + i, "42")).toList();
  }

  /** The same request is matched anew, and then known from before. */
  @Test
  void request_isChargedByEachRule_howeverOftenItIsDecided() {
    Request request = new Request(Map.of("user", "42"), 1);
    for (int used = 1; used <= 5; used++) {
      Decision decision = client.book.decide(request, client.now);
      assertThat(decision.admitted()).isTrue();
      assertThat(decision.rules())
          .extracting(RuleDecision::quotaKey)
          .containsExactlyElementsOf(keys());
      assertThat(decision.ruleIds())
          .containsExactlyElementsOf(keys().stream().map(QuotaKey::rule).toList());
      for (int i = 0; i < RULES; i++) {
        assertThat(decision.rules().get(i).remaining()).isEqualTo(10L * (i + 1) - used);
      }
    }
  }

  @Test
  void request_isOfItsClassInEachRule() {
    Request job = new Request(Map.of("user", "42", "job", "nightly"), 1);
    for (int i = 0; i < 3; i++) {
      assertThat(client.book.decide(job, client.now).rules())
          .extracting(RuleDecision::demandClass)
          .containsExactly("", "jobs", "", "", "jobs", "", "", "jobs", "");
    }
    assertThat(client.decide().rules())
        .extracting(RuleDecision::demandClass)
        .containsExactly("", "users", "", "", "users", "", "", "users", "");
  }

  @Test
  void oneRuleHasNoRoom_noneIsCharged() {
    assertThat(client.decide("42", 10).admitted()).isTrue();
    Decision refused = client.decide();
    assertThat(refused.rule().orElseThrow().quotaKey()).isEqualTo(key("rule-0", "42"));
    client.remove(alone(0));
    assertThat(client.decide().rules())
        .extracting(RuleDecision::remaining)
        .containsExactly(9L, 19L, 29L, 39L, 49L, 59L, 69L, 79L);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4, 8})
  void rulesThatArePaid_areNotChargedAgain(int last) {
    Request request = new Request(Map.of("user", "42", "job", "nightly"), 1);
    List<QuotaKey> paid = keys().subList(0, last);
    Decision others = client.book.decideOthers(request, paid, client.now);
    List<QuotaKey> unpaid = new ArrayList<>(keys());
    unpaid.removeAll(paid);
    assertThat(others.rules()).extracting(RuleDecision::quotaKey).containsExactlyElementsOf(unpaid);
    assertThat(others.rules())
        .extracting(RuleDecision::demandClass)
        .containsExactlyElementsOf(
            unpaid.stream().map(key -> keys().indexOf(key) % 3 == 1 ? "jobs" : "").toList());
  }

  @Test
  void rulesThatAreAllPaid_areNone() {
    Request request = new Request(Map.of("user", "42"), 1);
    assertThat(client.book.decideOthers(request, keys(), client.now))
        .isEqualTo(client.book.unmatched())
        .isInstanceOf(Decision.Unmatched.class);
  }

  @Test
  void requestWithoutTheAttribute_isCountedByNone() {
    assertThat(client.book.decide(Request.of("other", "42"), client.now))
        .isInstanceOf(Decision.Unmatched.class);
  }
}
