package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import io.quotaenforcer.enforcer.config.EnforcerConfig;
import io.quotaenforcer.gateway.GatewayConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The chart, linted and rendered by Helm, with its defaults and with what else users may set. */
class ChartTest {
  private static final Path CHART = MarkdownFile.ROOT.resolve("ops/helm/quota-enforcer");
  private static final Path MANIFESTS = MarkdownFile.ROOT.resolve("ops/kubernetes");

  /** The oldest that the chart is for. */
  private static final String KUBERNETES = "1.27.0";

  @Test
  void lint_findsNothing() {
    LintResult result = new Helm(CHART).lint().strict().call();
    assertThat(result.isFailed()).as("%s", result.getMessages()).isFalse();
  }

  @Test
  void byDefault_resourcesStartWhatThereIs() {
    Manifests manifests = rendered(it -> it);
    manifests.assertSound();
    assertThat(manifests.names())
        .containsExactlyInAnyOrder(
            "ConfigMap/quota-settings",
            "Service/quota-enforcer",
            "StatefulSet/quota-enforcer",
            "PodDisruptionBudget/quota-enforcer",
            "Service/quota-gateway",
            "Deployment/quota-gateway",
            "PodDisruptionBudget/quota-gateway",
            "Job/quota-topics-1");
  }

  /** The plain manifests are the chart with its defaults. */
  @Test
  void plainManifests_areAsTheChartsDefaults() throws IOException {
    Path file = MANIFESTS.resolve("quota-enforcer.yaml");
    String text =
        "# The chart ops/helm/quota-enforcer with its defaults; a test fails when it differs. To"
            + " write it anew: mvn -pl topology-docs -am test -Dchart.write -Dtest=ChartTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false\n"
            + render(it -> it).strip()
            + "\n";
    if (System.getProperty("chart.write") != null) {
      Files.writeString(file, text);
    }
    assertThat(file).hasContent(text);
    Manifests.of(Files.readString(file)).assertSound();
  }

  @Test
  void credentials_reachEveryProgramAsAFile() {
    Manifests ownSecret =
        rendered(
            it ->
                it.set("credentials.properties", "security.protocol=SASL_SSL")
                    .set("gateway.existingSecret", "gateways"));
    ownSecret.assertSound();
    assertThat(ownSecret.names()).contains("Secret/quota-credentials");
    assertThat(ownSecret.secretOf("StatefulSet/quota-enforcer")).contains("quota-credentials");
    assertThat(ownSecret.secretOf("Job/quota-topics-1")).contains("quota-credentials");
    assertThat(ownSecret.secretOf("Deployment/quota-gateway")).contains("gateways");

    Manifests theirs = rendered(it -> it.set("credentials.existingSecret", "kafka-login"));
    theirs.assertSound();
    assertThat(theirs.secretOf("StatefulSet/quota-enforcer")).contains("kafka-login");
    assertThat(rendered(it -> it).secretOf("StatefulSet/quota-enforcer")).isEmpty();
  }

  /** Each reads it beside its own settings, and would refuse what it does not know. */
  @Test
  void fileOfCredentials_isUnderstoodByEnforcersAndGateways() {
    Map<String, String> file =
        Map.of(
            "bootstrap.servers", "kafka:9092",
            "security.protocol", "SASL_SSL",
            "sasl.mechanism", "SCRAM-SHA-512",
            "sasl.jaas.config", "org.apache.kafka.common.security.scram.ScramLoginModule required;",
            "ssl.truststore.location", "/etc/quota-enforcer/credentials/ca.p12",
            "basic.auth.user.info", "quota:secret");
    assertThatCode(() -> EnforcerConfig.of(file)).doesNotThrowAnyException();
    assertThatCode(() -> GatewayConfig.of(file)).doesNotThrowAnyException();
  }

  @Test
  void strimzisResources_areThoseOfThePlainManifests_withTheReleasesNames() throws IOException {
    Manifests chart =
        rendered(
            it ->
                it.set("strimzi.topics", "true")
                    .set("strimzi.users", "true")
                    .set("strimzi.cluster", "kafka"));
    Manifests plain =
        Manifests.of(
            Files.readString(MANIFESTS.resolve("kafka-topics.yaml"))
                + Files.readString(MANIFESTS.resolve("kafka-users.yaml")));

    assertThat(plain.names()).hasSizeGreaterThan(15);
    assertThat(chart.ofStrimzi()).containsExactlyInAnyOrderElementsOf(plain.ofStrimzi());
  }

  @Test
  void otherPrefix_isThatOfTopicsAndUsers() {
    Manifests manifests =
        rendered(
            it ->
                it.set("strimzi.topics", "true")
                    .set("strimzi.users", "true")
                    .set("enforcer.settings.topic\\.prefix", "eu-quota."));
    manifests.assertSound();
    assertThat(manifests.names()).contains("KafkaTopic/eu-quota.rules");
    assertThat(manifests.names()).noneMatch(name -> name.startsWith("KafkaTopic/quota."));
    assertThat(manifests.ofStrimzi().toString()).contains("name=eu-quota.usage");
  }

  @Test
  void withoutGatewaysAndTopics_restStands() {
    Manifests manifests =
        rendered(it -> it.set("gateway.enabled", "false").set("topics.create", "false"));
    manifests.assertSound();
    assertThat(manifests.names()).hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"num.standby.replica", "http.ports"})
  void aMisspeltSetting_isFound(String key) {
    Manifests manifests =
        rendered(it -> it.set("enforcer.settings." + key.replace(".", "\\."), "1"));
    assertThatThrownBy(manifests::assertSound).hasMessageContaining(key);
  }

  @Test
  void version_isThatOfTheBuild() throws IOException {
    Map<String, Object> chart =
        Yaml.documents(Files.readString(CHART.resolve("Chart.yaml"))).get(0);
    String version = Pom.ofBuild().text("version").orElseThrow();
    assertThat(Yaml.text(chart, "version")).isEqualTo(version);
    assertThat(Yaml.text(chart, "appVersion")).isEqualTo(version);
  }

  private static Manifests rendered(UnaryOperator<TemplateCommand> values) {
    return Manifests.of(render(values));
  }

  private static String render(UnaryOperator<TemplateCommand> values) {
    return values
        .apply(
            new Helm(CHART)
                .template()
                .withName("quota")
                .withNamespace("quota")
                .withKubeVersion(KUBERNETES))
        .call();
  }
}
