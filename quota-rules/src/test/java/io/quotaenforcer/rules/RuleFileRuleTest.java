package io.quotaenforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages about mistakes in a rule's fields beside its limit. */
class RuleFileRuleTest {

  @ParameterizedTest(name = "{0}")
  @MethodSource("broken")
  void parse_brokenRule_saysWhereAndWhat(String line, List<String> problems) {
    assertThat(RuleFiles.problems(RuleFiles.withLines(line))).containsExactlyElementsOf(problems);
  }

  static Stream<Arguments> broken() {
    return Stream.of(
        broken(
            "tolerence: 5%",
            "6:5: unknown key \"tolerence\"; did you mean \"tolerance\"? (one of id, match, key,"
                + " limit, classes, tolerance, enforcement, elastic, opening, over-limit, deferral,"
                + " limits-from, plans, adapt, count, penalty, on-unavailable, mode, status,"
                + " overrides)"),
        broken("tolerance: 5", "6:16: tolerance must be a percentage, not \"5\"; write \"5%\""),
        broken(
            "tolerance: 1.125%",
            "6:16: tolerance must be a percentage, not \"1.125%\"; use 0% to 100% with at most two"
                + " decimals, such as 5% or 2.25%"),
        broken(
            "tolerance: 100.01%", "6:16: tolerance must be between 0% and 100%, not \"100.01%\""),
        broken(
            "enforcement: strickt",
            "6:18: unknown enforcement \"strickt\"; did you mean \"strict\"? (one of strict,"
                + " balanced, per-instance)"),
        broken(
            "over-limit: deffer",
            "6:17: unknown over-limit \"deffer\"; did you mean \"defer\"? (one of throttle,"
                + " defer)"),
        broken(
            "deferral: {replay-share: 20%}",
            "6:15: deferral is for over-limit: defer only; add that, or remove this"),
        broken(
            "on-unavailable: open",
            "6:21: unknown on-unavailable \"open\"; use one of local, allow, deny"),
        broken(
            "{mode: shadow}",
            "7:1: broken YAML: while scanning a simple key, could not find expected ':'"),
        broken(
            "mode: enforced",
            "6:11: unknown mode \"enforced\"; did you mean \"enforce\"? (one of enforce, shadow)"),
        broken(
            "match: [api]",
            "6:12: match must be a mapping such as {api: \"POST /posts\"}, not a list"),
        broken(
            "match: {api: \"GET **/posts\"}",
            "6:18: \"**\" in \"GET **/posts\" says no more than \"*\", which stands for any"
                + " characters, \"/\" too; write one"),
        broken(
            "match: {api: {regexp: a}}",
            "6:19: unknown key \"regexp\"; did you mean \"regex\"? (one of regex, cidr, absent)"),
        broken(
            "match: {api: {}}",
            "6:18: the condition on \"api\" must have one key, not 0; use one of regex, cidr,"
                + " absent"),
        broken(
            "match: {api: {regex: \"a(b\"}}",
            "6:26: regex \"a(b\" is broken at character 4: Unclosed group; use the syntax of"
                + " java.util.regex"),
        broken(
            "match: {api: {regex: " + "a".repeat(201) + "}}",
            "6:26: regex must have at most 200 characters, not 201; split the rule"),
        broken(
            "match: {ip: {cidr: 10.0.0.0/33}}",
            "6:24: cidr \"10.0.0.0/33\" must have a prefix length of 0 to 32; use a block such as"
                + " 10.0.0.0/8 or 2001:db8::/32"),
        broken(
            "match: {ip: {cidr: example.org}}",
            "6:24: cidr \"example.org\" must be address/prefix-length; use a block such as"
                + " 10.0.0.0/8 or 2001:db8::/32"),
        broken(
            "match: {ip: {absent: false}}",
            "6:26: absent must be true, not \"false\"; to require the attribute write \"*\""),
        broken(
            "match: {user: {absent: true}}",
            "5:11: key attribute \"user\" is matched as absent, so nothing would be counted; remove"
                + " one"),
        broken(
            "match: {\" api\": x}",
            "6:13: attribute \" api\" is no name; use 1 to 100 characters without space around"
                + " them"),
        broken(
            "match: {api: }",
            "6:17: the value of \"api\" must be text, not nothing; give a value, or remove it"),
        broken(
            "match: {api: \"\\ud800\"}",
            "6:18: the value of \"api\" must be Unicode text; it holds half of a surrogate pair"),
        broken("match: {api: [a, b]}", "6:18: the value of \"api\" must be text, not a list"),
        broken(
            "overrides: {user: vip}",
            "6:16: overrides must be a list such as [{key: {user: vip}, ...}], not a mapping"),
        broken(
            "overrides: [vip]",
            "6:17: an override must be a mapping such as {key: {user: vip}, limit: {permits: 50}},"
                + " not \"vip\""),
        broken(
            "overrides: [{key: {usr: vip}, exempt: true}]",
            "6:24: unknown key attribute \"usr\"; did you mean \"user\"? (one of user)"),
        broken(
            "overrides: [{key: {}, exempt: true}]",
            "6:23: key of an override must not be empty; change the rule's limit instead"),
        broken(
            "overrides: [{key: {user: vip}}]",
            "6:17: an override must have one of \"limit\", \"exempt: true\" and \"deny: true\";"
                + " give one"),
        broken(
            "overrides: [{key: {user: vip}, exempt: true, limit: {permits: 1}}]",
            "6:17: an override must have one of \"limit\", \"exempt: true\" and \"deny: true\";"
                + " give one"),
        broken(
            "overrides: [{key: {user: vip}, exempt: no}]",
            "6:44: exempt must be true, not \"no\"; remove the override"),
        broken(
            "overrides: [{exempt: true}]",
            "6:17: missing \"key\"; give the values it is for, such as key: {user: vip}"),
        broken(
            "overrides: [{key: {user: vip}, limit: {permits: 5, per: 1m, algorithm:"
                + " fixed-window}}]",
            "6:61: per of an override must be that of the rule, not 1m; use 1s, or leave it out",
            "6:76: algorithm of an override must be that of the rule, not fixed-window; use"
                + " sliding-window, or leave it out"),
        broken(
            "overrides: [{key: {user: a}, exempt: true}, {key: {user: a}, limit: {permits: 9}}]",
            "6:49: duplicate override of the same key; first given in line 6, keep one"));
  }

