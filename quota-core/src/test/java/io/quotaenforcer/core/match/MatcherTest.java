package io.quotaenforcer.core.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class MatcherTest {

  @Test
  void exact_value_isEqual() {
    Matcher matcher = new Matcher.Exact("POST /posts");
    assertThat(matcher.matches("POST /posts")).isTrue();
    assertThat(matcher.matches("POST /posts/1")).isFalse();
    assertThat(matcher.matches(null)).isFalse();
  }

  @Test
  void prefix_value_beginsWithIt() {
    Matcher matcher = new Matcher.Prefix("POST ");
    assertThat(matcher.matches("POST ")).isTrue();
    assertThat(matcher.matches("POST /posts")).isTrue();
    assertThat(matcher.matches("POST")).isFalse();
    assertThat(matcher.matches(null)).isFalse();
  }

  @Test
  void any_value_isThere() {
    assertThat(new Matcher.Any().matches("")).isTrue();
    assertThat(new Matcher.Any().matches(null)).isFalse();
  }

  @Test
  void absent_value_isNotThere() {
    assertThat(new Matcher.Absent().matches("")).isFalse();
    assertThat(new Matcher.Absent().matches(null)).isTrue();
  }

  @Test
  void cidr_value_isAnAddressInTheBlock() {
    Matcher matcher = new Matcher.Cidr(CidrBlock.parse("10.0.0.0/8"));
    assertThat(matcher.matches("10.1.2.3")).isTrue();
    assertThat(matcher.matches("11.1.2.3")).isFalse();
    assertThat(matcher.matches("localhost")).isFalse();
    assertThat(matcher.matches(null)).isFalse();
  }

  @Test
  void regex_value_matchesAsAWhole() {
    Matcher matcher = regex("(GET|HEAD) /posts/\\d+");
    assertThat(matcher.matches("GET /posts/42")).isTrue();
    assertThat(matcher.matches("GET /posts/42/likes")).isFalse();
    assertThat(matcher.matches(null)).isFalse();
  }

  @Test
  void regex_longestValue_isTried() {
    assertThat(regex("a*").matches("a".repeat(Matcher.Regex.MAX_VALUE_CHARS))).isTrue();
    assertThat(regex("(a|b)*").test("a".repeat(1_000))).isEqualTo(Answer.YES);
    assertThat(regex("(a|b)*").matches("a".repeat(Matcher.Regex.MAX_VALUE_CHARS))).isTrue();
    assertThat(regex("b*").matches("a".repeat(Matcher.Regex.MAX_VALUE_CHARS))).isFalse();
  }

  @Test
  void regex_longerValue_isGivenUp_unlessItBeginsOtherwise() {
    String longer = "a".repeat(Matcher.Regex.MAX_VALUE_CHARS + 1);
    assertThat(regex("b*").test(longer)).isEqualTo(Answer.GIVEN_UP);
    assertThat(regex("aa+b").test(longer)).isEqualTo(Answer.GIVEN_UP);
    assertThat(regex("ab.*").test(longer)).isEqualTo(Answer.NO);
    assertThat(regex("a*").test(null)).isEqualTo(Answer.NO);
  }

  @Test
  void regex_hostileValue_isGivenUpSoon() {
    Matcher matcher = regex("((a+)+)+b");
    long before = System.nanoTime();
    assertThat(matcher.test("a".repeat(1_000))).isEqualTo(Answer.GIVEN_UP);
    assertThat(matcher.matches("a".repeat(1_000))).isTrue();
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void regex_equalExpressions_areEqual() {
    assertThat(regex("a*")).isEqualTo(regex("a*")).hasSameHashCodeAs(regex("a*"));
    assertThat(regex("a*")).isNotEqualTo(regex("a+"));
  }

  private static Matcher regex(String expression) {
    return new Matcher.Regex(Pattern.compile(expression));
  }
}
