package io.quotaenforcer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.gateway.GatewayConfig;
import io.quotaenforcer.gateway.GatewayConfig.RuleSource;
import io.quotaenforcer.schemas.setting.SettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.MapAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a gateway takes from the file for Kafka clients. */
class GatewayOptionsTest {
  private static final Path OF_ENFORCER =
      Path.of("..", "topology-docs", "samples", "enforcer.properties");

  @TempDir Path directory;

  @Test
  void settingsOfAnEnforcer_areLeftOut() throws IOException {
    assertThat(gateway(OF_ENFORCER, Map.of()).listening().port()).isEqualTo(8080);
    Path more = file(Files.readString(OF_ENFORCER) + "state.dir=/tmp\napplication.id=e\n");

    GatewayConfig config = gateway(more, Map.of());

    assertThat(config.listening().port()).isEqualTo(8080);
    ofClient(config).containsExactly(Map.entry("bootstrap.servers", "127.0.0.1:9092"));
  }

  @Test
  void connection_isTakenInTheWordsOfItsClient() throws IOException {
    Path file =
        file(
            """
            bootstrap.servers=broker:9092
            topic.prefix=shop
            security.protocol=SASL_SSL
            schema.registry.url=http://registry:8081
            basic.auth.user.info=ann:secret
            request.timeout.ms=5000
            acks=1
            producer.acks=all
            admin.retries=3
            streams.state.cleanup.delay.ms=1000
            """);

    ofClient(gateway(file, Map.of()))
        .containsOnly(
            Map.entry("bootstrap.servers", "broker:9092"),
            Map.entry("topic.prefix", "shop"),
            Map.entry("security.protocol", "SASL_SSL"),
            Map.entry("schema.registry.url", "http://registry:8081"),
            Map.entry("basic.auth.user.info", "ann:secret"),
            Map.entry("producer.request.timeout.ms", "5000"),
            Map.entry("consumer.request.timeout.ms", "5000"),
            Map.entry("producer.acks", "all"));
  }

  @Test
  void ownSettings_goFirst() {
    ofClient(gateway(OF_ENFORCER, Map.of("QUOTA_BOOTSTRAP_SERVERS", "own:9092")))
        .containsEntry("bootstrap.servers", "own:9092");
  }

  @Test
  void gatewayThatCountsAlone_needsNoConnection() {
    GatewayConfig config = gateway(OF_ENFORCER, Map.of("QUOTA_RULES_FILE", "rules.yaml"));

    assertThat(config.rules()).isInstanceOf(RuleSource.OfFile.class);
  }

  @Test
  void fileWithAMistake_isRefused() throws IOException {
    Path file = file("bootstrap.servers=broker:9092\nstate.dirr=/tmp\n");

    assertThatThrownBy(() -> gateway(file, Map.of()))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("state.dirr");
  }

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("clients.properties"), text);
  }

  private static GatewayConfig gateway(Path file, Map<String, String> environment) {
    Map<String, String> all = new HashMap<>(environment);
    all.put("QUOTA_COMMAND_CONFIG", file.toString());
    return new CommonOptions(all).gateway(Optional.empty());
  }

  private static MapAssert<String, String> ofClient(GatewayConfig config) {
    return assertThat(config.rules())
        .asInstanceOf(InstanceOfAssertFactories.type(RuleSource.OfTopic.class))
        .extracting(
            RuleSource.OfTopic::properties,
            InstanceOfAssertFactories.map(String.class, String.class));
  }
}
