package io.quotaenforcer.core.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
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
import org.junit.jupiter.api.Test;

/**
 * A client has the values of a request, the enforcer has the quota key, in which a long value is a
 * hash: whatever a rule overrides, the enforcer knows all that lets no more in than the rule.
 */
class LongValuesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final RuleId ID = new RuleId("posts", "per-user");
  private static final Limit LIMIT = new FixedWindow(100, SECOND);
  private static final Rule RULE = Rule.of(ID, List.of("user", "api"), LIMIT);
  private static final String LONG = "x".repeat(QuotaKey.MAX_VALUE_CHARS);

  @Test
  void anyOverridesAndValues_whatLetsInNoMore_isKnownByTheKeyAlone() {
    int[] met = new int[4];
    Seeded.check(
        4_000,
        random -> {
          List<RuleOverride> overrides = new ArrayList<>();
          for (int i = random.nextInt(6); i > 0; i--) {
            overrides.add(override(random));
          }
          Rule rule = RULE.withOverrides(overrides);
          for (int i = 0; i < 10; i++) {
            String user = value(random);
            String api = value(random);
            Map<String, String> attributes = Map.of("user", user, "api", api);
            Optional<OverrideEffect> asked = rule.overrideOf(attributes).map(RuleOverride::effect);
            QuotaKey sent = rule.quotaKeyOf(List.of(user, api));
            QuotaKey read = QuotaKey.parse(sent.toString());
            OverrideEffect known = rule.overrides().effect(rule, read);

            if (asked.isEmpty()) {
              assertThat(known).as("%s: %s", overrides, read).isNull();
              met[0]++;
            } else if (asked.get().letsInNoMoreThan(LIMIT)) {
              assertThat(known).as("%s: %s", overrides, read).isEqualTo(asked.get());
              met[asked.get() instanceof Denied ? 1 : 2]++;
            } else {
              boolean shown = !QuotaKey.isTooLong(user) && !QuotaKey.isTooLong(api);
              if (shown) {
                assertThat(known).isEqualTo(asked.get());
              }
              met[3]++;
            }
            assertThat(rule.denies(read)).isEqualTo(rule.denies(sent));
            assertThat(rule.limitOf(read)).isEqualTo(rule.limitOf(sent));
            assertThat(rule.exempts(read)).isEqualTo(rule.exempts(sent));
          }
        });
    for (int each : met) {
      assertThat(each).as("each case is met").isGreaterThan(100);
    }
  }

  /** An exempt request has no key; every other one has the key that its values make. */
  @Test
  void anyRequest_isCountedUnderTheKeyOfItsValues_unlessItIsExempt() {
    Seeded.check(
        4_000,
        random -> {
          Rule rule = RULE.withOverrides(List.of(override(random), override(random)));
          String user = value(random);
          String api = value(random);
          Optional<QuotaKey> counted = rule.quotaKey(Request.of("user", user, "api", api));
          QuotaKey key = rule.quotaKeyOf(List.of(user, api));
          assertThat(counted.isEmpty()).isEqualTo(rule.exempts(key));
          counted.ifPresent(it -> assertThat(it).isEqualTo(key));
        });
  }

  private static RuleOverride override(SplittableRandom random) {
    Map<String, Matcher> key = new HashMap<>();
    key.put(random.nextBoolean() ? "user" : "api", matcher(random));
    if (random.nextInt(3) == 0) {
      key.put("api", matcher(random));
    }
    OverrideEffect effect =
        Seeded.oneOf(
            random,
            new Exempt(),
            new Denied(),
            new Limited(LIMIT.withPermits(1 + random.nextInt(100))),
            new Limited(LIMIT.withPermits(101 + random.nextInt(100))));
    return new RuleOverride(key, effect);
  }

  private static Matcher matcher(SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> new Matcher.Exact(value(random));
      case 1 -> new Matcher.Prefix("x".repeat(random.nextInt(3)));
      case 2 -> new Matcher.Wildcard(Glob.parse("x*" + Seeded.oneOf(random, "y", "z")));
      default -> new Matcher.Regex(Pattern.compile("x+[yz]?"));
    };
  }

  private static String value(SplittableRandom random) {
    String start = Seeded.oneOf(random, "", "x", "xx", "w", LONG, LONG + "x");
    return start + Seeded.oneOf(random, "", "y", "z");
  }
}
