package io.quotaenforcer.enforcer.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.deferral.QueueBounds;
import io.quotaenforcer.schemas.setting.Environment;
import io.quotaenforcer.schemas.setting.Setting;
import io.quotaenforcer.schemas.setting.SettingSource;
import io.quotaenforcer.schemas.setting.SettingsException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnforcerConfigTest {
  @Test
  void defaults_whenNothingIsGiven_apply() {
    EnforcerConfig config = EnforcerConfig.of(Map.of());

    assertThat(config)
        .isEqualTo(
            new EnforcerConfig(
                new KafkaConnection(
                    "127.0.0.1:9092",
                    "the default of bootstrap.servers",
                    Map.of(),
                    Map.of(),
                    Map.of(),
                    Map.of()),
                "quota.",
                new RegistryConnection(Map.of(), ""),
                new RuntimeConfig(
                    "quota-enforcer",
                    Path.of(System.getProperty("user.home"), ".quota-enforcer"),
                    Duration.ofMillis(100),
                    new RuntimeConfig.Size(2, 1, 256L << 20),
                    false,
                    Map.of()),
                new LedgerConfig(
                    Duration.ofSeconds(2),
                    new LedgerConfig.Shares(Duration.ofSeconds(30), true, Duration.ofMinutes(10)),
                    Duration.ofMillis(200),
                    Duration.ofDays(1),
                    Duration.ofMinutes(10),
                    Duration.ofHours(1),
                    new QueueBounds(10_000_000, 64L << 30)),
                new HttpConfig("127.0.0.1", 8089, Optional.empty())));
  }

  @Test
  void certificateWithoutItsKey_isRefused() {
    assertThatThrownBy(() -> EnforcerConfig.of(Map.of("tls.certificate.file", "/certificate")))
        .hasMessageContaining("tls.key.file")
        .hasMessageContaining("belong together");
  }

  @Test
  void settings_allGiven_areAllRead() {
    Map<String, String> given = allOtherThanDefault();

    assertThat(given.keySet())
        .containsExactlyInAnyOrderElementsOf(
            EnforcerSettings.ALL.all().stream().map(Setting::key).toList());
    assertThat(EnforcerConfig.of(given))
        .isEqualTo(configOtherThanDefault("bootstrap.servers", "schema.registry.url"));
  }

  @Test
  void settings_asEnvironmentVariables_areAllRead() {
    Map<String, String> variables = new HashMap<>();
    allOtherThanDefault().forEach((key, value) -> variables.put(Environment.variable(key), value));

    assertThat(EnforcerConfig.of(List.of(EnforcerConfig.environment(variables))))
        .isEqualTo(
            configOtherThanDefault("$QUOTA_BOOTSTRAP_SERVERS", "$QUOTA_SCHEMA_REGISTRY_URL"));
  }

  @Test
  void variables_thatHaveAnotherNameNow_areRefusedAllAtOnce() {
    assertThatExceptionOfType(SettingsException.class)
        .isThrownBy(
            () ->
                EnforcerConfig.of(
                    List.of(
                        EnforcerConfig.environment(
                            Map.of("QUOTA_PREFIX", "mine", "QUOTA_BOOTSTRAP_SERVER", "kafka:1")))))
        .withMessage(
            "environment: QUOTA_BOOTSTRAP_SERVER is QUOTA_BOOTSTRAP_SERVERS now: set that instead,"
                + " and unset the old one\n"
                + "environment: QUOTA_PREFIX is QUOTA_TOPIC_PREFIX now: set that instead, and unset"
                + " the old one");
  }

  @Test
  void variables_ofTheCommands_areReadToo() {
    EnforcerConfig config =
        EnforcerConfig.of(
            List.of(
                EnforcerConfig.environment(
                    Map.of(
                        "QUOTA_BOOTSTRAP_SERVERS", "kafka:1",
                        "QUOTA_TOPIC_PREFIX", "mine.",
                        "QUOTA_JAVA_OPTS", "-Xmx1g"))));

    assertThat(config.kafka().bootstrapServers()).isEqualTo("kafka:1");
    assertThat(config.topicPrefix()).isEqualTo("mine.");
  }

  @Test
  void libraryKeys_reachTheirClients() {
    EnforcerConfig config =
        EnforcerConfig.of(
            Map.of(
                "security.protocol", "SSL",
                "ssl.truststore.location", "/trust",
                "producer.batch.size", "1",
                "consumer.fetch.max.wait.ms", "2",
                "admin.retries", "3",
                "schema.registry.url", "http://registry:8081",
                "basic.auth.user.info", "me:secret"));

    assertThat(config.kafka().adminProperties())
        .containsAllEntriesOf(
            Map.of(
                "bootstrap.servers", "127.0.0.1:9092",
                "security.protocol", "SSL",
                "ssl.truststore.location", "/trust",
                "retries", "3"));
    assertThat(config.kafka().producerProperties()).containsEntry("batch.size", "1");
    assertThat(config.kafka().consumerProperties()).containsEntry("fetch.max.wait.ms", "2");
    assertThat(config.registry().settings())
        .isEqualTo(
            Map.of(
                "schema.registry.url", "http://registry:8081",
                "basic.auth.user.info", "me:secret"));
  }

  @Test
  void problems_inAFileAndAVariable_areAllNamedWithTheirSource() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                EnforcerConfig.of(
                    List.of(
                        new SettingSource("environment", Map.of("http.port", "eighty")),
                        new SettingSource("a.properties", Map.of("alotment.ttl", "2s")))))
        .withMessage(
            "environment: must be a whole number from 0 to 65535: http.port=eighty\n"
                + "a.properties: unknown setting: alotment.ttl (did you mean allotment.ttl?)");
  }

  @Test
  void problems_ofEveryKind_areToldTogether() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                EnforcerConfig.of(
                    List.of(
                        EnforcerConfig.environment(
                            Map.of("QUOTA_PREFIX", "mine", "QUOTA_HTTP_PROT", "1")),
                        new SettingSource(
                            "a.properties",
                            Map.of(
                                "allotment.ttl", "1y",
                                "streams.application.id", "x",
                                "http.advertised", "0.0.0.0:80",
                                "schema.registry.url", "http://me:secret@registry",
                                "auto.register.schemas", "maybe")))))
        .withMessageContaining("QUOTA_PREFIX is QUOTA_TOPIC_PREFIX now")
        .withMessageContaining("QUOTA_HTTP_PROT (did you mean QUOTA_HTTP_PORT?)")
        .withMessageContaining("allotment.ttl=1y")
        .withMessageContaining("must not be set: streams.application.id")
        .withMessageContaining("http.advertised=0.0.0.0:80")
        .withMessageContaining("a.properties: must hold no credentials")
        .withMessageContaining("schema.registry.url=http://***@registry")
        .withMessageContaining("must be true or false: auto.register.schemas=maybe")
        .withMessageNotContaining("secret");
  }

  @Test
  void fileOfTheClients_standsBehindAllOtherSources() {
    SettingSource clients =
        new SettingSource(
            "client.properties",
            Map.of(
                "bootstrap.servers", "clients:1",
                "security.protocol", "SSL",
                "ssl.truststore.location", "/clients",
                "request.timeout.ms", "5000"));

    EnforcerConfig config =
        EnforcerConfig.of(
            List.of(
                new SettingSource("--bootstrap-server", Map.of("bootstrap.servers", "option:1")),
                new SettingSource("a.properties", Map.of("ssl.truststore.location", "/own"))),
            List.of(),
            Optional.of(clients));

    assertThat(config.kafka().origin()).isEqualTo("--bootstrap-server");
    assertThat(config.kafka().adminProperties())
        .containsAllEntriesOf(
            Map.of(
                "bootstrap.servers", "option:1",
                "security.protocol", "SSL",
                "ssl.truststore.location", "/own",
                "request.timeout.ms", "5000"));
  }

  @Test
  void fileOfTheClients_withMistakes_isToldWithTheOtherProblems() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                EnforcerConfig.of(
                    List.of(new SettingSource("a.properties", Map.of("http.port", "eighty"))),
                    List.of(new SettingSource("--connect-timeout", Map.of("connect.timeout", "x"))),
                    Optional.of(
                        new SettingSource("client.properties", Map.of("sasl.mechanizm", "PLAIN")))))
        .withMessageContaining("a.properties: must be a whole number")
        .withMessageContaining("--connect-timeout: must be a duration")
        .withMessageContaining(
            "client.properties: unknown setting: sasl.mechanizm (did you mean sasl.mechanism?)");
  }

  @Test
  void recordFormat_ofARegistryThatIsNotThere_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EnforcerConfig.of(Map.of("record.format", "registry")))
        .withMessage("must have schema.registry.url: record.format=registry");
    assertThat(EnforcerConfig.of(Map.of("record.format", "single-object")).registry().settings())
        .isEqualTo(Map.of("record.format", "single-object"));
  }

  @Test
  void streamsSettings_thatPromisesRestOn_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                EnforcerConfig.of(
                    Map.of(
                        "streams.processing.guarantee", "at_least_once",
                        "streams.num.stream.threads", "4")))
        .withMessage(
            "must not be set: streams.num.stream.threads (use num.stream.threads)\n"
                + "must not be set: streams.processing.guarantee (counts are exact only with"
                + " exactly_once_v2)");
  }

  @Test
  void http_address_isWhatOthersCanReach() {
    assertThat(new HttpConfig("127.0.0.1", 0, Optional.empty()).address(7))
        .isEqualTo("127.0.0.1:7");
    assertThat(new HttpConfig("::1", 0, Optional.empty()).address(7)).isEqualTo("[::1]:7");
    for (String any : List.of("0.0.0.0", "::")) {
      assertThat(new HttpConfig(any, 0, Optional.empty()).address(7))
          .doesNotContain("0.0.0.0", "::")
          .endsWith(":7");
    }
    assertThat(new HttpConfig("0.0.0.0", 0, Optional.of("pod-1:80")).address(7))
        .isEqualTo("pod-1:80");
  }

  @ParameterizedTest
  @CsvSource({
    "0.0.0.0:80,       127.0.0.1",
    "0:80,             127.0.0.1",
    "[::]:80,          0.0.0.0",
    "[0:0:0::0]:80,    ::",
    "[::ffff:0.0.0.0]:80, 0.0.0.0",
    "localhost:80,     0.0.0.0",
    "LocalHost.:80,    ::",
    "127.0.0.1:80,     192.0.2.1",
    "127.9.9.9:80,     0.0.0.0",
    "[::1]:80,         0.0.0.0",
    "[]:80,            0.0.0.0",
    ":80,              0.0.0.0",
    "[zz]:80,          0.0.0.0",
  })
  void http_advertised_nobodyReachesItThere_isRefused(String advertised, String host) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> EnforcerConfig.of(Map.of("http.advertised", advertised, "http.host", host)))
        .withMessageStartingWith("must be ")
        .withMessageContaining("http.advertised=" + advertised);
  }

  @ParameterizedTest
  @CsvSource({
    "localhost:80,   127.0.0.1",
    "127.0.0.1:80,   localhost",
    "[::1]:80,       ::1",
    "[2001:db8::1]:80, ::",
    "10.0.0.1:80,    0.0.0.0",
    "localhost.example.org:80, 0.0.0.0",
  })
  void http_advertised_othersReachItThere_isKept(String advertised, String host) {
    assertThat(
            EnforcerConfig.of(Map.of("http.advertised", advertised, "http.host", host))
                .http()
                .address(7))
        .isEqualTo(advertised);
  }

  private static Map<String, String> allOtherThanDefault() {
    return Map.ofEntries(
        Map.entry("bootstrap.servers", "kafka:9093"),
        Map.entry("topic.prefix", "team."),
        Map.entry("schema.registry.url", "http://registry:8081"),
        Map.entry("record.format", "single-object"),
        Map.entry("application.id", "app"),
        Map.entry("state.dir", "/state"),
        Map.entry("http.host", "0.0.0.0"),
        Map.entry("http.port", "0"),
        Map.entry("http.advertised", "pod-1:80"),
        Map.entry("http.probe.port", "7000"),
        Map.entry("http.token.file", "/token"),
        Map.entry("http.api.tokens.file", "/tokens"),
        Map.entry("http.api.requests.per.second", "51"),
        Map.entry("tls.certificate.file", "/certificate"),
        Map.entry("tls.key.file", "/key"),
        Map.entry("allotment.ttl", "3s"),
        Map.entry("share.term", "31s"),
        Map.entry("rest.term", "11m"),
        Map.entry("share.buckets", "false"),
        Map.entry("max.clock.skew", "4s"),
        Map.entry("commit.interval", "50ms"),
        Map.entry("allow.unsafe.brokers", "true"),
        Map.entry("num.stream.threads", "5"),
        Map.entry("num.standby.replicas", "0"),
        Map.entry("rocksdb.memory.mb", "16"),
        Map.entry("counts.retention", "2d"),
        Map.entry("event.dedup.retention", "6m"),
        Map.entry("event.max.future", "7m"),
        Map.entry("deferred.max.requests", "8"),
        Map.entry("deferred.max.mb", "9"));
  }

  /**
   * @param origin of the brokers
   * @param ofRegistry the same of the schema registry
   */
  private static EnforcerConfig configOtherThanDefault(String origin, String ofRegistry) {
    return new EnforcerConfig(
        new KafkaConnection("kafka:9093", origin, Map.of(), Map.of(), Map.of(), Map.of()),
        "team.",
        new RegistryConnection(
            Map.of("schema.registry.url", "http://registry:8081", "record.format", "single-object"),
            ofRegistry),
        new RuntimeConfig(
            "app",
            Path.of("/state"),
            Duration.ofMillis(50),
            new RuntimeConfig.Size(5, 0, 16L << 20),
            true,
            Map.of()),
        new LedgerConfig(
            Duration.ofSeconds(3),
            new LedgerConfig.Shares(Duration.ofSeconds(31), false, Duration.ofMinutes(11)),
            Duration.ofSeconds(4),
            Duration.ofDays(2),
            Duration.ofMinutes(6),
            Duration.ofMinutes(7),
            new QueueBounds(8, 9L << 20)),
        new HttpConfig(
            "0.0.0.0",
            0,
            Optional.of("pod-1:80"),
            7_000,
            Optional.of(Path.of("/token")),
            new ApiConfig(
                Optional.of(Path.of("/tokens")),
                51,
                Optional.of(Path.of("/certificate")),
                Optional.of(Path.of("/key")))));
  }
}
