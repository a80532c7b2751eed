package io.quotaenforcer.core.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.match.CidrBlock;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.standalone.LocalQuotas;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that are made so that a rule might not see them. */
class AwkwardValueTest {
  private static final RuleId ID = new RuleId("d", "r");
  private static final Limit LIMIT = new FixedWindow(2, 60_000_000_000L);
  private static final Rule RULE = Rule.of(ID, List.of("user"), LIMIT);
  private static final String HOSTILE = "((a+)+)+b";

  @ParameterizedTest
  @ValueSource(ints = {0, 1_000, 1_024, 1_025, 2_000, 8_192, 8_193, 100_000, 1_000_000})
  void expression_paddedValue_isLimitedAllTheSame(int padding) {
    Rule rule = RULE.withMatch(Map.of("api", regex("GET /posts(\\?.*)?")));
    assertThat(admitted(rule, "api", "GET /posts?" + "x".repeat(padding))).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void expression_givesUp_countsAsAMatch_inBothModes(Mode mode) {
    Rule rule = RULE.withMode(mode).withMatch(Map.of("api", regex(HOSTILE)));
    RuleSet rules = RuleSet.of(List.of(rule));
    Request request = Request.of("user", "u", "api", "a".repeat(1_000));
    assertThat(rules.match(request)).hasSize(1);
    assertThat(rule.quotaKey(request)).isPresent();
  }

  @Test
  void expression_valueThatDoesNotBeginAsItMust_isNoMatch_howeverLong() {
    Rule rule = RULE.withMatch(Map.of("api", regex("GET /admin/.*")));
    String other = "GET /search?q=" + "x".repeat(100_000);
    assertThat(admitted(rule, "api", other)).isEqualTo(10);
    assertThat(rule.quotaKey(Request.of("user", "u", "api", other))).isEmpty();
  }

  @Test
  void otherConditions_haveNoLength() {
    String path = "/a" + "x".repeat(1_000_000);
    for (Matcher matcher :
        List.of(
            new Matcher.Exact(path),
            Matcher.ofText("/a*"),
            Matcher.ofText("*x"),
            Matcher.ofText("/*x*x"),
            Matcher.ofText("*"))) {
      assertThat(admitted(RULE.withMatch(Map.of("api", matcher)), "api", path)).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 199, 200, 201, 1_024, 1_025, 8_192, 8_193, 100_000})
  void deniedPattern_valueOfAnyLength_isDenied(int length) {
    String value = ("bot-" + "x".repeat(length)).substring(0, Math.max(5, length));
    for (Matcher matcher :
        List.of(
            new Matcher.Exact(value),
            Matcher.ofText("bot-*"),
            Matcher.ofText("*-x*"),
            Matcher.ofText("*x"),
            regex("b.t-x*"))) {
      Rule rule = RULE.withOverrides(List.of(on(matcher, new OverrideEffect.Denied())));
      assertThat(admitted(rule, "user", value)).as(matcher.toString()).isZero();
      assertThat(admitted(rule, "user", "good-" + value))
          .isEqualTo(matcher.matches("good-" + value) ? 0 : 2);
      QuotaKey key = rule.quotaKey(Request.of("user", value)).orElseThrow();
      assertThat(rule.denies(QuotaKey.parse(key.toString()))).isTrue();
    }
  }

  @Test
  void deniedPattern_manyLongValues_areCountedTogether_andApartFromOthers() {
    Rule rule =
        RULE.withOverrides(List.of(on(Matcher.ofText("bot-*"), new OverrideEffect.Denied())));
    QuotaKey one = key(rule, "bot-" + "x".repeat(300));
    assertThat(key(rule, "bot-" + "y".repeat(300))).isEqualTo(one);
    assertThat(key(rule, "z".repeat(300))).isNotEqualTo(key(rule, "y".repeat(300)));
    assertThat(rule.denies(key(rule, "z".repeat(300)))).isFalse();
    // Whoever names the hash itself has another quota key.
    assertThat(rule.denies(key(rule, one.values().get(0)))).isFalse();
  }

  @Test
  void deniedPattern_moreSpecificOverride_goesFirst() {
    String good = "bot-good-" + "x".repeat(300);
    Rule rule =
        RULE.withOverrides(
            List.of(
                on(Matcher.ofText("bot-*"), new OverrideEffect.Denied()),
                on(Matcher.ofText("bot-good-*"), new OverrideEffect.Exempt())));
    // No override but a denial is for a long value, so that its own limit holds.
    assertThat(admitted(rule, "user", good)).isEqualTo(2);
    assertThat(admitted(rule, "user", "bot-good-1")).isEqualTo(10);
  }

  @Test
  void longValue_isMeantByAnOverrideForIt_onBothSides() {
    String vip = "v".repeat(500);
    Limit more = new FixedWindow(7, 60_000_000_000L);
    Rule rule =
        RULE.withOverrides(List.of(on(new Matcher.Exact(vip), new OverrideEffect.Limited(more))));
    assertThat(rule.limitOf(QuotaKey.parse(key(rule, vip).toString()))).isEqualTo(more);
    assertThat(admitted(rule, "user", vip)).isEqualTo(7);
    assertThat(admitted(rule, "user", vip + "v")).isEqualTo(2);
    assertThat(admitted(rule, "user", key(rule, vip).values().get(0))).isEqualTo(2);
  }

  @Test
  void override_expressionGivesUp_isTakenForWhatLetsLessIn() {
    Limit more = new FixedWindow(5, 60_000_000_000L);
    Limit less = new FixedWindow(1, 60_000_000_000L);
    String value = "a".repeat(200);
    assertThat(admitted(hostile(new OverrideEffect.Denied()), "user", value)).isZero();
    assertThat(admitted(hostile(new OverrideEffect.Exempt()), "user", value)).isEqualTo(2);
    assertThat(admitted(hostile(new OverrideEffect.Limited(more)), "user", value)).isEqualTo(2);
    assertThat(admitted(hostile(new OverrideEffect.Limited(less)), "user", value)).isEqualTo(1);
  }

  @Test
  void override_expressionGivesUp_goesNotBeforeAStricterOne() {
    Rule rule =
        RULE.withOverrides(
            List.of(
                on(regex("(.*a){20}b"), new OverrideEffect.Limited(LIMIT)),
                on(regex("bot.*"), new OverrideEffect.Denied()),
                on(Matcher.ofText("bot-good*"), new OverrideEffect.Exempt())));
    assertThat(admitted(rule, "user", "botaaa")).isZero();
    assertThat(admitted(rule, "user", "bot" + "a".repeat(150))).isZero();
    assertThat(admitted(rule, "user", "good" + "a".repeat(150))).isEqualTo(2);
    assertThat(admitted(rule, "user", "bot-good" + "a".repeat(20))).isEqualTo(10);
  }

  @Test
  void lowerLimitByPattern_longValues_haveItTogether_onBothSides() {
    Limit less = new FixedWindow(1, 60_000_000_000L);
    for (Matcher matcher :
        List.of(Matcher.ofText("trial-*"), Matcher.ofText("*-x*"), regex("trial-x*"))) {
      Rule rule = RULE.withOverrides(List.of(on(matcher, new OverrideEffect.Limited(less))));
      QuotaKey one = key(rule, "trial-" + "x".repeat(300));
      assertThat(rule.limitOf(QuotaKey.parse(one.toString()))).as("%s", matcher).isEqualTo(less);
      assertThat(key(rule, "trial-" + "x".repeat(301))).isEqualTo(one);
      assertThat(admitted(rule, "user", "trial-" + "x".repeat(300))).isEqualTo(1);
      assertThat(admitted(rule, "user", "y".repeat(300))).isEqualTo(2);
      // Whoever names the hash itself has another quota key.
      assertThat(rule.limitOf(key(rule, one.values().get(0)))).isEqualTo(LIMIT);
    }
  }

  @Test
  void higherLimitByPattern_longValue_hasTheLimitOfTheRule() {
    Limit more = new FixedWindow(5, 60_000_000_000L);
    Rule rule =
        RULE.withOverrides(List.of(on(Matcher.ofText("vip-*"), new OverrideEffect.Limited(more))));
    assertThat(admitted(rule, "user", "vip-1")).isEqualTo(5);
    assertThat(admitted(rule, "user", "vip-" + "x".repeat(300))).isEqualTo(2);
  }

  @Test
  void lowerLimitByPattern_ofAnotherAttribute_longValuesStayApart() {
    Limit less = new FixedWindow(1, 60_000_000_000L);
    Rule rule =
        Rule.of(ID, List.of("plan", "user"), LIMIT)
            .withOverrides(
                List.of(
                    new RuleOverride(
                        Map.of("plan", Matcher.ofText("trial*")),
                        new OverrideEffect.Limited(less))));
    String plan = "trial-" + "p".repeat(300);
    QuotaKey one = rule.quotaKeyOf(List.of("trial-1", "x".repeat(300)));
    QuotaKey other = rule.quotaKeyOf(List.of("trial-1", "y".repeat(300)));
    assertThat(one).isNotEqualTo(other);
    assertThat(rule.limitOf(one)).isEqualTo(less);
    assertThat(rule.quotaKeyOf(List.of(plan, "x".repeat(300))))
        .isNotEqualTo(rule.quotaKeyOf(List.of(plan, "y".repeat(300))))
        .isEqualTo(rule.quotaKeyOf(List.of(plan + "q", "x".repeat(300))));
  }

  @Test
  void deniedBlock_addressInAnotherSpelling_isDenied() {
    Rule rule =
        RULE.withOverrides(
            List.of(
                on(new Matcher.Cidr(CidrBlock.parse("10.0.0.0/8")), new OverrideEffect.Denied())));
    assertThat(admitted(rule, "user", "10.1.2.3")).isZero();
    assertThat(admitted(rule, "user", "::ffff:10.1.2.3")).isZero();
    assertThat(admitted(rule, "user", "0:0:0:0:0:FFFF:0a01:0203")).isZero();
  }

  private static Rule hostile(OverrideEffect effect) {
    return RULE.withOverrides(List.of(on(regex(HOSTILE), effect)));
  }

  private static QuotaKey key(Rule rule, String user) {
    return rule.quotaKey(Request.of("user", user)).orElseThrow();
  }

  /** How many of ten requests are admitted, by whoever decides, and whatever is known of them. */
  private static int admitted(Rule rule, String attribute, String value) {
    LocalQuotas quotas = new LocalQuotas(RuleSet.of(List.of(rule)));
    List<String> attributes = new ArrayList<>(List.of(attribute, value));
    if (!attribute.equals("user")) {
      attributes.addAll(List.of("user", "u"));
    }
    int admitted = 0;
    for (int i = 0; i < 10; i++) {
      Request request = Request.of(attributes.toArray(new String[0]));
      admitted += quotas.decide(request, i).admitted() ? 1 : 0;
    }
    return admitted;
  }

  private static RuleOverride on(Matcher matcher, OverrideEffect effect) {
    return new RuleOverride(Map.of("user", matcher), effect);
  }

  private static Matcher regex(String expression) {
    return new Matcher.Regex(Pattern.compile(expression));
  }
}
