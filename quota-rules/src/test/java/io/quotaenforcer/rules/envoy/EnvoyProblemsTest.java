package io.quotaenforcer.rules.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.rules.RuleProblem;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every mistake is told with its line and column. */
class EnvoyProblemsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``| 1:1: the file is empty; begin with \"domain: NAME\" and \"descriptors:\"",
        "- 1| 1:1: a configuration must be a mapping with \"domain\" and \"descriptors\", not a"
            + " list",
        "descriptors: []| 1:1: missing \"domain\"; begin with domain: NAME",
        "{domain: '', descriptors: []}| 1:10: domain must not be empty; name one",
        "{domain: d, descriptors: 5}| 1:26: descriptors must be a list such as [{key: user}], not"
            + " \"5\"",
        "{domain: d, rules: []}| 1:13: unknown key \"rules\"; use one of domain, descriptors",
        "{domain: d, descriptors: [x]}| 1:27: a descriptor must be a mapping that begins with key,"
            + " not \"x\"",
      })
  void file_broken_saysWhereAndWhat(String yaml, String problem) {
    assertThat(problems(yaml)).containsExactly(problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "value: x| 3:5: missing \"key\"; name the attribute, such as key: user",
        "key: ''| 3:10: attribute \"\" is no name; use 1 to 100 characters without space around"
            + " them",
        "key: a*| 3:10: key \"a*\" has a \"*\"; only a value may, as attributes are looked up by their"
            + " name",
        "key: a*b| 3:10: key \"a*b\" has a \"*\"; only a value may, as attributes are looked up by"
            + " their name",
        "{key: a, value: b, share_threshold: true}| 3:24: share_threshold goes with a value that has"
            + " a \"*\", as Envoy's service has it; remove it",
        "{key: a, metadata: [b]}| 3:24: metadata must be a mapping, not a list",
        "{key: a, rate_limit: {unit: day, requests_per_unit: 5, unit_multiplier: 0}}| 3:77:"
            + " unit_multiplier must be between 1 and 4294967295, not \"0\"",
        "{key: a, rate_limit: {unit: year, requests_per_unit: 5, unit_multiplier: 2}}| 3:78: 2 times"
            + " a year is longer than 400 days, which is the longest period of a rule; use less",
        "{key: a, descriptors: [{key: b, descriptors: [{key: a}]}]}| 3:51: key \"a\" stands twice in a"
            + " path, but a request has an attribute once; name one of them otherwise, here and at"
            + " the proxy, or remove this",
        "{key: a, valu: b}| 3:14: unknown key \"valu\"; did you mean \"value\"? (one of key, value,"
            + " rate_limit, shadow_mode, descriptors, detailed_metric, value_to_metric,"
            + " share_threshold, quota_mode, metadata)",
        "{key: a, value: [b]}| 3:21: value must be text, not a list",
        "{key: a, shadow_mode: maybe}| 3:27: shadow_mode must be true or false, not \"maybe\"",
        "{key: a, rate_limit: 5}| 3:26: rate_limit must be a mapping such as {unit: day,"
            + " requests_per_unit: 5}, not \"5\"",
        "{key: a, rate_limit: {requests_per_unit: 5}}| 3:26: missing \"unit\"; give one of second,"
            + " minute, hour, day, week, month, year",
        "{key: a, rate_limit: {unit: days, requests_per_unit: 5}}| 3:33: unknown unit \"days\"; did"
            + " you mean \"day\"? (one of second, minute, hour, day, week, month, year)",
        "{key: a, rate_limit: {unit: day, requests_per_unit: 08}}| 3:57: requests_per_unit must be a"
            + " whole number, not \"08\"; Envoy's service takes one that begins with 0 for octal,"
            + " remove the 0",
        "{key: a, rate_limit: {unit: day, requests_per_unit: 0x}}| 3:57: requests_per_unit must be a"
            + " whole number, not \"0x\"; use digits such as 1000 or 1_000",
        "{key: a, rate_limit: {unit: day, requests_per_unit: 1.5}}| 3:57: requests_per_unit must be"
            + " a whole number, not \"1.5\"; use digits such as 1000 or 1_000",
        "{key: a, rate_limit: {unit: day, requests_per_unit: 1:30}}| 3:57: requests_per_unit must be"
            + " a whole number, not \"1:30\"; use digits such as 1000 or 1_000",
        "{key: a, rate_limit: {unit: day, requests_per_unit: '010'}}| 3:57: requests_per_unit must"
            + " be a whole number, not \"010\"; Envoy's service takes none in quotes, remove them",
        "{key: a, rate_limit: {unit: day, requests_per_unit: 0x100000000}}| 3:57: requests_per_unit"
            + " must be between 0 and 4294967295, not \"0x100000000\"",
        "{key: a, rate_limit: {unlimited: true, requests_per_unit: many}}| 3:63: requests_per_unit"
            + " must be a whole number, not \"many\"; use digits such as 1000 or 1_000",
        "{key: a, rate_limit: {unit: day, requests_per_unit: [5]}}| 3:57: requests_per_unit must be a"
            + " whole number; use digits such as 1000 or 1_000",
        "{<<: {key: a}, value: b}| 3:6: merge keys (\"<<\") are not read; write out what it stands"
            + " for",
        "{key: a, rate_limit: {unit: day, requests_per_unit: -5}}| 3:57: requests_per_unit must be"
            + " a whole number, not \"-5\"; use digits such as 1000 or 1_000",
        "{key: a, rate_limit: {unit: day, requests_per_unit: 4294967296}}| 3:57: requests_per_unit"
            + " must be between 0 and 4294967295, not \"4294967296\"",
        "{key: a, rate_limit: {unit: day, unlimited: true}}| 3:33: an unlimited rate_limit has no"
            + " unit; remove one of them",
        "{key: a, rate_limit: {unlimited: true, replaces: x}}| 3:54: replaces must be a list such"
            + " as [{name: other}], not \"x\"",
        "{key: a, rate_limit: {unlimited: true, name: n, replaces: [{name: n}]}}| 3:71: a limit"
            + " replaces others, not \"n\"; name one",
      })
  void descriptor_broken_saysWhereAndWhat(String descriptor, String problem) {
    assertThat(problems("domain: d\ndescriptors:\n  - " + descriptor + "\n"))
        .containsExactly(problem);
  }

  @Test
  void siblings_withTheSameKeyAndValue_areRefused() {
    assertThat(
            problems(
                """
                domain: d
                descriptors:
                  - key: a
                    value: b
                  - key: a_b
                """))
        .containsExactly("5:5: duplicate descriptor \"a_b\"; first given in line 3, keep one");
  }

  @Test
  void severalMistakes_areAllTold_inOrder() {
    assertThat(
            problems(
                """
                domain: d
                descriptors:
                  - key: a
                    rate_limit: {unit: fortnight, requests_per_unit: 1}
                    descriptors:
                      - value: b
                """))
        .extracting(problem -> problem.substring(0, problem.indexOf(": ")))
        .containsExactly("4:24", "6:9");
  }

  @Test
  void moreValuesThanARuleMayHaveOverrides_isRefused() {
    String values =
        IntStream.rangeClosed(1, EnvoyRules.MAX_OVERRIDES + 1)
            .mapToObj(i -> "  - {key: a, value: v" + i + "}\n")
            .collect(Collectors.joining());
    assertThat(
            problems(
                "domain: d\ndescriptors:\n"
                    + "  - {key: a, rate_limit: {unit: day, requests_per_unit: 1}}\n"
                    + values))
        .containsExactly(
            "3:5: more than 10000 values beside this descriptor; a rule has at most as many"
                + " overrides");
  }

  @Test
  void valuesThatAreLeftOut_besideOneCounterForAll_moreThanAnExpressionHolds_areRefused() {
    String values =
        IntStream.range(0, 60)
            .mapToObj(i -> "  - {key: a, value: files/" + i + ", rate_limit: {unlimited: true}}\n")
            .collect(Collectors.joining());
    assertThat(
            problems(
                "domain: d\ndescriptors:\n"
                    + "  - {key: a, value: files/*, share_threshold: true, rate_limit: {unit: day,"
                    + " requests_per_unit: 1}}\n"
                    + values))
        .containsExactly(
            "3:5: \"a=files/*\" cannot leave to 60 other values of \"a\" what is theirs: the"
                + " expression for it has more than 200 characters, and one counter for all values"
                + " has no overrides; use fewer values, or none that need a limit of their own");
  }

  private static List<String> problems(String yaml) {
    return EnvoyRules.parse("x", yaml) instanceof EnvoyRules.Refused refused
        ? refused.problems().stream().map(RuleProblem::toString).map(it -> it.substring(2)).toList()
        : List.of();
  }
}
