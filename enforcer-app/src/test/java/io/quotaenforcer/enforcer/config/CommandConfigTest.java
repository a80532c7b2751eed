package io.quotaenforcer.enforcer.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quotaenforcer.schemas.setting.SettingSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CommandConfigTest {
  @Test
  void file_asOfKafkasCommands_reachesEveryClient() {
    CommandConfig config =
        read(
            Map.of(
                "security.protocol", "SASL_SSL",
                "sasl.jaas.config", "module",
                "request.timeout.ms", "5000",
                "schema.registry.url", "http://registry",
                "basic.auth.user.info", "me:secret"));

    for (Map<String, Object> client :
        List.of(
            config.kafka().adminProperties(),
            config.kafka().consumerProperties(),
            config.kafka().producerProperties())) {
      assertThat(client)
          .containsEntry("security.protocol", "SASL_SSL")
          .containsEntry("sasl.jaas.config", "module")
          .containsEntry("request.timeout.ms", "5000")
          .doesNotContainKeys("schema.registry.url", "basic.auth.user.info");
    }
    assertThat(config.registry().settings())
        .containsEntry("schema.registry.url", "http://registry")
        .containsEntry("basic.auth.user.info", "me:secret");
    assertThat(config.registry().origin()).isEqualTo("schema.registry.url of file");
  }

  @Test
  void file_asOfAnEnforcer_isReadLikeIt() {
    CommandConfig config =
        read(
            Map.of(
                "bootstrap.servers", "kafka:1",
                "topic.prefix", "mine.",
                "http.port", "80",
                "producer.linger.ms", "7",
                "consumer.fetch.max.wait.ms", "8"));

    assertThat(config.kafka().bootstrapServers()).isEqualTo("kafka:1");
    assertThat(config.kafka().origin()).isEqualTo("bootstrap.servers of file");
    assertThat(config.topicPrefix()).isEqualTo("mine.");
    assertThat(config.kafka().producerProperties()).containsEntry("linger.ms", "7");
    assertThat(config.kafka().consumerProperties())
        .containsEntry("fetch.max.wait.ms", "8")
        .doesNotContainKey("linger.ms");
  }

  @Test
  void keysThatAreMistyped_areToldWithTheNearest() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                read(
                    Map.of(
                        "bootstap.servers", "kafka:1",
                        "topic.prefx", "mine.",
                        "reqest.timeout.ms", "5",
                        "basic.auth.user.inf", "me")))
        .withMessageContaining("bootstap.servers (did you mean bootstrap.servers?)")
        .withMessageContaining("topic.prefx (did you mean topic.prefix?)")
        .withMessageContaining("reqest.timeout.ms (did you mean request.timeout.ms?)")
        .withMessageContaining("basic.auth.user.inf (did you mean basic.auth.user.info?)");
  }

  @Test
  void nothingGiven_isKafkaOfThisMachine() {
    CommandConfig config = CommandConfig.of(List.of());

    assertThat(config.kafka().bootstrapServers()).isEqualTo("127.0.0.1:9092");
    assertThat(config.kafka().origin())
        .isEqualTo("by default; see --bootstrap-server and $QUOTA_BOOTSTRAP_SERVERS");
    assertThat(config.connectTimeout()).isEqualTo(Duration.ofSeconds(8));
  }

  private static CommandConfig read(Map<String, String> file) {
    return CommandConfig.of(List.of(new SettingSource("file", file)));
  }
}