  @Test
  void parse_overrideForAValueThatIsTooLongForAQuotaKey_isForItsHash() {
    String value = "x".repeat(201);
    Rule rule =
        RuleFiles.rule(
            RuleFiles.withLines("overrides: [{key: {user: " + value + "}, deny: true}]"));
    assertThat(rule.denies(rule.quotaKeyOf(List.of(value)))).isTrue();
    assertThat(rule.denies(rule.quotaKeyOf(List.of(value + "x")))).isFalse();
  }

  @Test
  void parse_strictButLocal_saysThatStrictDenies() {
    assertThat(
            RuleFiles.problems(RuleFiles.withLines("enforcement: strict", "on-unavailable: local")))
        .containsExactly(
            "7:21: enforcement: strict implies on-unavailable: deny, not local; use deny, or leave"
                + " it out");
  }

  @Test
  void parse_key_isAListOfDifferentAttributes() {
    assertThat(RuleFiles.problems(RuleFiles.withLimit("{permits: 1, per: 1s}\n    key: user")))
        .containsExactly("5:10: key must be a list such as [user], not \"user\"");
    assertThat(RuleFiles.problems(RuleFiles.withLimit("{permits: 1, per: 1s}\n    key: [a, b, a]")))
        .containsExactly("5:17: duplicate key attribute \"a\"; keep one");
  }

  @Test
  void parse_overrideOfARuleWithoutKey_saysWhatIsMissing() {
    assertThat(
            RuleFiles.problems(
                RuleFiles.withLimit(
                    "{permits: 1, per: 1s}\n    overrides: [{key: {user: a}, exempt: true}]")))
        .containsExactly("5:24: the rule has no key to override; add key: [user] to the rule");
  }

  @Test
  void parse_toleranceBeyondTheLargestLimit_isRefused() {
    assertThat(
            RuleFiles.problems(
                RuleFiles.withLimit("{permits: 1000000000000, per: 1s}\n    tolerance: 10%")))
        .containsExactly(
            "5:16: the limit with its tolerance must be between 0 and 1000000000000:"
                + " permits=1100000000000; choose a smaller tolerance");
  }

  @Test
  void parse_duplicateIds_namesTheFirst() {
    String rule = "  - id: a\n    limit: {permits: 1, per: 1s}\n";
    assertThat(RuleFiles.problems("domain: posts\nrules:\n" + rule + rule))
        .containsExactly("5:9: duplicate rule id \"a\"; first given in line 3, choose another");
  }

  @Test
  void parse_severalBrokenRules_reportsAllInOrder() {
    assertThat(
            RuleFiles.problems(
                """
                domain: posts
                rules:
                  - limit: {permits: 1, per: 1s}
                  - id: a/b
                    limit: {permits: 1, per: 1s, algorithm: leaky}
                    mode: off
                  - id: good
                    limit: {permits: 1, per: 1s}
                  - id: none
                """))
        .containsExactly(
            "3:5: missing \"id\"; give the rule a name of its own",
            "4:9: id \"a/b\" has other characters or length; use 1 to 100 of A-Z a-z 0-9 . _ -",
            "5:45: unknown algorithm \"leaky\"; use one of fixed-window, sliding-window,"
                + " sliding-sub-windows, sliding-log, token-bucket, leaky-bucket",
            "6:11: unknown mode \"off\"; use one of enforce, shadow",
            "9:5: missing \"limit\"; give one such as limit: {permits: 2, per: 1s}");
  }

  @Test
  void toString_problem_beginsWithItsPlace() {
    assertThat(RuleFile.parse("a/rules.yaml", "x"))
        .isInstanceOfSatisfying(
            RuleFile.Invalid.class,
            invalid ->
                assertThat(invalid.problems().get(0))
                    .hasToString(
                        "a/rules.yaml:1:1: a rule file must be a mapping with \"domain\" and"
                            + " \"rules\", not \"x\""));
  }

  private static Arguments broken(String line, String... problems) {
    return Arguments.of(line, List.of(problems));
  }
}
