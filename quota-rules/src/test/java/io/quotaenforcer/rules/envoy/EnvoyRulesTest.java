package io.quotaenforcer.rules.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.rules.RuleFile;
import io.quotaenforcer.rules.RuleProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Configurations beside the rule files that they become; {@code -Ddocs.write} writes those. */
class EnvoyRulesTest {
  private static final Path SAMPLES = Path.of("src/test/resources/envoy");

  static List<String> samples() throws IOException {
    try (Stream<Path> files = Files.list(SAMPLES)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.endsWith(".yaml") && !file.endsWith(".rules.yaml"))
          .map(file -> file.substring(0, file.length() - ".yaml".length()))
          .sorted()
          .toList();
    }
  }

  @Test
  void samples_areThere() throws IOException {
    assertThat(samples()).hasSizeGreaterThanOrEqualTo(12);
  }

  @ParameterizedTest
  @MethodSource("samples")
  void sample_isTheRuleFileBesideIt_withItsWarnings(String name) throws IOException {
    EnvoyRules.Imported imported = imported(name);
    String warnings =
        imported.warnings().stream()
            .map(RuleProblem::toString)
            .collect(Collectors.joining("\n", "", "\n"))
            .stripLeading();
    Path rules = SAMPLES.resolve(name + ".rules.yaml");
    Path said = SAMPLES.resolve(name + ".warnings.txt");
    if (System.getProperty("docs.write") != null) {
      Files.writeString(rules, yaml(imported));
      Files.writeString(said, warnings);
      return;
    }
    assertThat(yaml(imported)).isEqualTo(Files.readString(rules));
    assertThat(warnings).isEqualTo(Files.readString(said));
  }

  @ParameterizedTest
  @MethodSource("samples")
  void sample_isAValidRuleFile(String name) throws IOException {
    assertThat(RuleFile.parse("rules.yaml", yaml(imported(name))))
        .isInstanceOf(RuleFile.Valid.class);
  }

  @Test
  void worked_fiveMarketingMessagesADay() throws IOException {
    assertThat(yaml(imported("one-value")))
        .endsWith(
            """
            domain: messaging
            rules:
              # line 3: message_type=marketing
              - id: message_type_marketing
                match: {message_type: marketing}
                limit: {permits: 5, per: 1d, algorithm: fixed-window}
            """);
  }

  @Test
  void wildcards_firstThatFitsGoesFirst_valuesBeforeThem() throws IOException {
    assertThat(holds("wildcard", "path", "/api/admin/x")).containsExactly("5 /api/admin/x");
    assertThat(holds("wildcard", "path", "/api/x")).containsExactly("20 /api/x");
    assertThat(holds("wildcard", "path", "/api/health")).containsExactly("600");
    assertThat(holds("wildcard", "path", "/other")).containsExactly("100 /other");
    assertThat(holds("wildcard", "path", "/files.d/x")).containsExactly("1000");
    assertThat(holds("wildcard", "path", "/filesxd/x")).containsExactly("100 /filesxd/x");
  }

  @Test
  void values_goBeforeTheKeyAlone() throws IOException {
    String key = "remote_address";
    assertThat(holds("value-before-key", key, "50.0.0.1")).containsExactly("10 50.0.0.1");
    assertThat(holds("value-before-key", key, "50.0.0.5")).containsExactly("0 50.0.0.5");
    assertThat(holds("value-before-key", key, "50.0.0.6")).isEmpty();
    assertThat(holds("value-before-key", key, "50.0.0.7")).isEmpty();
    assertThat(holds("value-before-key", key, "50.0.0.8")).containsExactly("9");
  }

  @Test
  void depth_isThatOfTheRequest() throws IOException {
    assertThat(holds("depth", "key", "value")).containsExactly("300");
    assertThat(holds("depth", "key", "value", "subkey", "x")).containsExactly("30 x");
  }

  @Test
  void replaced_givesWay() throws IOException {
    assertThat(holds("replaces-expressible", "user", "1")).containsExactly("60 1");
    assertThat(holds("replaces-expressible", "user", "1", "batch", "b")).containsExactly("7 b");
    assertThat(holds("replaces-expressible", "user", "vip", "api", "read")).isEmpty();
  }

  @Test
  void patterns_moreThanAnExpressionHolds_areLeftOutByOverrides() {
    String patterns =
        IntStream.range(0, 40)
            .mapToObj(
                i ->
                    "  - {key: a, value: 'prefix%d-*', rate_limit: {unlimited: true}}\n"
                        .formatted(i))
            .collect(Collectors.joining());
    String values =
        "  - {key: a, value: prefix7-x, rate_limit: {unit: day, requests_per_unit: 3}}\n";
    String rest =
        """
          - {key: a, rate_limit: {unit: day, requests_per_unit: 5}, descriptors: [
              {key: b, rate_limit: {unit: day, requests_per_unit: 2}}]}
        """;
    EnvoyRules.Imported imported =
        (EnvoyRules.Imported)
            EnvoyRules.parse("x", "domain: d\ndescriptors:\n" + patterns + values + rest);

    assertThat(holds(imported, "a", "prefix7-y")).isEmpty();
    assertThat(holds(imported, "a", "prefix39-y")).isEmpty();
    assertThat(holds(imported, "a", "prefix7-x")).containsExactly("3");
    assertThat(holds(imported, "a", "other")).containsExactly("5 other");
    assertThat(holds(imported, "a", "other", "b", "1")).containsExactly("2 other 1");
    assertThat(holds(imported, "a", "prefix39-y", "b", "1")).isEmpty();
    assertThat(imported.warnings())
        .extracting(RuleProblem::message)
        .contains(
            "values of \"a\" of more than 200 characters are limited by \"a\", too, whatever else"
                + " they fit");
  }

  /** The limits that hold for a request, each with the values that are counted apart. */
  private static List<String> holds(String name, String... attributes) throws IOException {
    return holds(imported(name), attributes);
  }

  private static List<String> holds(EnvoyRules.Imported imported, String... attributes) {
    RuleFile.Valid file = (RuleFile.Valid) RuleFile.parse("rules.yaml", yaml(imported));
    Request request = Request.of(attributes);
    return file.rules().stream()
        .flatMap(rule -> rule.quotaKey(request).map(key -> text(rule, key)).stream())
        .toList();
  }

  private static String text(Rule rule, QuotaKey key) {
    return (rule.limitOf(key).permits() + " " + String.join(" ", key.values())).strip();
  }

  private static String yaml(EnvoyRules.Imported imported) {
    assertThat(imported.domains()).hasSize(1);
    return imported.domains().get(0).yaml();
  }

  private static EnvoyRules.Imported imported(String name) throws IOException {
    String text = Files.readString(SAMPLES.resolve(name + ".yaml"));
    EnvoyRules rules = EnvoyRules.parse(name + ".yaml", text);
    return Optional.of(rules)
        .filter(EnvoyRules.Imported.class::isInstance)
        .map(EnvoyRules.Imported.class::cast)
        .orElseThrow(() -> new AssertionError(rules.toString()));
  }
}
