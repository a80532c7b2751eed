package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.Meter;
import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import io.quotaenforcer.enforcer.metrics.JvmMetrics;
import io.quotaenforcer.enforcer.metrics.Metric;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The dashboard and the alerts ask for metrics and labels that there are; each alert is in the
 * runbook.
 */
class OpsTest {
  private static final Path OPS = MarkdownFile.ROOT.resolve("ops");
  private static final Path ALERTS = OPS.resolve("prometheus").resolve("alerts.yml");
  private static final Path DASHBOARD = OPS.resolve("grafana").resolve("quota-enforcer.json");

  private static final Pattern ALERT = Pattern.compile("(?m)^      - alert: (\\w+)$");
  private static final Pattern EXPRESSION = Pattern.compile("(?m)^        expr: '(.*)'$");
  private static final Pattern RUNBOOK = Pattern.compile("(?m)^          runbook: (\\S+)$");
  private static final Pattern NAME = Pattern.compile("\\b(?:quota|jvm|process|system)_\\w+");
  private static final Pattern SELECTION = Pattern.compile("(\\w+)\\{([^}]*)}");
  private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)\\s*\"");
  private static final Pattern GROUPING = Pattern.compile("\\b(?:by|on|without) \\(([^)]*)\\)");

  /** Labels that Prometheus adds by itself. */
  private static final Set<String> OF_PROMETHEUS = Set.of("instance", "job");

  /** Labels of each metric, by all of its names in Prometheus. */
  private static Map<String, Set<String>> metrics() {
    Map<String, Set<String>> known = new HashMap<>();
    for (Metric metric :
        Stream.of(EnforcerMetrics.ALL, JvmMetrics.ALL).flatMap(List::stream).toList()) {
      String name = MetricsPage.inPrometheus(metric);
      Set<String> labels = new HashSet<>(metric.tags());
      labels.addAll(OF_PROMETHEUS);
      if (metric.type() == Meter.Type.TIMER) {
        known.put(name + "_sum", labels);
        known.put(name + "_count", labels);
        if (!JvmMetrics.ALL.contains(metric)) {
          Set<String> buckets = new HashSet<>(labels);
          buckets.add("le");
          known.put(name + "_bucket", buckets);
        }
      } else {
        known.put(name, labels);
      }
    }
    return known;
  }

  static List<String> expressions() throws IOException {
    List<String> expressions = new ArrayList<>();
    collect(new ObjectMapper().readTree(DASHBOARD.toFile()), expressions);
    expressions.addAll(groups(EXPRESSION, Files.readString(ALERTS)));
    return expressions;
  }

  private static void collect(JsonNode node, List<String> expressions) {
    if (node.isObject() && node.has("expr")) {
      expressions.add(node.get("expr").asText());
    }
    node.forEach(child -> collect(child, expressions));
  }

  @ParameterizedTest
  @MethodSource("expressions")
  void expression_asksForMetricsAndLabelsThatThereAre(String expression) {
    Map<String, Set<String>> known = metrics();
    List<String> names = NAME.matcher(expression).results().map(MatchResult::group).toList();
    assertThat(names).isNotEmpty();
    assertThat(known.keySet()).containsAll(names);

    Matcher selections = SELECTION.matcher(expression);
    while (selections.find()) {
      assertThat(known.get(selections.group(1)))
          .as(selections.group())
          .containsAll(groups(MATCHER, selections.group(2)));
    }
    Set<String> labels = new HashSet<>();
    names.forEach(name -> labels.addAll(known.get(name)));
    for (String grouping : groups(GROUPING, expression)) {
      assertThat(labels).as(expression).containsAll(List.of(grouping.split(",\\s*")));
    }
  }

  @Test
  void expression_withAMisspeltNameOrLabel_wouldBeFound() {
    assertThat(metrics())
        .doesNotContainKeys("quota_commit", "quota_commits_seconds_bucket", "quota_ready_total")
        .containsKeys("quota_build_info", "quota_loop_seconds_bucket", "jvm_gc_pause_seconds_sum");
    assertThat(metrics().get("quota_ready")).doesNotContain("rule");
  }

  @Test
  void dashboard_asksForAllThatSomebodyMustLookAt() throws IOException {
    String all = String.join("\n", expressions());
    Set<String> missing = new TreeSet<>();
    for (Metric metric : EnforcerMetrics.ALL) {
      if (!metric.alert().isEmpty() && !all.contains(MetricsPage.inPrometheus(metric))) {
        missing.add(metric.name());
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void panels_haveUnitsAndTitles() throws IOException {
    List<JsonNode> panels = new ArrayList<>();
    new ObjectMapper().readTree(DASHBOARD.toFile()).get("panels").forEach(panels::add);
    assertThat(panels).hasSizeGreaterThan(20);
    assertThat(panels)
        .filteredOn(panel -> !panel.get("type").asText().equals("row"))
        .allSatisfy(
            panel -> {
              assertThat(panel.get("title").asText()).isNotEmpty();
              assertThat(panel.at("/fieldConfig/defaults/unit").asText()).isNotEmpty();
              assertThat(panel.get("targets")).isNotEmpty();
            });
    assertThat(panels).extracting(panel -> panel.get("id").asInt()).doesNotHaveDuplicates();
  }

  @Test
  void alerts_haveASectionOfTheRunbookEach_andItNoOthers() throws IOException {
    String alerts = Files.readString(ALERTS);
    List<String> names = groups(ALERT, alerts);
    List<String> sections =
        Files.readString(MarkdownFile.ROOT.resolve("topology-docs/runbook.md"))
            .lines()
            .filter(line -> line.startsWith("## "))
            .map(line -> line.substring(3))
            .toList();

    assertThat(names).hasSizeGreaterThan(15).isEqualTo(sections);
    assertThat(groups(EXPRESSION, alerts)).hasSameSizeAs(names);
    assertThat(groups(RUNBOOK, alerts))
        .isEqualTo(
            names.stream()
                .map(name -> "topology-docs/runbook.md#" + name.toLowerCase(Locale.ROOT))
                .toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"check rules alerts.yml", "test rules alerts-test.yml"})
  void promtool_isContent(String arguments) throws Exception {
    boolean isThere =
        Stream.of(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "promtool")));
    if ("true".equals(System.getenv("CI"))) {
      assertThat(isThere).as("promtool must be there, as CI=true").isTrue();
    }
    assumeThat(isThere)
        .as("promtool, of Debian's package prometheus, is not here: alerts are not played")
        .isTrue();
    List<String> line = new ArrayList<>(List.of("promtool"));
    line.addAll(List.of(arguments.split(" ")));
    Process process =
        new ProcessBuilder(line)
            .directory(ALERTS.getParent().toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(said).isZero();
  }

  private static List<String> groups(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(found -> found.group(1)).toList();
  }
}
