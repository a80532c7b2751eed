package io.quotaenforcer.rules.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.rules.RuleFile;
import io.quotaenforcer.rules.RuleProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Every configuration that Envoy's service documents or tests itself with. */
class EnvoyCasesTest {
  private static final Path CASES = Path.of("src/test/resources/envoy-cases");

  @TempDir Path folder;

  /** A case, as the files of resources have it. */
  record Case(Map<String, Object> fields) {
    List<?> files() {
      return (List<?>) fields.get("files");
    }

    Map<?, ?> requests() {
      return (Map<?, ?>) fields.get("requests");
    }

    String text(String field) {
      return String.valueOf(fields.get(field));
    }

    @Override
    public String toString() {
      return text("source");
    }
  }

  static List<Case> accepted() throws IOException {
    return cases("accepted.yaml");
  }

  static List<Case> refused() throws IOException {
    return cases("refused.yaml");
  }

  @ParameterizedTest
  @MethodSource("accepted")
  void configuration_thatTheirsAccepts_isImported_withTheSameLimits(Case one) throws IOException {
    EnvoyRules rules = load(one);
    assertThat(rules).isInstanceOf(EnvoyRules.Imported.class);
    EnvoyRules.Imported imported = (EnvoyRules.Imported) rules;
    List<Rule> all = new ArrayList<>();
    for (EnvoyRules.Domain domain : imported.domains()) {
      RuleFile file = RuleFile.parse("rules.yaml", domain.yaml());
      assertThat(file).isInstanceOf(RuleFile.Valid.class);
      all.addAll(((RuleFile.Valid) file).rules());
    }
    one.requests()
        .forEach(
            (request, limits) ->
                assertThat(limits(all, String.valueOf(request)))
                    .as(request + " by\n" + imported.domains())
                    .isEqualTo(limits));
    if (one.fields().containsKey("warned")) {
      assertThat(imported.warnings())
          .extracting(warning -> warning.line() + ":" + warning.column())
          .contains(one.text("warned"));
    } else {
      assertThat(imported.warnings()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("refused")
  void configuration_thatTheirsRefuses_isRefused_withItsPlace(Case one) throws IOException {
    EnvoyRules rules = load(one);
    assertThat(rules).isInstanceOf(EnvoyRules.Refused.class);
    List<String> problems =
        ((EnvoyRules.Refused) rules)
            .problems().stream()
                .map(RuleProblem::toString)
                .map(problem -> problem.replace(folder + "/", ""))
                .toList();
    assertThat(problems).anyMatch(problem -> problem.startsWith(one.text("problem")));
  }

  private EnvoyRules load(Case one) throws IOException {
    List<Path> paths = new ArrayList<>();
    for (Object text : one.files()) {
      Path path = folder.resolve(String.valueOf(paths.size() + 1));
      paths.add(Files.writeString(path, String.valueOf(text)));
    }
    return EnvoyRules.load(paths);
  }

  private static String limits(List<Rule> rules, String attributes) {
    Request request = Request.of(attributes.split("[ =]"));
    String limits =
        rules.stream()
            .flatMap(rule -> rule.quotaKey(request).map(key -> text(rule, key)).stream())
            .collect(Collectors.joining(" and "));
    return limits.isEmpty() ? "none" : limits;
  }

  private static String text(Rule rule, QuotaKey key) {
    long seconds = rule.limit().periodNanos() / 1_000_000_000;
    String period =
        seconds % 86_400 == 0
            ? seconds / 86_400 + "d"
            : seconds % 3_600 == 0
                ? seconds / 3_600 + "h"
                : seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
    return rule.limitOf(key).permits()
        + "/"
        + period
        + (key.values().isEmpty() ? "" : " [" + String.join(" ", key.values()) + "]")
        + (rule.mode() == Mode.SHADOW ? " shadow" : "");
  }

  @SuppressWarnings("unchecked") // a mapping of YAML has text as keys here
  private static List<Case> cases(String file) throws IOException {
    Object all =
        new Load(LoadSettings.builder().build())
            .loadFromString(Files.readString(CASES.resolve(file)));
    return ((List<?>) all).stream().map(each -> new Case((Map<String, Object>) each)).toList();
  }
}
