package io.quotaenforcer.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class SpringKafkaTest {
  @TempDir Path folder;

  @Test
  void nothingSaid_isSpringBootsDefault() {
    assertThat(settings(Map.of())).isEqualTo(Map.of("bootstrap.servers", "localhost:9092"));
  }

  @Test
  void connection_isTaken_andNothingElse() throws Exception {
    Path store = Files.createFile(folder.resolve("trust.p12"));

    assertThat(
            settings(
                Map.ofEntries(
                    Map.entry("spring.kafka.bootstrap-servers", "a:1,b:2"),
                    Map.entry("spring.kafka.client-id", "shop"),
                    Map.entry("spring.kafka.consumer.group-id", "shop"),
                    Map.entry("spring.kafka.producer.acks", "1"),
                    Map.entry("spring.kafka.security.protocol", "SASL_SSL"),
                    Map.entry("spring.kafka.ssl.trust-store-location", store.toUri().toString()),
                    Map.entry("spring.kafka.ssl.trust-store-password", "secret"),
                    Map.entry("spring.kafka.ssl.trust-store-type", "PKCS12"),
                    Map.entry("spring.kafka.ssl.key-store-certificate-chain", "chain"),
                    Map.entry("spring.kafka.properties.sasl.mechanism", "PLAIN"),
                    Map.entry("spring.kafka.properties[sasl.jaas.config]", "login"),
                    Map.entry("spring.kafka.properties.client.dns.lookup", "use_all_dns_ips"),
                    Map.entry("spring.kafka.properties.max.poll.records", "7"))))
        .isEqualTo(
            Map.of(
                "bootstrap.servers", "a:1,b:2",
                "security.protocol", "SASL_SSL",
                "ssl.truststore.location", store.toString(),
                "ssl.truststore.password", "secret",
                "ssl.truststore.type", "PKCS12",
                "ssl.keystore.certificate.chain", "chain",
                "sasl.mechanism", "PLAIN",
                "sasl.jaas.config", "login",
                "producer.client.dns.lookup", "use_all_dns_ips",
                "consumer.client.dns.lookup", "use_all_dns_ips"));
  }

  @Test
  void store_thatIsNoFile_isRefused() {
    assertThatThrownBy(() -> settings(Map.of("spring.kafka.ssl.key-store-location", "https://a/b")))
        .hasMessageContaining("must be a file: spring.kafka.ssl location=");
  }

  @Test
  void ownSettings_goBeforeSprings() {
    StandardEnvironment environment = environment(Map.of("spring.kafka.bootstrap-servers", "a:1"));

    assertThat(
            ClientSettings.of(
                environment,
                name -> {
                  throw new AssertionError(name);
                },
                Map.of("bootstrap.servers", "found:1", "security.protocol", "SSL"),
                Map.of("bootstrap-servers", "own:1", "max.keys", "5")))
        .isEqualTo(
            Map.of("bootstrap.servers", "own:1", "security.protocol", "SSL", "max.keys", "5"));
  }

  @Test
  void variables_ofTheEnvironment_areProperties() {
    StandardEnvironment environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .replace(
            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
            new SystemEnvironmentPropertySource(
                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                Map.of("QUOTA_CLIENT_MAX_KEYS", "7", "SPRING_KAFKA_BOOTSTRAP_SERVERS", "a:1,b:2")));

    assertThat(Binder.get(environment).bindOrCreate("quota", QuotaProperties.class).client())
        .isEqualTo(Map.of("max.keys", "7"));
    assertThat(SpringKafka.of(environment).bootstrapServers()).containsExactly("a:1", "b:2");
  }

  private static Map<String, Object> settings(Map<String, Object> properties) {
    return SpringKafka.of(environment(properties)).settings();
  }

  private static StandardEnvironment environment(Map<String, Object> properties) {
    StandardEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
    return environment;
  }
}
