package io.quotaenforcer.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.schemas.setting.SettingSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GatewayConfigTest {

  @Test
  void settingsOfTheClient_arePassedOn_fromTheFirstSource() {
    GatewayConfig config =
        GatewayConfig.of(
            List.of(
                new SettingSource(
                    "option", Map.of("bootstrap.servers", "a:1", "producer.acks", "all")),
                new SettingSource(
                    "file", Map.of("bootstrap.servers", "b:1", "domains", "x", "http.port", "9"))));

    assertThat(config.rules())
        .isEqualTo(
            new GatewayConfig.RuleSource.OfTopic(
                Map.of("bootstrap.servers", "a:1", "domains", "x", "producer.acks", "all")));
    assertThat(config.listening())
        .isEqualTo(new GatewayConfig.Listening("127.0.0.1", 9, 8082, 8081, 10_000));
  }

  @Test
  void gateway_needsBrokersOrAFile() {
    assertThatThrownBy(() -> GatewayConfig.of(Map.of()))
        .hasMessageContaining("either bootstrap.servers")
        .hasMessageContaining("or rules.file");
    assertThatThrownBy(
            () -> GatewayConfig.of(Map.of("bootstrap.servers", "a:1", "rules.file", "b")))
        .hasMessageContaining("either bootstrap.servers");
  }

  @Test
  void settings_thatAreMisspelt_areAllSaid() {
    assertThatThrownBy(
            () ->
                GatewayConfig.of(
                    Map.of(
                        "rules.file",
                        "a",
                        "http.prot",
                        "1",
                        "max.wait",
                        "soon",
                        "tls.key.file",
                        "b")))
        .hasMessageContaining("unknown setting: http.prot (did you mean http.port?)")
        .hasMessageContaining("max.wait=soon");
    assertThatThrownBy(() -> GatewayConfig.of(Map.of("rules.file", "a", "tls.key.file", "b")))
        .hasMessageContaining("belong together");
  }

  @Test
  void variables_areSettings() {
    assertThat(
            GatewayConfig.environment(
                    Map.of("QUOTA_HTTP_PORT", "1", "QUOTA_JAVA_OPTS", "-Xmx1g", "PATH", "/bin"))
                .values())
        .isEqualTo(Map.of("http.port", "1"));
    assertThat(GatewayConfig.environment(Map.of("QUOTA_HTTP_PROT", "1")).problems()).hasSize(1);
  }
}
