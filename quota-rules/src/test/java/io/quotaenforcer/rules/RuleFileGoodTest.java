package io.quotaenforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.match.AddressCut;
import io.quotaenforcer.core.match.CidrBlock;
import io.quotaenforcer.core.match.Glob;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.Allowance;
import io.quotaenforcer.core.rule.Consequence;
import io.quotaenforcer.core.rule.Edition;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Keeping;
import io.quotaenforcer.core.rule.KeyAttribute;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.OnUnavailable;
import io.quotaenforcer.core.rule.Opening;
import io.quotaenforcer.core.rule.OverLimit;
import io.quotaenforcer.core.rule.OverrideEffect;
import io.quotaenforcer.core.rule.Overrides;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleKey;
import io.quotaenforcer.core.rule.RuleOverride;
import io.quotaenforcer.core.rule.RuleScope;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuleFileGoodTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void parse_deferringRule_readsHowRequestsWait() {
    assertThat(
            RuleFiles.rule(
                    RuleFiles.withLines(
                        "over-limit: defer",
                        "deferral: {replay-share: 12.5%, release: steady, queue-length: 1_000,",
                        "  queue-bytes: 3MiB, unacknowledged: 4, on-delete: dead-letter}"))
                .overLimit())
        .isEqualTo(
            new OverLimit.Defer(
                1_250,
                OverLimit.Release.STEADY,
                1_000,
                3L << 20,
                4,
                OverLimit.OnDelete.DEAD_LETTER));
    assertThat(RuleFiles.rule(RuleFiles.withLines("over-limit: defer")).overLimit())
        .isEqualTo(OverLimit.Defer.DEFAULTS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "replay-share: 0%      | replay-share must be between 0.01% and 100%, not \"0%\"",
        "release: slowly       | unknown release \"slowly\"; use one of as-quota-frees, steady",
        "queue-length: 0       | queue-length must be between 1 and 1125899906842624, not \"0\"",
        "queue-bytes: 64 MB    | queue-bytes \"64 MB\" is no number of bytes up to 1024TiB; use"
            + " digits and KiB, MiB, GiB or TiB, such as 64MiB",
        "queue-bytes: 0        | queue-bytes must be at least 1",
        "unacknowledged: 1e3   | unacknowledged must be a whole number, not \"1e3\"; use digits"
            + " such as 1000 or 1_000",
        "on-delete: drop       | unknown on-delete \"drop\"; use one of release, dead-letter",
      })
  void parse_deferralWithAWrongValue_saysWhat(String field, String problem) {
    assertThat(
            RuleFiles.problems(
                RuleFiles.withLines("over-limit: defer", "deferral: {" + field + "}")))
        .hasSize(1)
        .allMatch(found -> found.endsWith(": " + problem));
  }

  @Test
  void parse_deferralOfEachInstanceAlone_isRefused() {
    assertThat(
            RuleFiles.problems(
                RuleFiles.withLines("enforcement: per-instance", "over-limit: defer")))
        .containsExactly(
            "7:17: over-limit: defer needs a limit for all instances, not enforcement:"
                + " per-instance; use strict or balanced");
  }

  @Test
  void parse_ruleWithEveryField_readsThemAll() {
    assertThat(
            RuleFiles.rule(
                """
                domain: posts                       # namespace and owner
                rules:
                  - id: posts-per-user              # unique in the domain
                    match: {api: "POST /posts"}
                    key: [user]
                    limit: {permits: 2, per: 1s, algorithm: sliding-window}
                    tolerance: 0%
                    enforcement: balanced
                    over-limit: throttle
                    on-unavailable: local
                    mode: enforce
                    overrides: [{key: {user: vip-7}, limit: {permits: 50, per: 1s}}, {key: {user: probe}, exempt: true}]
                """))
        .isEqualTo(
            new Rule(
                new RuleId("posts", "posts-per-user"),
                new RuleScope(Map.of("api", new Matcher.Exact("POST /posts")), RuleKey.of("user")),
                new Allowance(
                    new SlidingWindow(2, SECOND),
                    0,
                    Overrides.of(
                        List.of(
                            RuleOverride.limited(
                                Map.of("user", "vip-7"), new SlidingWindow(50, SECOND)),
                            RuleOverride.exempt(Map.of("user", "probe")))),
                    Optional.empty()),
                new Keeping(Enforcement.BALANCED, Opening.WHOLE, OnUnavailable.LOCAL),
                new Consequence(OverLimit.THROTTLE, Mode.ENFORCE, 429, Optional.empty()),
                Edition.UNPUBLISHED));
  }

  @Test
  void parse_shortestRule_hasEveryDefault() {
    assertThat(RuleFiles.rule(RuleFiles.withLimit("{permits: 300, per: 1m}")))
        .isEqualTo(
            Rule.of(
                new RuleId("posts", "per-user"), List.of(), new SlidingWindow(300, 60 * SECOND)));
  }

  @Test
  void parse_everyCondition_isRead() {
    Rule rule =
        RuleFiles.rule(
            RuleFiles.withLines(
                "match:",
                "  exact: POST /posts",
                "  prefix: POST *",
                "  any: \"*\"",
                "  regex: {regex: '(GET|HEAD) /posts/\\d+'}",
                "  cidr: {cidr: \"2001:db8::/32\"}",
                "  absent: {absent: true}",
                "  empty: \"\"",
                "  number: 007",
                "  truth: true"));
    assertThat(rule.match())
        .containsOnly(
            Map.entry("exact", new Matcher.Exact("POST /posts")),
            Map.entry("prefix", new Matcher.Prefix("POST ")),
            Map.entry("any", new Matcher.Any()),
            Map.entry("regex", new Matcher.Regex(Pattern.compile("(GET|HEAD) /posts/\\d+"))),
            Map.entry("cidr", new Matcher.Cidr(CidrBlock.parse("2001:db8::/32"))),
            Map.entry("absent", new Matcher.Absent()),
            Map.entry("empty", new Matcher.Exact("")),
            Map.entry("number", new Matcher.Exact("007")),
            Map.entry("truth", new Matcher.Exact("true")));
  }

  @Test
  void parse_strict_deniesUnlessSaidOtherwise() {
    assertThat(RuleFiles.rule(RuleFiles.withLines("enforcement: strict")).onUnavailable())
        .isEqualTo(OnUnavailable.DENY);
    assertThat(
            RuleFiles.rule(RuleFiles.withLines("enforcement: strict", "on-unavailable: deny"))
                .onUnavailable())
        .isEqualTo(OnUnavailable.DENY);
    assertThat(RuleFiles.rule(RuleFiles.withLines("enforcement: per-instance")).onUnavailable())
        .isEqualTo(OnUnavailable.LOCAL);
  }

  @Test
  void parse_shadowAndAllow_areRead() {
    Rule rule = RuleFiles.rule(RuleFiles.withLines("mode: shadow", "on-unavailable: allow"));
    assertThat(rule.mode()).isEqualTo(Mode.SHADOW);
    assertThat(rule.onUnavailable()).isEqualTo(OnUnavailable.ALLOW);
  }

  @Test
  void parse_tolerance_isInHundredthsOfAPercent() {
    assertThat(tolerance("5%")).isEqualTo(500);
    assertThat(tolerance("0.5%")).isEqualTo(50);
    assertThat(tolerance("2.25%")).isEqualTo(225);
    assertThat(tolerance("100%")).isEqualTo(10_000);
  }

  @Test
  void parse_overrideOfABucket_hasTheAlgorithmAndPeriodOfTheRule() {
    Rule rule =
        RuleFiles.rule(
            RuleFiles.withLimit(
                """
                {permits: 5, per: 1s, algorithm: token-bucket, burst: 20}
                    key: [user, api]
                    overrides:
                      - {key: {user: a}, limit: {permits: 50}}
                      - {key: {user: a, api: b}, limit: {permits: 50, per: 1000ms, burst: 9, algorithm: token-bucket}}
                """));
    assertThat(rule.overrides().all())
        .containsExactly(
            RuleOverride.limited(Map.of("user", "a"), new TokenBucket(50, SECOND, 50)),
            RuleOverride.limited(Map.of("user", "a", "api", "b"), new TokenBucket(50, SECOND, 9)));
  }

  @Test
  void parse_overridesOfEveryKind_readsThemAll() {
    Rule rule =
        RuleFiles.rule(
            RuleFiles.withLimit(
                """
                {permits: 5, per: 1s}
                    key: [user, {attribute: ip, ipv4-prefix: 24}]
                    overrides:
                      - {key: {user: "bot-*"}, deny: true}
                      - {key: {user: "*-test-*", ip: {cidr: 10.0.0.0/8}}, exempt: true}
                      - {key: {user: {regex: "[0-9]+"}, ip: 203.0.113.0/24}, limit: {permits: 9}}
                """));
    assertThat(rule.key())
        .isEqualTo(
            new RuleKey(
                List.of(
                    KeyAttribute.of("user"),
                    new KeyAttribute("ip", Optional.of(new AddressCut(24, 128))))));
    assertThat(rule.overrides().all())
        .containsExactly(
            new RuleOverride(
                Map.of("user", new Matcher.Prefix("bot-")), new OverrideEffect.Denied()),
            new RuleOverride(
                Map.of(
                    "user",
                    new Matcher.Wildcard(Glob.parse("*-test-*")),
                    "ip",
                    new Matcher.Cidr(CidrBlock.parse("10.0.0.0/8"))),
                new OverrideEffect.Exempt()),
            new RuleOverride(
                Map.of(
                    "user",
                    new Matcher.Regex(Pattern.compile("[0-9]+")),
                    "ip",
                    new Matcher.Exact("203.0.113.0/24")),
                new OverrideEffect.Limited(new SlidingWindow(9, SECOND))));
  }

  @Test
  void parse_noRules_isADomainWithoutRules() {
    assertThat(RuleFile.parse("f", "domain: posts\nrules: []\n"))
        .isEqualTo(new RuleFile.Valid("posts", List.of()));
  }

  @Test
  void parse_json_isYaml() {
    assertThat(
            RuleFiles.rule(
                "{\"domain\": \"posts\", \"rules\": [{\"id\": \"a\", \"limit\": {\"permits\": 1,"
                    + " \"per\": \"1s\"}}]}"))
        .isEqualTo(Rule.of(new RuleId("posts", "a"), List.of(), new SlidingWindow(1, SECOND)));
  }

  private static int tolerance(String text) {
    return RuleFiles.rule(RuleFiles.withLines("tolerance: " + text)).toleranceBasisPoints();
  }
}
