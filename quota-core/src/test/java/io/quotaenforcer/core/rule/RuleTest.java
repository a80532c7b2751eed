package io.quotaenforcer.core.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.match.AddressCut;
import io.quotaenforcer.core.match.Matcher;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RuleTest {
  private static final long SECOND = 1_000_000_000L;
  private static final RuleId ID = new RuleId("posts", "per-user");
  private static final Limit LIMIT = limit(10);
  private static final Rule RULE = Rule.of(ID, List.of("user", "api"), LIMIT);

  @Test
  void quotaKey_everyConditionHolds_hasTheKeyAttributesInOrder() {
    Rule rule = RULE.withMatch(Map.of("api", new Matcher.Prefix("POST ")));
    assertThat(rule.quotaKey(Request.of("api", "POST /a", "user", "42", "ip", "::1")))
        .contains(QuotaKey.of(ID, List.of("42", "POST /a")));
  }

  @Test
  void quotaKey_oneConditionFails_isEmpty() {
    Rule rule =
        RULE.withMatch(Map.of("api", new Matcher.Prefix("POST "), "bot", new Matcher.Absent()));
    assertThat(rule.quotaKey(Request.of("api", "GET /a", "user", "42"))).isEmpty();
    assertThat(rule.quotaKey(Request.of("api", "POST /a", "user", "42", "bot", "1"))).isEmpty();
  }

  @Test
  void quotaKey_keyAttributeIsMissing_isEmpty() {
    assertThat(RULE.quotaKey(Request.of("user", "42"))).isEmpty();
    assertThat(RULE.quotaKey(Request.of("user", "", "api", ""))).isPresent();
  }

  @Test
  void quotaKey_noKey_isOneForEveryRequest() {
    Rule rule = Rule.of(ID, List.of(), LIMIT);
    assertThat(rule.quotaKey(Request.of())).contains(QuotaKey.of(ID, List.of()));
    assertThat(rule.quotaKey(Request.of("user", "1"))).contains(QuotaKey.of(ID, List.of()));
  }

  @Test
  void quotaKey_exempt_isEmpty() {
    Rule rule = withOverrides(RuleOverride.exempt(Map.of("user", "probe")));
    assertThat(rule.quotaKey(Request.of("user", "probe", "api", "x"))).isEmpty();
    assertThat(rule.quotaKey(Request.of("user", "other", "api", "x"))).isPresent();
  }

  @Test
  void limitOf_severalOverrides_takesTheOneWithMostAttributesThenTheFirst() {
    Rule rule =
        withOverrides(
            override(20, Map.of("user", "vip")),
            override(30, Map.of("user", "vip", "api", "a")),
            override(40, Map.of("api", "a")),
            override(50, Map.of("user", "vip")));
    assertThat(permits(rule, "vip", "a")).isEqualTo(30);
    assertThat(permits(rule, "vip", "b")).isEqualTo(20);
    assertThat(permits(rule, "other", "a")).isEqualTo(40);
    assertThat(permits(rule, "other", "b")).isEqualTo(10);
  }

  @Test
  void quotaKey_exemptButANearerOverrideLimits_isCounted() {
    Rule rule =
        withOverrides(
            RuleOverride.exempt(Map.of("user", "probe")),
            override(3, Map.of("user", "probe", "api", "a")));
    assertThat(rule.quotaKey(Request.of("user", "probe", "api", "a"))).isPresent();
    assertThat(rule.quotaKey(Request.of("user", "probe", "api", "b"))).isEmpty();
    assertThat(permits(rule, "probe", "a")).isEqualTo(3);
  }

  @Test
  void limitOf_tolerance_addsItRoundedDown() {
    assertThat(permits(withTolerance(500), "u", "a")).isEqualTo(10);
    assertThat(permits(withTolerance(1_000), "u", "a")).isEqualTo(11);
    assertThat(permits(withTolerance(10_000), "u", "a")).isEqualTo(20);
  }

  @Test
  void startsNewGenerationAfter_whatStateDependsOn_isTrue() {
    assertThat(RULE.withLimit(limit(99)).startsNewGenerationAfter(RULE)).isFalse();
    assertThat(RULE.withMatch(Map.of("a", new Matcher.Any())).startsNewGenerationAfter(RULE))
        .isFalse();
    assertThat(RULE.withLimit(new SlidingWindow(10, 2 * SECOND)).startsNewGenerationAfter(RULE))
        .isTrue();
    assertThat(RULE.withLimit(new FixedWindow(10, SECOND)).startsNewGenerationAfter(RULE)).isTrue();
    assertThat(Rule.of(ID, List.of("api", "user"), LIMIT).startsNewGenerationAfter(RULE)).isTrue();
  }

  @Test
  void startsNewGenerationAfter_otherNetworks_isTrue() {
    Rule byNetwork = RULE.withKey(networks(24));
    assertThat(byNetwork.startsNewGenerationAfter(RULE)).isTrue();
    assertThat(RULE.withKey(networks(16)).startsNewGenerationAfter(byNetwork)).isTrue();
    assertThat(RULE.withKey(networks(24)).startsNewGenerationAfter(byNetwork)).isFalse();
  }

  @Test
  void quotaKey_keyOfNetworks_hasTheNetworkOfTheAddress() {
    Rule rule = RULE.withKey(networks(24));
    assertThat(rule.quotaKey(Request.of("user", "::ffff:203.0.113.7", "api", "a")))
        .contains(QuotaKey.of(ID, List.of("203.0.113.0/24", "a")));
    assertThat(rule.quotaKey(Request.of("user", "nobody", "api", "a")))
        .contains(QuotaKey.of(ID, List.of("nobody", "a")));
  }

  private static RuleKey networks(int ipv4Prefix) {
    return new RuleKey(
        List.of(
            new KeyAttribute("user", Optional.of(new AddressCut(ipv4Prefix, 64))),
            KeyAttribute.of("api")));
  }

  @Test
  void withEnforcement_strict_deniesWhenTheEnforcerIsAway() {
    assertThat(RULE.withEnforcement(Enforcement.STRICT).onUnavailable())
        .isEqualTo(OnUnavailable.DENY);
    assertThat(RULE.withEnforcement(Enforcement.PER_INSTANCE).onUnavailable())
        .isEqualTo(OnUnavailable.LOCAL);
  }

  @Test
  void constructor_whatCannotBeDecided_isRefused() {
    assertThatThrownBy(() -> withTolerance(10_001))
        .hasMessage("must be between 0 and 10000: toleranceBasisPoints=10001");
    assertThatThrownBy(() -> withTolerance(-1))
        .hasMessage("must be between 0 and 10000: toleranceBasisPoints=-1");
    assertThatThrownBy(() -> Rule.of(ID, List.of("a", "a"), LIMIT))
        .hasMessage("must be different attributes: key=[a, a]");
    assertThatThrownBy(() -> withOverrides(override(1, Map.of("ip", "::1"))))
        .hasMessage(
            "must be attributes of the rule's key [user, api]:"
                + " override.key={ip=Exact[value=::1]}");
    RuleOverride bucket = RuleOverride.limited(Map.of("user", "1"), new TokenBucket(1, SECOND, 1));
    Map<String, Matcher> present = Map.of("user", new Matcher.Any());
    assertThatThrownBy(() -> new RuleOverride(present, new OverrideEffect.Exempt()))
        .hasMessage(
            "must be a value or a pattern, for it is always there: override.key={user=Any[]}");
    assertThatThrownBy(() -> withOverrides(bucket))
        .hasMessageStartingWith("must have the algorithm and period of the rule's limit");
    assertThatThrownBy(() -> withTolerance(1).withLimit(limit(1_000_000_000_000L)))
        .hasMessage("must be between 0 and 1000000000000: permits=1000100000000");
  }

  private static long permits(Rule rule, String user, String api) {
    return rule.limitOf(QuotaKey.of(ID, List.of(user, api))).permits();
  }

  private static SlidingWindow limit(long permits) {
    return new SlidingWindow(permits, SECOND);
  }

  private static RuleOverride override(long permits, Map<String, String> key) {
    return RuleOverride.limited(key, limit(permits));
  }

  private static Rule withOverrides(RuleOverride... overrides) {
    return rule(0, List.of(overrides));
  }

  private static Rule withTolerance(int basisPoints) {
    return rule(basisPoints, List.of());
  }

  private static Rule rule(int toleranceBasisPoints, List<RuleOverride> overrides) {
    return Rule.of(ID, List.of("user", "api"), LIMIT)
        .withTolerance(toleranceBasisPoints)
        .withOverrides(overrides);
  }
}
