package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.enforcer.EnforcerRun;
import io.quotaenforcer.schemas.setting.DurationText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import kafka.server.KafkaConfig;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.junit.jupiter.api.Test;

/** What the Compose file starts would not complain of how it is started; no Docker is asked. */
class ComposeTest {
  private static final Path FOLDER = MarkdownFile.ROOT.resolve("ops/compose");
  private static final String KAFKA = "KAFKA_";

  private static Map<String, Object> compose() throws IOException {
    return Yaml.documents(Files.readString(FOLDER.resolve("compose.yaml"))).get(0);
  }

  private static Map<String, Object> services() throws IOException {
    return Yaml.map(compose(), "services");
  }

  @Test
  void services_areAllThatATrialNeeds() throws IOException {
    assertThat(services().keySet())
        .containsExactlyInAnyOrder(
            "kafka",
            "registry",
            "topics",
            "enforcer-1",
            "enforcer-2",
            "gateway",
            "prometheus",
            "grafana");
  }

  @Test
  void images_haveVersions_andOursIsThatOfTheBuild() throws IOException {
    String version = MarkdownFile.read("pom.xml").text().split("</?version>")[1];
    services()
        .forEach(
            (name, service) -> {
              String image = Yaml.text(service, "image");
              assertThat(image).as(name).matches("[a-z./-]+:v?[0-9]+\\.[0-9]+.*");
              if (image.startsWith("quota-enforcer")) {
                assertThat(image).isEqualTo("quota-enforcer:" + version);
              }
            });
  }

  @Test
  void programsOfOurs_startWithSettingsThatThereAre() throws IOException {
    services().values().stream()
        .filter(service -> Yaml.text(service, "image").startsWith("quota-enforcer:"))
        .forEach(
            service ->
                Programs.assertStarts(
                    Yaml.list(service, "command").stream().map(String::valueOf).toList(),
                    variables(service),
                    ""));
  }

  @Test
  void aMisspeltVariable_wouldBeFound() {
    Map<String, String> misspelt =
        Map.of("QUOTA_BOOTSTRAP_SERVERS", "kafka:9092", "QUOTA_HOST_OF_HTTP", "0.0.0.0");
    assertThatThrownBy(() -> Programs.assertStarts(List.of("gateway"), misspelt, ""))
        .isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> Programs.assertStarts(List.of("topics", "make"), Map.of(), ""))
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void enforcers_haveAFolderAndANameOfTheirOwn_andTimeToEnd() throws IOException {
    for (String name : List.of("enforcer-1", "enforcer-2")) {
      Object service = services().get(name);
      assertThat(variables(service)).containsEntry("QUOTA_HTTP_ADVERTISED", name + ":8089");
      assertThat(Yaml.list(service, "volumes"))
          .containsExactly(name + ":" + variables(service).get("QUOTA_STATE_DIR"));
      assertThat(DurationText.parse(Yaml.text(service, "stop_grace_period")))
          .isGreaterThan(EnforcerRun.CLOSE_DEADLINE);
    }
  }

  @Test
  void kafka_isConfiguredBySettingsThatBrokersHave() throws IOException {
    Map<String, String> properties = new HashMap<>();
    variables(services().get("kafka"))
        .forEach(
            (name, value) ->
                properties.put(
                    name.substring(KAFKA.length()).toLowerCase(Locale.ROOT).replace('_', '.'),
                    value));

    assertThat(AbstractKafkaConfig.CONFIG_DEF.names()).containsAll(properties.keySet());
    Properties all = new Properties();
    all.putAll(properties);
    // Listeners and roles that do not belong together are refused.
    assertThatCode(() -> KafkaConfig.fromProps(all, false)).doesNotThrowAnyException();
  }

  @Test
  void mountedFilesAndNamedVolumes_areThere() throws IOException {
    Map<String, Object> volumes = Yaml.map(compose(), "volumes");
    services()
        .forEach(
            (name, service) ->
                Yaml.list(service, "volumes")
                    .forEach(
                        volume -> {
                          String from = String.valueOf(volume).split(":")[0];
                          if (from.startsWith(".")) {
                            assertThat(FOLDER.resolve(from).normalize()).as(name).isRegularFile();
                          } else {
                            assertThat(volumes).as(name).containsKey(from);
                          }
                        }));
  }

  @Test
  void prometheus_asksTheProbePortsOfServices() throws IOException {
    Map<String, Object> prometheus =
        Yaml.documents(Files.readString(FOLDER.resolve("prometheus.yml"))).get(0);
    List<String> targets =
        Yaml.list(prometheus, "scrape_configs").stream()
            .flatMap(job -> Yaml.list(job, "static_configs").stream())
            .flatMap(group -> Yaml.list(group, "targets").stream())
            .map(String::valueOf)
            .toList();
    // By default the enforcer's probes are on the port after that of its HTTP server.
    assertThat(targets).containsExactly("enforcer-1:8090", "enforcer-2:8090", "gateway:8082");
    assertThat(services().keySet())
        .containsAll(targets.stream().map(it -> it.split(":")[0]).toList());
  }

  private static Map<String, String> variables(Object service) {
    return Yaml.map(service, "environment").entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, it -> String.valueOf(it.getValue())));
  }
}
