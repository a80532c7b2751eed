package io.quotaenforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages about files that are no YAML, or not of the outer shape of a rule file. */
class RuleFileYamlTest {

  @ParameterizedTest(name = "{0}")
  @MethodSource("broken")
  void parse_brokenFile_saysWhereAndWhat(String name, String yaml, List<String> problems) {
    assertThat(RuleFiles.problems(yaml)).containsExactlyElementsOf(problems);
  }

  static Stream<Arguments> broken() {
    return Stream.of(
        broken("empty", "", "1:1: the file is empty; begin with \"domain: NAME\" and \"rules:\""),
        broken(
            "only a comment",
            "# rules\n",
            "1:1: the file is empty; begin with \"domain: NAME\" and \"rules:\""),
        broken(
            "a list",
            "- id: a\n",
            "1:1: a rule file must be a mapping with \"domain\" and \"rules\", not a list"),
        broken(
            "a word",
            "rules\n",
            "1:1: a rule file must be a mapping with \"domain\" and \"rules\", not \"rules\""),
        broken(
            "tab",
            "domain: posts\nrules:\n\t- id: a\n",
            "3:1: broken YAML: a tab cannot indent; use spaces"),
        broken(
            "unclosed list",
            "domain: posts\nrules: [\n",
            "3:1: broken YAML: while parsing a flow node, expected the node content, but found"
                + " '<stream end>'"),
        broken(
            "second colon",
            "domain: posts: more\nrules: []\n",
            "1:14: broken YAML: a \":\" is not allowed here; check the indentation, or quote the"
                + " value"),
        broken(
            "bare star",
            "domain: posts\nrules:\n  - match: {api: *}\n",
            "3:19: broken YAML: a \"*\" without quotes begins an alias; quote the value"),
        broken(
            "bare star and text",
            "domain: posts\nrules:\n  - match: {api: *x }\n",
            "3:18: broken YAML: found undefined alias x; quote a value that begins with \"*\""),
        broken(
            "two documents",
            "domain: posts\nrules: []\n---\ndomain: reads\n",
            "3:1: broken YAML: a second document begins here; one file holds one document"),
        broken(
            "control character",
            "domain: posts\nrules: [\u0007]\n",
            "2:9: the character U+0007 is not allowed; escape it in quotes"),
        broken(
            "newer YAML",
            "%YAML 3.0\n---\ndomain: posts\n",
            "1:1: broken YAML: Version{major=3, minor=0}"),
        broken(
            "deep",
            "domain: posts\nrules: " + "[".repeat(100_000),
            "2:27: nested too deeply; at most 20 levels"),
        broken(
            "missing both",
            "{}\n",
            "1:1: missing \"domain\"; begin with domain: NAME",
            "1:1: missing \"rules\"; list the rules, or write rules: [] for none"),
        broken(
            "null values",
            "domain:\nrules:\n",
            "1:8: domain must be text, not nothing; give a value, or remove it",
            "2:7: rules must be a list, [] for none, not nothing"),
        broken(
            "unknown key",
            "domain: posts\nrule: []\n",
            "2:1: unknown key \"rule\"; did you mean \"rules\"? (one of domain, rules)"),
        broken(
            "duplicate key",
            "domain: posts\nrules: []\ndomain: reads\n",
            "3:1: duplicate key \"domain\"; first given in line 1, keep one"),
        broken(
            "keys that are no text",
            "domain: posts\n? [a]\n: 1\nrules: []\n",
            "2:3: a key must be text, not a list"),
        broken(
            "rules are a mapping",
            "domain: posts\nrules:\n  per-user: {}\n",
            "3:3: rules must be a list, [] for none, not a mapping"),
        broken(
            "a rule is a word",
            "domain: posts\nrules:\n  - per-user\n",
            "3:5: a rule must be a mapping that begins with id, not \"per-user\""),
        broken(
            "domain",
            "domain: po sts\nrules: []\n",
            "1:9: domain \"po sts\" has other characters or length; use 1 to 100 of A-Z a-z 0-9 . _"
                + " -"),
        broken(
            "after a byte order mark",
            "\ufeffdomain: ''\nrules: []\n",
            "1:9: domain \"\" has other characters or length; use 1 to 100 of A-Z a-z 0-9 . _ -"));
  }

  @Test
  void parse_byteOrderMark_isTolerated() {
    assertThat(RuleFiles.rules("\ufeffdomain: posts\nrules: []\n")).isEmpty();
  }

  @Test
  void parse_windowsLineEnds_areTolerated() {
    assertThat(RuleFiles.rules("domain: posts\r\nrules: []\r\n")).isEmpty();
    assertThat(RuleFiles.problems("domain: posts\r\nrule: []\r\nrules: []\r\n"))
        .containsExactly(
            "2:1: unknown key \"rule\"; did you mean \"rules\"? (one of domain, rules)");
  }

  @Test
  void parse_aliases_areReadWhereTheyAreUsed() {
    assertThat(
            RuleFiles.rules(
                """
                domain: posts
                rules:
                  - id: a
                    limit: &limit {permits: 2, per: 1s}
                  - id: b
                    limit: *limit
                """))
        .extracting(rule -> rule.limit().permits())
        .containsExactly(2L, 2L);
  }

  @Test
  void parse_aliasBomb_isRefusedWithItsPlace() {
    StringBuilder yaml = new StringBuilder("a0: &a0 [x, x]\n");
    for (int i = 1; i < 200; i++) {
      yaml.append("a").append(i).append(": &a").append(i);
      yaml.append(" [*a").append(i - 1).append(" , *a").append(i - 1).append(" ]\n");
    }
    assertThat(RuleFiles.problems(yaml.toString()))
        .containsExactly("52:12: too many aliases; at most 100 in a file");
  }

  @Test
  void parse_recursiveAlias_ends() {
    assertThat(RuleFiles.problems("domain: posts\nrules: &r [*r ]\n"))
        .containsExactly("2:8: a rule must be a mapping that begins with id, not a list");
  }

  @Test
  void parse_tooLarge_isRefused() {
    assertThat(RuleFiles.problems("#" + "x".repeat(YamlDocument.MAX_CHARS)))
        .containsExactly("1:1: the file is too large; split it, at most 2097152 characters");
  }

  @Test
  void parse_manyProblems_showsTheFirstHundred() {
    assertThat(RuleFiles.problems("domain: posts\nrules:\n" + "  - x\n".repeat(250)))
        .hasSize(101)
        .last()
        .isEqualTo("103:5: and 150 more problems");
  }

  @Test
  void parse_randomText_neverThrows() {
    String characters =
        "domain: rules: id: limit: {[]}\n\n  - -*&!|>'\"%@`#,?:\t\u0000\ufeff\ud800~\u00e4";
    Seeded.check(
        20_000,
        random -> {
          StringBuilder yaml = new StringBuilder(random.nextBoolean() ? "domain: a\nrules:\n" : "");
          for (int i = random.nextInt(60); i > 0; i--) {
            yaml.append(characters.charAt(random.nextInt(characters.length())));
          }
          RuleFile file = RuleFile.parse("f", yaml.toString());
          if (file instanceof RuleFile.Invalid invalid) {
            assertThat(invalid.problems()).isNotEmpty();
            assertThat(invalid.problems())
                .allMatch(problem -> problem.toString().lines().count() == 1);
          }
        });
  }

  private static Arguments broken(String name, String yaml, String... problems) {
    return Arguments.of(name, yaml, List.of(problems));
  }
}
