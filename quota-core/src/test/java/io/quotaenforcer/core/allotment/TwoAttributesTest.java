package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A rule that counts by two attributes; each instance has ten permits of a key. */
class TwoAttributesTest {
  private static final Rule RULE =
      Rule.of(
              new RuleId("test", "rule"),
              List.of("user", "region"),
              new FixedWindow(10, 10 * SECOND))
          .withEnforcement(Enforcement.PER_INSTANCE)
          .withVersion(1, 1);

  private final TestBook client = new TestBook(RULE);

  private Decision decide(String user, String region) {
    return client.book.decide(new Request(Map.of("user", user, "region", region), 1), client.now);
  }

  private long remaining(String user, String region) {
    return decide(user, region).rule().map(RuleDecision::remaining).orElseThrow();
  }

  @Test
  void requests_withBothValues_countTogether_andOthersDoNot() {
    assertThat(remaining("42", "eu")).isEqualTo(9);
    assertThat(remaining("42", "eu")).isEqualTo(8);
    assertThat(remaining("42", "us")).isEqualTo(9);
    assertThat(remaining("eu", "42")).isEqualTo(9);
    assertThat(remaining("42", "eu")).isEqualTo(7);
    assertThat(client.book.size()).isEqualTo(3);
  }

  @Test
  void request_withoutOneOfThem_isCountedByNone() {
    Decision decision = client.book.decide(Request.of("user", "42"), client.now);
    assertThat(decision).isInstanceOf(Decision.Unmatched.class);
    assertThat(client.book.size()).isZero();
  }

  @Test
  void valuesThatAreLong_countTogether() {
    String user = "u".repeat(5_000);
    assertThat(remaining(user, "eu")).isEqualTo(9);
    assertThat(remaining(user, "eu")).isEqualTo(8);
    assertThat(remaining(user + "x", "eu")).isEqualTo(9);
  }

  @Test
  void ruleIsOfAnotherGeneration_itsKeysBeginAnew_andGoWithTheRule() {
    assertThat(remaining("42", "eu")).isEqualTo(9);
    client.apply(RULE.withVersion(2, 1));
    assertThat(remaining("42", "eu")).as("counts on").isEqualTo(8);
    client.apply(RULE.withVersion(3, 2));
    assertThat(remaining("42", "eu")).isEqualTo(9);
    client.remove(RULE);
    client.reports();
    assertThat(client.book.size()).isZero();
    assertThat(decide("42", "eu")).isInstanceOf(Decision.Unmatched.class);
  }
}
