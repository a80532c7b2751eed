package io.quotaenforcer.schemas.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.adapt.AdaptStep;
import io.quotaenforcer.core.adapt.AdaptTerms;
import io.quotaenforcer.core.adapt.LoadCondition;
import io.quotaenforcer.core.adapt.LoadQuantity;
import io.quotaenforcer.core.adapt.LoadScope;
import io.quotaenforcer.core.adapt.Lowering;
import io.quotaenforcer.core.adapt.Recovery;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.CountWhen;
import io.quotaenforcer.core.rule.Elastic;
import io.quotaenforcer.core.rule.Entitlements;
import io.quotaenforcer.core.rule.KeyAttribute;
import io.quotaenforcer.core.rule.PenaltyTerms;
import io.quotaenforcer.core.rule.RandomRules;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleKey;
import io.quotaenforcer.schemas.AdaptRecovery;
import io.quotaenforcer.schemas.Algorithm;
import io.quotaenforcer.schemas.AttributeMatch;
import io.quotaenforcer.schemas.Enforcement;
import io.quotaenforcer.schemas.EntitlementTerms;
import io.quotaenforcer.schemas.KeyNetwork;
import io.quotaenforcer.schemas.LimitSpec;
import io.quotaenforcer.schemas.MatchKind;
import io.quotaenforcer.schemas.Mode;
import io.quotaenforcer.schemas.OnUnavailable;
import io.quotaenforcer.schemas.OverLimit;
import io.quotaenforcer.schemas.Plan;
import io.quotaenforcer.schemas.QuotaRule;
import io.quotaenforcer.schemas.RuleOverride;
import io.quotaenforcer.schemas.avro.Shape;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RuleMappingTest {
  private static final LimitSpec LIMIT = limit(Algorithm.SLIDING_WINDOW, 2, 1_000, 0);

  @Test
  void fromRecord_anyRule_isWhatWasWritten() {
    RuleId id = new RuleId("posts", "per-user");
    Seeded.check(
        2_000,
        random -> {
          Rule rule = RandomRules.rule(random, id).withVersion(7, 3);
          QuotaRule record = RuleMapping.toRecord(rule, 123);
          assertThat(RuleMapping.fromRecord(record)).isEqualTo(rule);
          assertThat(record.updatedAtMillis()).isEqualTo(123);
          assertThat(RuleMapping.toRecord(RuleMapping.fromRecord(record), 123)).isEqualTo(record);
        });
  }

  @Test
  void fromRecord_elasticRule_isWhatWasWritten() {
    Rule rule =
        Rule.of(
                new RuleId("posts", "per-user"),
                List.of("user"),
                new SlidingWindow(10, 1_000_000_000))
            .withElastic(new Elastic("all", 30_000))
            .withVersion(7, 3);
    assertThat(RuleMapping.fromRecord(RuleMapping.toRecord(rule, 123))).isEqualTo(rule);
  }

  @Test
  void fromRecord_ruleThatCountsByOutcome_isWhatWasWritten() {
    Rule rule =
        Rule.of(
                new RuleId("logins", "failures"),
                List.of("account"),
                new SlidingWindow(5, 600_000_000_000L))
            .withCount(
                new CountWhen(
                    Map.of("status", new Matcher.Exact("401"), "error", new Matcher.Any())))
            .withVersion(7, 3);
    assertThat(RuleMapping.fromRecord(RuleMapping.toRecord(rule, 123))).isEqualTo(rule);
  }

  @Test
  void fromRecord_ruleWithLimitsByData_isWhatWasWritten() {
    Rule rule =
        Rule.of(new RuleId("test", "plans"), List.of("tenant"), new SlidingWindow(5, 1_000_000_000))
            .withEntitlements(new Entitlements(Map.of("gold", 1_000L, "silver", 100L)))
            .withVersion(7, 3);
    assertThat(RuleMapping.fromRecord(RuleMapping.toRecord(rule, 123))).isEqualTo(rule);
  }

  @Test
  void fromRecord_ruleWithAPenalty_isWhatWasWritten() {
    long second = 1_000_000_000L;
    Rule rule =
        Rule.of(new RuleId("test", "logins"), List.of("user"), new SlidingWindow(5, second))
            .withPenalty(new PenaltyTerms(5, 60 * second, 600 * second, 2, 86_400 * second))
            .withVersion(7, 3);
    assertThat(RuleMapping.fromRecord(RuleMapping.toRecord(rule, 123))).isEqualTo(rule);
  }

  @Test
  void fromRecord_ruleThatFollowsTheLoad_isWhatWasWritten() {
    long second = 1_000_000_000L;
    AdaptTerms terms =
        new AdaptTerms(
            List.of(
                new AdaptStep(
                    LoadCondition.parse("cpu > 81.5%"),
                    5 * second,
                    new Lowering.To(5_000),
                    new Recovery.Even(500, 10 * second)),
                new AdaptStep(
                    new LoadCondition.Below(LoadQuantity.THROUGHPUT, 1.0 / 3),
                    0,
                    new Lowering.By(1_000),
                    Recovery.Growing.DEFAULT),
                new AdaptStep(
                    LoadCondition.parse("queue > 5"),
                    second,
                    Lowering.ToServed.DEFAULT,
                    Recovery.Growing.DEFAULT)),
            500,
            20_000,
            3_000,
            60 * second,
            1);
    Rule rule =
        Rule.of(new RuleId("test", "all"), List.of(), new SlidingWindow(5, second))
            .withAdapt(terms)
            .withVersion(7, 3);
    assertThat(RuleMapping.fromRecord(RuleMapping.toRecord(rule, 123))).isEqualTo(rule);
    Rule byInstance =
        rule.withEnforcement(io.quotaenforcer.core.rule.Enforcement.PER_INSTANCE)
            .withAdapt(terms.withScope(LoadScope.INSTANCE));
    assertThat(RuleMapping.fromRecord(RuleMapping.toRecord(byInstance, 123))).isEqualTo(byInstance);
  }

  private static io.quotaenforcer.schemas.AdaptTerms adapt(
      String quantity, @Nullable Integer to, @Nullable Integer by, long forMillis) {
    return new io.quotaenforcer.schemas.AdaptTerms(
        List.of(
            new io.quotaenforcer.schemas.AdaptStep(
                quantity, true, 0.8, forMillis, to, by, null, new AdaptRecovery(30, 1_000L, 800))),
        1_000,
        10_000,
        10_000,
        30_000L,
        false);
  }

  @Test
  void ruleOfSlots_readsBackAsItWas() {
    Rule rule =
        Rule.of(new RuleId("a", "b"), List.of(), new ConcurrencyLimit(20, 60_000_000_000L))
            .withVersion(2, 1);
    QuotaRule record = RuleMapping.toRecord(rule, 0);
    assertThat(record.limit().maxHoldMillis()).isEqualTo(60_000);
    assertThat(RuleMapping.fromRecord(record)).isEqualTo(rule);
  }

  @Test
  void fromRecord_ruleThatHashes_isWhatWasWritten_andIsNotReadByWhoKnowsNoHashes() {
    Rule rule =
        Rule.of(new RuleId("a", "b"), List.of(), new SlidingWindow(1, 1_000_000_000L))
            .withKey(new RuleKey(List.of(KeyAttribute.of("user"), KeyAttribute.hashed("email"))))
            .withMatch(Map.of("email", new Matcher.Prefix("a")))
            .withVersion(1, 1);

    QuotaRule record = RuleMapping.toRecord(rule, 0);

    assertThat(RuleMapping.fromRecord(record)).isEqualTo(rule);
    assertThat(record.match())
        .extracting(AttributeMatch::kind)
        .containsExactly(MatchKind.PREFIX, MatchKind.HASHED);
  }

  @Test
  void toRecord_partOfAMillisecond_isRefused() {
    Rule rule = Rule.of(new RuleId("a", "b"), List.of(), new SlidingWindow(1, 1_000_000_001L));
    assertThatThrownBy(() -> RuleMapping.toRecord(rule, 0))
        .hasMessage("must be whole milliseconds: periodNanos=1000000001");
  }

  @Test
  void fromRecord_overrideWithoutALimit_keepsTheLimitOfTheRule() {
    QuotaRule record =
        with(
            "overrides",
            List.of(new RuleOverride(Map.of("user", "a"), null, false, List.of(), false)));
    Rule rule = RuleMapping.fromRecord(record);
    assertThat(rule.overrides().all().get(0).limit()).contains(rule.limit());
  }

  @ParameterizedTest(name = "{0} = {1}")
  @MethodSource("invalid")
  void fromRecord_invalidField_isRefusedByName(String field, Object value, String message) {
    assertThatThrownBy(() -> RuleMapping.fromRecord(with(field, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  static Stream<Arguments> invalid() {
    return Stream.of(
        Arguments.of("domain", "a/b", "domain=a/b"),
        Arguments.of("id", "", "id="),
        Arguments.of(
            "elastic",
            new io.quotaenforcer.schemas.Elastic("a b", 20_000),
            "must be the id of a rule: pool=a b"),
        Arguments.of(
            "elastic",
            new io.quotaenforcer.schemas.Elastic("all", 1),
            "must be between 10100 and 1000000: upToBasisPoints=1"),
        Arguments.of("version", 0L, "must be >= 1: version=0"),
        Arguments.of("generation", 0L, "must be between 1 and the version: generation=0"),
        Arguments.of("generation", 8L, "must be between 1 and the version: generation=8"),
        Arguments.of("toleranceBasisPoints", -1, "toleranceBasisPoints=-1"),
        Arguments.of("toleranceBasisPoints", 10_001, "toleranceBasisPoints=10001"),
        Arguments.of("status", 500, "must be one of [429, 503, 403]: status=500"),
        Arguments.of("key", List.of("user", "user"), "key=[user, user]"),
        Arguments.of("enforcement", Enforcement.STRICT, "strict rule: onUnavailable=LOCAL"),
        Arguments.of("limit", limit(Algorithm.SLIDING_WINDOW, -1, 1_000, 0), "limit: must be"),
        Arguments.of(
            "limit", limit(Algorithm.FIXED_WINDOW, 1, 99, 0), "limit: must be between 100"),
        Arguments.of(
            "limit", limit(Algorithm.FIXED_WINDOW, 1, Long.MAX_VALUE, 0), "limit.periodMillis="),
        Arguments.of("limit", limit(Algorithm.FIXED_WINDOW, 1, -1, 0), "limit.periodMillis=-1"),
        Arguments.of(
            "limit",
            limit(Algorithm.FIXED_WINDOW, 1, 1_000, 5),
            "limit: must not be given for FIXED_WINDOW: burst=5"),
        Arguments.of(
            "limit",
            limit(Algorithm.TOKEN_BUCKET, 1, 1_000, 0),
            "limit: must be between 1 and 1000000000000: burst=0"),
        Arguments.of(
            "limit", limit(Algorithm.TOKEN_BUCKET, 1, 1_000, Long.MAX_VALUE), "limit: must be"),
        Arguments.of("match", match(MatchKind.REGEX, "a("), "match.api.value: Unclosed group"),
        Arguments.of(
            "match",
            match(MatchKind.REGEX, "a".repeat(9_999)),
            "at most 200 characters: match.api"),
        Arguments.of("match", match(MatchKind.CIDR, "10.0.0.0"), "match.api.value: must be"),
        Arguments.of(
            "match",
            List.of(match(MatchKind.ANY, "").get(0), match(MatchKind.ANY, "").get(0)),
            "match.attribute=api"),
        Arguments.of(
            "entitlements",
            new EntitlementTerms(List.of(new Plan("gold", -1))),
            "entitlements: must be between 0 and 1000000000000: permits=-1"),
        Arguments.of("adapt", adapt("memory", 5_000, null, 1_000L), "adapt.steps.quantity=memory"),
        Arguments.of(
            "adapt",
            adapt("cpu", 5_000, 1_000, 1_000L),
            "must be exactly one of toBasisPoints, byBasisPoints and served"),
        Arguments.of(
            "adapt", adapt("cpu", null, null, 1_000L), "adapt.steps: must be exactly one of"),
        Arguments.of("adapt", adapt("cpu", 5_000, null, -1L), "must be 0 to a day"),
        Arguments.of("adapt", adapt("cpu", 0, null, 1_000L), "must be between 1 and 10000"),
        Arguments.of(
            "penalty",
            new io.quotaenforcer.schemas.PenaltyTerms(0, 60_000L, 60_000L, 1, 60_000L),
            "penalty: must be between 1 and 1000000: penalty.after=0"),
        Arguments.of(
            "penalty",
            new io.quotaenforcer.schemas.PenaltyTerms(5, 60_000L, Long.MAX_VALUE, 1, 60_000L),
            "penalty.forNanos=9223372036854775807"),
        Arguments.of(
            "countWhen", match(MatchKind.REGEX, "a("), "countWhen.api.value: Unclosed group"),
        Arguments.of(
            "match", match(MatchKind.HASHED, ""), "must be in the key to be HASHED: match=api"),
        Arguments.of("overrides", override(Map.of(), LIMIT, false), "overrides[0].key={}"),
        Arguments.of(
            "overrides", override(Map.of("ip", "a"), LIMIT, false), "override.key={ip=Exact"),
        Arguments.of(
            "overrides", override(Map.of("user", "a"), LIMIT, true), "overrides[0].limit="),
        Arguments.of("overrides", denied(false, LIMIT), "exempt or denied: overrides[0].limit="),
        Arguments.of("overrides", denied(true, null), "exempt: overrides[0].denied=true"),
        Arguments.of(
            "overrides",
            onCondition("user", MatchKind.PREFIX, "b"),
            "different attributes: overrides[0].key=user"),
        Arguments.of(
            "overrides",
            onCondition("ip", MatchKind.ABSENT, ""),
            "overrides[0].conditions: must be a value or a pattern"),
        Arguments.of(
            "overrides",
            onCondition("ip", MatchKind.WILDCARD, "b"),
            "overrides[0].conditions.ip.value: must have a"),
        Arguments.of(
            "keyNetworks",
            List.of(new KeyNetwork("ip", 24, 64)),
            "must be in the key: keyNetworks.attribute=ip"),
        Arguments.of(
            "keyNetworks",
            List.of(new KeyNetwork("user", 24, 64), new KeyNetwork("user", 24, 64)),
            "must be different attributes: keyNetworks.attribute=user"),
        Arguments.of(
            "keyNetworks",
            List.of(new KeyNetwork("user", 0, 64)),
            "keyNetworks.user: must be between 1 and 32: ipv4Prefix=0"),
        Arguments.of(
            "overrides",
            override(Map.of("user", "a"), limit(Algorithm.SLIDING_WINDOW, 1, 2_000, 0), false),
            "override.limit="));
  }

  @Test
  void fromRecord_anyFieldMissing_isRefusedByName() {
    for (Shape.Field field : QuotaRule.TYPE.shape().fields()) {
      if (field.shape() == Shape.Primitive.LONG
          || field.shape() == Shape.Primitive.INT
          || field.shape() instanceof Shape.Union) {
        continue;
      }
      assertThatThrownBy(() -> RuleMapping.fromRecord(with(field.name(), null)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("must be there: " + field.name());
    }
  }

  /** A valid record but for one field. */
  private static QuotaRule with(String field, @Nullable Object value) {
    @Nullable Object[] values = {
      "posts",
      "per-user",
      List.of(),
      List.of("user"),
      LIMIT,
      0,
      Enforcement.BALANCED,
      OverLimit.THROTTLE,
      OnUnavailable.LOCAL,
      Mode.ENFORCE,
      List.of(),
      7L,
      3L,
      0L,
      null,
      List.of(),
      10_000,
      429,
      List.of(),
      null,
      List.of(),
      null,
      null,
      null
    };
    List<String> names = QuotaRule.TYPE.shape().fields().stream().map(Shape.Field::name).toList();
    values[names.indexOf(field)] = value;
    return QuotaRule.TYPE.make(values);
  }

  private static LimitSpec limit(Algorithm algorithm, long permits, long periodMillis, long burst) {
    return new LimitSpec(
        algorithm, permits, periodMillis, burst, null, null, null, 0L, 0, false, 0L);
  }

  private static List<AttributeMatch> match(MatchKind kind, String value) {
    return List.of(new AttributeMatch("api", kind, value));
  }

  private static List<RuleOverride> override(
      Map<String, String> key, LimitSpec limit, boolean exempt) {
    return List.of(new RuleOverride(key, limit, exempt, List.of(), false));
  }

  private static List<RuleOverride> denied(boolean exempt, LimitSpec limit) {
    return List.of(new RuleOverride(Map.of("user", "a"), limit, exempt, List.of(), true));
  }

  private static List<RuleOverride> onCondition(String attribute, MatchKind kind, String value) {
    return List.of(
        new RuleOverride(
            Map.of("user", "a"),
            LIMIT,
            false,
            List.of(new AttributeMatch(attribute, kind, value)),
            false));
  }
}
