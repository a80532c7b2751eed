package io.quotaenforcer.core.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.match.AddressCut;
import io.quotaenforcer.core.match.CidrBlock;
import io.quotaenforcer.core.match.Glob;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.OverrideEffect.Denied;
import io.quotaenforcer.core.rule.OverrideEffect.Exempt;
import io.quotaenforcer.core.rule.OverrideEffect.Limited;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OverridesTest {
  private static final RuleId ID = new RuleId("posts", "per-user");
  private static final Limit LIMIT = new SlidingWindow(10, 1_000_000_000L);
  private static final Rule RULE = Rule.of(ID, List.of("user", "ip"), LIMIT);

  @Test
  void effect_severalApply_isThatOfTheMostSpecific() {
    Rule rule =
        rule(
            on("user", Matcher.ofText("v*"), limited(1)),
            on("user", Matcher.ofText("vip*"), limited(2)),
            on("user", Matcher.ofText("v*p*7"), limited(3)),
            on("user", new Matcher.Regex(Pattern.compile("vip.*")), limited(4)),
            on("user", new Matcher.Exact("vip-7"), limited(5)),
            new RuleOverride(
                Map.of("user", Matcher.ofText("v*"), "ip", block("10.0.0.0/8")), limited(6)),
            new RuleOverride(
                Map.of("user", Matcher.ofText("v*"), "ip", block("10.1.0.0/16")), limited(7)),
            new RuleOverride(
                Map.of("user", new Matcher.Exact("vip-7"), "ip", block("0.0.0.0/0")), limited(8)));
    assertThat(permits(rule, "v", "::1")).isEqualTo(1);
    assertThat(permits(rule, "vip-8", "::1")).isEqualTo(2);
    assertThat(permits(rule, "vap-7", "::1")).isEqualTo(3);
    assertThat(permits(rule, "vip-7", "::1")).isEqualTo(5);
    assertThat(permits(rule, "vip-8", "10.2.0.1")).isEqualTo(6);
    assertThat(permits(rule, "vip-8", "10.1.0.1")).isEqualTo(7);
    assertThat(permits(rule, "vip-7", "10.1.0.1")).isEqualTo(8);
    assertThat(permits(rule, "other", "10.1.0.1")).isEqualTo(10);
  }

  @Test
  void effect_equallySpecific_isThatOfTheFirst() {
    Rule rule =
        rule(
            on("user", Matcher.ofText("a*"), limited(1)),
            on("ip", new Matcher.Exact("::1"), limited(2)),
            on("user", new Matcher.Exact("ab"), limited(3)));
    assertThat(permits(rule, "ab", "::1")).isEqualTo(2);
    assertThat(permits(rule, "ab", "::2")).isEqualTo(3);
    assertThat(permits(rule, "ac", "::2")).isEqualTo(1);
  }

  @Test
  void quotaKey_deniedKey_isCounted_andDenied() {
    Rule rule = rule(on("user", Matcher.ofText("bot-*"), new Denied()));
    Request bot = Request.of("user", "bot-1", "ip", "::1");
    assertThat(rule.quotaKey(bot)).hasValueSatisfying(key -> assertThat(rule.denies(key)).isTrue());
    assertThat(rule.denies(QuotaKey.of(ID, List.of("user", "::1")))).isFalse();
    assertThat(rule.limits()).containsExactly(LIMIT);
  }

  @Test
  void effect_valueThatStandsAsItsHash_isNoOverridesOnEitherSide() {
    String value = "b".repeat(QuotaKey.MAX_VALUE_CHARS + 1);
    Rule rule =
        rule(
            on("user", Matcher.ofText("b*"), new Exempt()),
            on("user", Matcher.ofText("sha256:*"), new Exempt()));
    QuotaKey key = rule.quotaKey(Request.of("user", value, "ip", "::1")).orElseThrow();
    assertThat(key.isHashed(0)).isTrue();
    assertThat(key.isHashed(1)).isFalse();
    assertThat(rule.limitOf(QuotaKey.parse(key.toString()))).isEqualTo(LIMIT);
    String alike = key.values().get(0);
    assertThat(rule.quotaKey(Request.of("user", alike, "ip", "::1"))).isEmpty();
  }

  @Test
  void effect_keyOfNetworks_isThatOfTheBlockAroundThem() {
    Rule rule =
        RULE.withKey(
                new RuleKey(List.of(new KeyAttribute("ip", Optional.of(new AddressCut(24, 64))))))
            .withOverrides(
                List.of(
                    on("ip", block("10.0.0.0/8"), new Exempt()),
                    on("ip", block("192.0.2.128/25"), new Exempt()),
                    on("ip", new Matcher.Exact("203.0.113.0/24"), new Denied())));
    assertThat(rule.quotaKey(Request.of("ip", "10.9.9.9"))).isEmpty();
    // The quota key is of all the /24, of which only a half is exempt.
    assertThat(rule.quotaKey(Request.of("ip", "192.0.2.200"))).isPresent();
    QuotaKey denied = rule.quotaKey(Request.of("ip", "203.0.113.9")).orElseThrow();
    assertThat(denied).isEqualTo(QuotaKey.of(ID, List.of("203.0.113.0/24")));
    assertThat(rule.denies(denied)).isTrue();
  }

  @Test
  void effect_anyOverridesAndKeys_isThatAScanFinds_onBothSides() {
    Seeded.check(
        2_000,
        random -> {
          List<RuleOverride> overrides = new ArrayList<>();
          for (int i = random.nextInt(40); i > 0; i--) {
            overrides.add(override(random, i));
          }
          Rule rule = RULE.withOverrides(overrides);
          for (int i = 0; i < 20; i++) {
            QuotaKey key = QuotaKey.of(ID, List.of(text(random), address(random)));
            OverrideEffect expected = scan(overrides, key);
            Request request = Request.of("user", key.values().get(0), "ip", key.values().get(1));
            QuotaKey parsed = QuotaKey.parse(key.toString());
            assertThat(rule.overrides().effect(rule, parsed)).isEqualTo(expected);
            assertThat(rule.quotaKey(request).isEmpty()).isEqualTo(expected instanceof Exempt);
            assertThat(rule.denies(parsed)).isEqualTo(expected instanceof Denied);
            assertThat(rule.limitOf(parsed))
                .isEqualTo(expected instanceof Limited other ? other.limit() : LIMIT);
          }
        });
  }

  private static @Nullable OverrideEffect scan(List<RuleOverride> overrides, QuotaKey key) {
    RuleOverride best = null;
    Map<String, String> values = Map.of("user", key.values().get(0), "ip", key.values().get(1));
    for (RuleOverride override : overrides) {
      boolean applies =
          override.key().entrySet().stream()
              .allMatch(each -> each.getValue().matches(values.get(each.getKey())));
      if (applies
          && (best == null || Specificity.of(override).compareTo(Specificity.of(best)) < 0)) {
        best = override;
      }
    }
    return best == null ? null : best.effect();
  }

  private static RuleOverride override(SplittableRandom random, int permits) {
    Map<String, Matcher> key = new HashMap<>();
    if (random.nextInt(3) > 0) {
      key.put("user", onText(random));
    }
    if (key.isEmpty() || random.nextBoolean()) {
      key.put("ip", onAddress(random));
    }
    return new RuleOverride(
        key, Seeded.oneOf(random, new Exempt(), new Denied(), limited(permits)));
  }

  private static Matcher onText(SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> new Matcher.Prefix(text(random));
      case 1 -> new Matcher.Wildcard(Glob.parse("*" + text(random) + "y"));
      case 2 -> new Matcher.Regex(Pattern.compile(text(random) + "[xy]*"));
      default -> new Matcher.Exact(text(random));
    };
  }

  private static Matcher onAddress(SplittableRandom random) {
    return random.nextBoolean()
        ? new Matcher.Exact(address(random))
        : block("10." + random.nextInt(2) + ".0.0/" + random.nextInt(33));
  }

  private static String address(SplittableRandom random) {
    return "10." + random.nextInt(2) + ".0." + random.nextInt(2);
  }

  private static String text(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(4); i > 0; i--) {
      text.append("xy".charAt(random.nextInt(2)));
    }
    return text.toString();
  }

  private static long permits(Rule rule, String user, String ip) {
    return rule.limitOf(QuotaKey.of(ID, List.of(user, ip))).permits();
  }

  private static OverrideEffect limited(long permits) {
    return new Limited(LIMIT.withPermits(permits));
  }

  private static Matcher block(String text) {
    return new Matcher.Cidr(CidrBlock.parse(text));
  }

  private static RuleOverride on(String attribute, Matcher matcher, OverrideEffect effect) {
    return new RuleOverride(Map.of(attribute, matcher), effect);
  }

  private static Rule rule(RuleOverride... overrides) {
    return RULE.withOverrides(List.of(overrides));
  }
}
