package io.quotaenforcer.core.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.match.AddressCut;
import io.quotaenforcer.core.match.CidrBlock;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.OverLimit.Defer;
import io.quotaenforcer.core.rule.OverLimit.OnDelete;
import io.quotaenforcer.core.rule.OverLimit.Release;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The parts that rules are made of, each by itself. */
class RulePartsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final RuleId ID = new RuleId("posts", "per-user");
  private static final Limit LIMIT = new FixedWindow(100, SECOND);
  private static final Rule RULE = Rule.of(ID, List.of("user", "api"), LIMIT);

  static List<Arguments> changes() {
    return List.of(
        change("match", rule -> rule.withMatch(Map.of("a", new Matcher.Any()))),
        change("key", rule -> rule.withKey(RuleKey.of("user"))),
        change("limit", rule -> rule.withLimit(new FixedWindow(7, SECOND))),
        change("tolerance", rule -> rule.withTolerance(500)),
        change("enforcement", rule -> rule.withEnforcement(Enforcement.PER_INSTANCE)),
        change("over limit", rule -> rule.withOverLimit(Defer.DEFAULTS)),
        change("mode", rule -> rule.withMode(Mode.SHADOW)),
        change("opening", rule -> rule.withOpening(Opening.SHARED)),
        change(
            "overrides",
            rule -> rule.withOverrides(List.of(RuleOverride.exempt(Map.of("user", "x"))))),
        change("version", rule -> rule.withVersion(3, 2)));
  }

  private static Arguments change(String what, UnaryOperator<Rule> change) {
    return Arguments.of(what, change);
  }

  /** Each change is of one part: two in either order give the same rule, and the rest stays. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void with_onePart_changesThatPartAlone(String what, UnaryOperator<Rule> change) {
    Rule changed = change.apply(RULE);

    assertThat(changed).isNotEqualTo(RULE);
    assertThat(change.apply(changed)).as("again").isEqualTo(changed);
    assertThat(changed.id()).isEqualTo(ID);
    for (Arguments other : changes()) {
      @SuppressWarnings("unchecked")
      UnaryOperator<Rule> second = (UnaryOperator<Rule>) other.get()[1];
      assertThat(second.apply(change.apply(RULE)))
          .as("%s, then %s", what, other.get()[0])
          .isEqualTo(change.apply(second.apply(RULE)));
    }
  }

  @Test
  void of_rule_hasTheDefaultsOfTheRuleLanguage() {
    assertThat(RULE.match()).isEmpty();
    assertThat(RULE.toleranceBasisPoints()).isZero();
    assertThat(RULE.enforcement()).isEqualTo(Enforcement.BALANCED);
    assertThat(RULE.overLimit().defers()).isFalse();
    assertThat(RULE.onUnavailable()).isEqualTo(OnUnavailable.LOCAL);
    assertThat(RULE.mode()).isEqualTo(Mode.ENFORCE);
    assertThat(RULE.opening()).isEqualTo(Opening.WHOLE);
    assertThat(RULE.overrides().isEmpty()).isTrue();
    assertThat(RULE.version()).isZero();
    assertThat(RULE.generation()).isZero();
  }

  @Test
  void limits_areThatOfTheRuleAndOfEachOverride_withTheTolerance() {
    Rule rule =
        RULE.withTolerance(1_000)
            .withOverrides(
                List.of(
                    RuleOverride.limited(Map.of("user", "vip"), new FixedWindow(500, SECOND)),
                    RuleOverride.exempt(Map.of("user", "probe")),
                    RuleOverride.denied(Map.of("user", "bot"))));

    assertThat(rule.limits())
        .containsExactly(new FixedWindow(110, SECOND), new FixedWindow(550, SECOND));
    assertThat(rule.toleratedOf(key("vip", "a"))).isEqualTo(50);
    assertThat(rule.toleratedOf(key("any", "a"))).isEqualTo(10);
    assertThat(RULE.toleratedOf(key("any", "a"))).isZero();
    assertThat(rule.exempts(key("probe", "a"))).isTrue();
    assertThat(rule.denies(key("bot", "a"))).isTrue();
    assertThat(rule.limitOf(key("bot", "a")))
        .as("what is still reported of it")
        .isEqualTo(new FixedWindow(110, SECOND));
  }

  /** The tolerance of a bucket is a part of its rate, and its burst grows in proportion. */
  @Test
  void toleratedOf_bucket_isWhatItHoldsMore() {
    Rule rule = RULE.withLimit(new TokenBucket(100, SECOND, 20)).withTolerance(5_000);

    assertThat(rule.limitOf(key("any", "a"))).isEqualTo(new TokenBucket(150, SECOND, 30));
    assertThat(rule.toleratedOf(key("any", "a"))).isEqualTo(10);
  }

  @Test
  void overrideOf_request_isTheOneThatHolds_emptyWithoutAKeyAttribute() {
    RuleOverride vip = RuleOverride.limited(Map.of("user", "vip"), new FixedWindow(5, SECOND));
    Rule rule = RULE.withOverrides(List.of(vip));

    assertThat(rule.overrideOf(Map.of("user", "vip", "api", "a"))).contains(vip);
    assertThat(rule.overrideOf(Map.of("user", "other", "api", "a"))).isEmpty();
    assertThat(rule.overrideOf(Map.of("user", "vip"))).as("not matched at all").isEmpty();
  }

  @Test
  void quotaKeyOf_values_areCutAsThoseOfARequest_andMustBeAsManyAsAttributes() {
    Rule rule =
        RULE.withKey(
            new RuleKey(
                List.of(
                    new KeyAttribute("ip", Optional.of(new AddressCut(24, 64))),
                    KeyAttribute.of("api"))));

    assertThat(rule.quotaKeyOf(List.of("203.0.113.7", "a")).values())
        .containsExactly("203.0.113.0/24", "a");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rule.quotaKeyOf(List.of("203.0.113.7")))
        .withMessage("must be the values of [ip, api]: keyValues=[203.0.113.7]");
    assertThatIllegalArgumentException().isThrownBy(() -> rule.quotaKeyOf(List.of("a", "b", "c")));
  }

  @Test
  void key_names_areInOrder_differentAndFew() {
    RuleKey key = RuleKey.of("user", "api");
    assertThat(key.names()).containsExactly("user", "api");
    assertThat(key.size()).isEqualTo(2);
    assertThat(key.indexOf("api")).isEqualTo(1);
    assertThat(key.indexOf("ip")).isEqualTo(-1);
    assertThat(key).isNotEqualTo(RuleKey.of("api", "user")).isEqualTo(RuleKey.of(key.names()));
    assertThat(RuleKey.of().isEmpty()).isTrue();
    assertThat(RuleKey.of(List.of())).isEqualTo(RuleKey.of());
    assertThat(key.parts(Map.of("user", "1"))).isNull();
    assertThat(key.parts(Map.of("user", "1", "api", "a", "ip", "::1"))).containsExactly("1", "a");
    List<String> most = new ArrayList<>();
    for (int i = 0; i < QuotaKey.MAX_VALUES; i++) {
      most.add("a" + i);
    }
    assertThat(RuleKey.of(most).size()).isEqualTo(QuotaKey.MAX_VALUES);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1, 1, 1, must be between 1 and 10000: replayShareBasisPoints=0",
    "10001, 1, 1, 1, must be between 1 and 10000: replayShareBasisPoints=10001",
    "1, 0, 1, 1, must be >= 1: queueLength=0",
    "1, 1, 0, 1, must be >= 1: queueBytes=0",
    "1, 1, 1, 0, must be between 1 and 100000: unacknowledged=0",
    "1, 1, 1, 100001, must be between 1 and 100000: unacknowledged=100001"
  })
  void defer_termOutOfRange_isRefused(
      int share, long length, long bytes, int unacknowledged, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new Defer(
                    share, Release.STEADY, length, bytes, unacknowledged, OnDelete.DEAD_LETTER))
        .withMessage(message);
  }

  @Test
  void defer_termsAtTheEndsOfTheirRanges_areTaken() {
    assertThat(new Defer(1, Release.STEADY, 1, 1, 1, OnDelete.RELEASE).defers()).isTrue();
    assertThat(
            new Defer(
                    10_000,
                    Release.STEADY,
                    Long.MAX_VALUE,
                    Long.MAX_VALUE,
                    Defer.MAX_UNACKNOWLEDGED,
                    OnDelete.RELEASE)
                .defers())
        .isTrue();
    assertThat(OverLimit.THROTTLE.defers()).isFalse();
  }

  @Test
  void effect_letsInNoMore_ifNeitherRateNorBurstIsLarger() {
    Limit rule = new TokenBucket(10, SECOND, 20);

    assertThat(limited(10, 20).letsInNoMoreThan(rule)).isTrue();
    assertThat(limited(9, 19).letsInNoMoreThan(rule)).isTrue();
    assertThat(limited(11, 20).letsInNoMoreThan(rule)).isFalse();
    assertThat(limited(10, 21).letsInNoMoreThan(rule)).isFalse();
    assertThat(new OverrideEffect.Denied().letsInNoMoreThan(rule)).isTrue();
    assertThat(new OverrideEffect.Exempt().letsInNoMoreThan(rule)).isFalse();
  }

  private static OverrideEffect limited(long permits, long burst) {
    return new OverrideEffect.Limited(new TokenBucket(permits, SECOND, burst));
  }

  @Test
  void specificity_moreAttributes_thenExactOnes_thenLonger_comesFirst() {
    List<RuleOverride> mostFirst =
        List.of(
            on("a", Matcher.ofText("x*"), "b", Matcher.ofText("*y")),
            on("a", new Matcher.Exact("x")),
            on("a", new Matcher.Cidr(CidrBlock.parse("10.0.0.0/8"))),
            on("a", Matcher.ofText("x*yz*z")),
            on("a", Matcher.ofText("xy*")),
            on("a", Matcher.ofText("x*")),
            on("a", new Matcher.Regex(Pattern.compile("a very long expression"))));
    for (int seed = 0; seed < 50; seed++) {
      List<RuleOverride> shuffled = new ArrayList<>(mostFirst);
      Collections.shuffle(shuffled, new Random(seed));
      shuffled.sort((one, other) -> Specificity.of(one).compareTo(Specificity.of(other)));
      assertThat(shuffled).as("seed %d", seed).isEqualTo(mostFirst);
    }
  }

  private static RuleOverride on(Object... attributesAndMatchers) {
    Map<String, Matcher> key = new HashMap<>();
    for (int i = 0; i < attributesAndMatchers.length; i += 2) {
      key.put((String) attributesAndMatchers[i], (Matcher) attributesAndMatchers[i + 1]);
    }
    return new RuleOverride(key, new OverrideEffect.Exempt());
  }

  @Test
  void unsureMatches_areCountedUntilTheyAreTaken() {
    UnsureMatches unsure = new UnsureMatches();
    RuleId other = new RuleId("d", "other");
    assertThat(unsure.isEmpty()).isTrue();
    assertThat(unsure.take()).isEmpty();

    unsure.add(ID, "path");
    unsure.add(ID, "path");
    unsure.add(ID, "host");
    unsure.add(other, "path");

    assertThat(unsure.isEmpty()).isFalse();
    assertThat(unsure.take())
        .isEqualTo(
            Map.of(
                new GivenUp(ID, "path"), 2L,
                new GivenUp(ID, "host"), 1L,
                new GivenUp(other, "path"), 1L));
    assertThat(unsure.isEmpty()).isTrue();
    unsure.add(ID, "path");
    assertThat(unsure.take()).isEqualTo(Map.of(new GivenUp(ID, "path"), 1L));
  }

  /** For every rule that a file can hold, its terms for a key do not depend on who asks. */
  @Test
  void anyRule_exemptDeniedOrLimited_isOneOfThem() {
    Seeded.check(
        2_000,
        random -> {
          Rule rule = RandomRules.rule(random, ID);
          List<String> values = new ArrayList<>();
          for (String name : rule.key().names()) {
            values.add(name + random.nextInt(3));
          }
          QuotaKey key = rule.quotaKeyOf(values);
          assertThat(rule.exempts(key) && rule.denies(key)).isFalse();
          assertThat(rule.limits()).contains(rule.limitOf(key));
          assertThat(rule.toleratedOf(key)).isBetween(0L, rule.limitOf(key).capacity());
          assertThat(rule.withVersion(rule.version(), rule.generation())).isEqualTo(rule);
          assertThat(rule.startsNewGenerationAfter(rule.withVersion(9, 9))).isFalse();
        });
  }

  private static QuotaKey key(String user, String api) {
    return QuotaKey.of(ID, List.of(user, api));
  }
}
