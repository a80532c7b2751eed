package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.enforcer.EnforcerRun;
import io.quotaenforcer.gateway.GatewayConfig;
import io.quotaenforcer.gateway.GatewayRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Resources of Kubernetes, held to each other and to the programs that they start.
 *
 * @param byName by kind and name
 */
record Manifests(Map<String, Map<String, Object>> byName) {
  private static final String SETTINGS = "/etc/quota-enforcer/settings";
  private static final String CREDENTIALS = "/etc/quota-enforcer/credentials";
  private static final Set<String> WORKLOADS = Set.of("StatefulSet", "Deployment", "Job");

  static Manifests of(String yaml) {
    Map<String, Map<String, Object>> byName = new LinkedHashMap<>();
    for (Map<String, Object> each : Yaml.documents(yaml)) {
      String name = Yaml.text(each, "kind") + "/" + Yaml.text(each, "metadata", "name");
      assertThat(byName.put(name, each)).as(name).isNull();
    }
    return new Manifests(byName);
  }

  Set<String> names() {
    return byName.keySet();
  }

  /** Those that Strimzi knows. */
  List<Map<String, Object>> ofStrimzi() {
    return byName.values().stream()
        .filter(it -> Yaml.text(it, "apiVersion").startsWith("kafka.strimzi.io/"))
        .toList();
  }

  /** Secret with the credentials of a workload. */
  Optional<String> secretOf(String name) {
    return Yaml.list(pod(byName.get(name)), "volumes").stream()
        .map(volume -> Yaml.map(volume, "secret"))
        .filter(secret -> !secret.isEmpty())
        .map(secret -> Yaml.text(secret, "secretName"))
        .findFirst();
  }

  /** Nothing names what is not there, and the programs would not complain. */
  void assertSound() {
    byName.forEach(
        (name, each) -> {
          assertThat(Yaml.text(each, "apiVersion")).as(name).isNotEqualTo("null");
          String kind = Yaml.text(each, "kind");
          if (WORKLOADS.contains(kind)) {
            workload(name, each);
          } else if (kind.equals("Service") || kind.equals("PodDisruptionBudget")) {
            selects(name, each);
          }
        });
  }

  private void workload(String name, Map<String, Object> each) {
    Map<String, Object> pod = pod(each);
    Map<String, Object> container = Yaml.map(Yaml.list(pod, "containers").get(0));
    Map<String, String> mounts = mounts(name, each, container);
    List<String> line = Yaml.list(container, "args").stream().map(String::valueOf).toList();
    Map<String, String> variables = new HashMap<>();
    for (Object variable : Yaml.list(container, "env")) {
      // Names of the pod and its namespace are put in by Kubernetes.
      String value = Yaml.text(variable, "value").replaceAll("\\$\\(\\w+\\)", "x");
      assertThat(variables.put(Yaml.text(variable, "name"), value)).isNull();
    }
    String program = line.get(0);
    Programs.assertStarts(line, variables, settingsOf(program, line));
    boolean hasSecret = secretOf(name).isPresent();
    assertThat(variables.containsKey("QUOTA_COMMAND_CONFIG")).as(name).isEqualTo(hasSecret);
    assertThat(mounts.containsKey(CREDENTIALS)).isEqualTo(hasSecret);

    assertThat(Yaml.map(pod, "securityContext")).containsEntry("runAsNonRoot", true);
    assertThat(Yaml.map(container, "securityContext"))
        .containsEntry("readOnlyRootFilesystem", true)
        .containsEntry("allowPrivilegeEscalation", false);
    if (!program.equals("topics")) {
      probes(name, container, variables.get("QUOTA_HTTP_PROBE_PORT"));
      Duration grace =
          Duration.ofSeconds(Long.parseLong(Yaml.text(pod, "terminationGracePeriodSeconds")));
      assertThat(grace).as(name).isGreaterThan(timeToEnd(program, line));
    }
    if (program.equals("enforcer")) {
      assertThat(mounts).containsEntry(variables.get("QUOTA_STATE_DIR"), "state");
      assertThat(byName).containsKey("Service/" + Yaml.text(each, "spec", "serviceName"));
      assertThat(variables.get("QUOTA_HTTP_ADVERTISED"))
          .contains("." + Yaml.text(each, "spec", "serviceName") + ".")
          .endsWith(":" + variables.get("QUOTA_HTTP_PORT"));
    }
  }

  private Duration timeToEnd(String program, List<String> line) {
    return program.equals("enforcer")
        ? EnforcerRun.CLOSE_DEADLINE
        : GatewayRun.CLOSE_DEADLINE.plus(
            GatewayConfig.of(List.of(Programs.properties(settingsOf(program, line)))).drain());
  }

  /** By their names: a volume or a claim has each mount, and a mount each volume. */
  private static Map<String, String> mounts(
      String name, Map<String, Object> each, Map<String, Object> container) {
    Set<String> volumes = new HashSet<>();
    Yaml.list(pod(each), "volumes").forEach(it -> volumes.add(Yaml.text(it, "name")));
    Yaml.list(each, "spec", "volumeClaimTemplates")
        .forEach(it -> volumes.add(Yaml.text(it, "metadata", "name")));
    Map<String, String> mounts = new HashMap<>();
    Yaml.list(container, "volumeMounts")
        .forEach(it -> mounts.put(Yaml.text(it, "mountPath"), Yaml.text(it, "name")));
    assertThat(mounts.values()).as(name).containsExactlyInAnyOrderElementsOf(volumes);
    return mounts;
  }

  /** The file that {@code --config} names, in the ConfigMap. */
  private String settingsOf(String program, List<String> line) {
    if (program.equals("topics")) {
      return "";
    }
    String file = line.get(line.indexOf("--config") + 1);
    assertThat(file).startsWith(SETTINGS + "/");
    Map<String, Object> map =
        byName.entrySet().stream()
            .filter(it -> it.getKey().startsWith("ConfigMap/"))
            .findFirst()
            .orElseThrow()
            .getValue();
    String key = file.substring(SETTINGS.length() + 1);
    assertThat(Yaml.map(map, "data")).containsKey(key);
    return Yaml.text(map, "data", key);
  }

  /** Each asks a port that the container names, on a path that the program serves. */
  private static void probes(String name, Map<String, Object> container, String port) {
    for (String probe : List.of("livenessProbe", "readinessProbe")) {
      Map<String, Object> asked = Yaml.map(container, probe, "httpGet");
      assertThat(asked).as(name + " " + probe).containsEntry("port", "probes");
      assertThat(served()).contains("\"" + asked.get("path") + "\"");
    }
    assertThat(Yaml.list(container, "ports"))
        .anySatisfy(
            each -> {
              assertThat(Yaml.text(each, "name")).isEqualTo("probes");
              assertThat(Yaml.text(each, "containerPort")).isEqualTo(port);
            });
  }

  private static String served() {
    try {
      return Files.readString(
          MarkdownFile.ROOT.resolve(
              "enforcer-app/src/main/java/io/quotaenforcer/enforcer/http/ProbeHttp.java"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void selects(String name, Map<String, Object> each) {
    Map<String, Object> selector =
        each.get("kind").equals("Service")
            ? Yaml.map(each, "spec", "selector")
            : Yaml.map(each, "spec", "selector", "matchLabels");
    assertThat(selector).as(name).isNotEmpty();
    assertThat(byName.values().stream().filter(it -> labels(it).containsAll(selector.entrySet())))
        .as(name)
        .hasSize(1);
  }

  private static Set<Map.Entry<String, Object>> labels(Map<String, Object> workload) {
    return Yaml.map(workload, "spec", "template", "metadata", "labels").entrySet();
  }

  private static Map<String, Object> pod(Object workload) {
    return Yaml.map(workload, "spec", "template", "spec");
  }
}
