package io.quotaenforcer.schemas.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
  enum Colour {
    DARK_RED,
    BLUE
  }

  private static final Setting<String> SERVERS =
      Setting.required("bootstrap.servers", SettingTypes.hostPorts(), "Brokers.");
  private static final Setting<Duration> TTL =
      Setting.of("allotment.ttl", SettingTypes.duration("100ms", "1m"), "2s", "A lease.");
  private static final Setting<Integer> PORT =
      Setting.of("http.port", SettingTypes.integer(0, 65535), "8089", "A port.");
  private static final Setting<Boolean> FLAG =
      Setting.of("flag", SettingTypes.bool(), "false", "A flag.");
  private static final Setting<Optional<String>> TOKEN =
      Setting.optional("token", SettingTypes.secret(), "A token.");
  private static final Setting<Colour> COLOUR =
      Setting.of("colour", SettingTypes.oneOf(Colour.class), "blue", "A colour.");
  private static final Setting<Optional<String>> REGISTRY =
      Setting.optional("schema.registry.url", SettingTypes.urls(), "A registry.");
  private static final Settings SETTINGS =
      new Settings(
          List.of(SERVERS, TTL, PORT, FLAG, TOKEN, COLOUR, REGISTRY),
          List.of(
              new PassThrough("producer.", true, Set.of("linger.ms", "batch.size")),
              new PassThrough("sasl.", false, Set.of("sasl.mechanism")),
              PassThrough.only(
                  "http.", Set.of("http.connect.timeout.ms", "http.read.timeout.ms", "other"))));

  @Test
  void keysOfALibrary_whenThereAreNoOthers_areKnownOrRefused() {
    assertThat(
            SETTINGS
                .parse(Map.of("bootstrap.servers", "a:1", "http.read.timeout.ms", "9"))
                .passedThrough("http."))
        .containsExactly(Map.entry("http.read.timeout.ms", "9"));
    assertThatExceptionOfType(SettingsException.class)
        .isThrownBy(
            () ->
                SETTINGS.parse(
                    Map.of(
                        "bootstrap.servers",
                        "a:1",
                        "http.conect.timeout.ms",
                        "9",
                        "http.timeout",
                        "9")))
        .withMessage(
            "unknown setting: http.conect.timeout.ms (did you mean http.connect.timeout.ms?)\n"
                + "unknown setting: http.timeout (there is http.connect.timeout.ms,"
                + " http.read.timeout.ms)");
  }

  @Test
  void defaults_whenOnlyTheRequiredIsGiven_apply() {
    SettingValues values = SETTINGS.parse(Map.of("bootstrap.servers", "a:1, [::1]:2"));

    assertThat(values.get(SERVERS)).isEqualTo("a:1, [::1]:2");
    assertThat(values.get(TTL)).isEqualTo(Duration.ofSeconds(2));
    assertThat(values.get(PORT)).isEqualTo(8089);
    assertThat(values.get(FLAG)).isFalse();
    assertThat(values.get(TOKEN)).isEmpty();
    assertThat(values.get(COLOUR)).isEqualTo(Colour.BLUE);
    assertThat(values.passedThrough("producer.")).isEmpty();
  }

  @Test
  void values_asObjects_areRead() {
    SettingValues values =
        SETTINGS.parse(
            Map.of(
                "bootstrap.servers",
                "a:1",
                "allotment.ttl",
                Duration.ofMillis(1500),
                "http.port",
                0,
                "flag",
                true,
                "colour",
                "dark-red"));

    assertThat(values.get(TTL)).isEqualTo(Duration.ofMillis(1500));
    assertThat(values.get(PORT)).isZero();
    assertThat(values.get(FLAG)).isTrue();
    assertThat(values.get(COLOUR)).isEqualTo(Colour.DARK_RED);
  }

  @Test
  void problems_ofEveryKind_areAllReported() {
    SettingsException refused =
        catchThrowableOfType(
            SettingsException.class,
            () ->
                SETTINGS.parse(
                    List.of(
                        new SettingSource(
                            "a.properties",
                            Map.of(
                                "http.prot", "1",
                                "http.port", "65536",
                                "producer.lingr.ms", "5",
                                "token", " ",
                                "nothing.like.it", "1")))));

    assertThat(refused.problems().stream().map(SettingProblem::toString))
        .containsExactly(
            "a.properties: must be a whole number from 0 to 65535: http.port=65536",
            "a.properties: unknown setting: http.prot (did you mean http.port?)",
            "a.properties: unknown setting: nothing.like.it",
            "a.properties: unknown setting: producer.lingr.ms (did you mean producer.linger.ms?)",
            "must be set: bootstrap.servers (host:port, or several with commas between them)");
  }

  @Test
  void libraryKeys_reachTheLibraryByItsNames() {
    SettingValues values =
        SETTINGS.parse(
            Map.of(
                "bootstrap.servers", "a:1",
                "producer.linger.ms", "7",
                "producer.my.interceptor.colour", "red",
                "sasl.mechanism", "PLAIN"));

    assertThat(values.passedThrough("producer."))
        .isEqualTo(Map.of("linger.ms", "7", "my.interceptor.colour", "red"));
    assertThat(values.passedThrough("sasl.")).isEqualTo(Map.of("sasl.mechanism", "PLAIN"));
  }

  @Test
  void sources_withTheSameKey_firstCounts() {
    SettingValues values =
        SETTINGS.parse(
            List.of(
                new SettingSource("first", Map.of("http.port", "1", "producer.linger.ms", "1")),
                new SettingSource(
                    "second",
                    Map.of(
                        "http.port", "nonsense",
                        "producer.linger.ms", "2",
                        "bootstrap.servers", "a:1"))));

    assertThat(values.get(PORT)).isEqualTo(1);
    assertThat(values.passedThrough("producer.")).isEqualTo(Map.of("linger.ms", "1"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bootstrap.servers|localhost",
        "bootstrap.servers|localhost:99999",
        "bootstrap.servers|a:1,",
        "bootstrap.servers|a b:1",
        "bootstrap.servers|''",
        "allotment.ttl|2",
        "allotment.ttl|99ms",
        "allotment.ttl|61s",
        "allotment.ttl|-1s",
        "allotment.ttl|2 s",
        "flag|yes",
        "colour|green",
        "http.port|''",
        "http.port|1e3",
        "schema.registry.url|localhost:8081",
        "schema.registry.url|http://a b",
      })
  void value_thatIsWrong_isNamedWithWhatWouldBeRight(String key, String value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SETTINGS.parse(with(key, value)))
        .withMessageStartingWith("must be ")
        .withMessageContaining(key + "=" + value);
  }

  @Test
  void secret_thatIsWrong_isNotShown() {
    Settings secrets =
        new Settings(
            List.of(
                Setting.of(
                    "token",
                    new SettingType<>(
                        "secret", "long", true, text -> Integer.toString(Integer.parseInt(text))),
                    "1",
                    "A token.")),
            List.of());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> secrets.parse(Map.of("token", "hunter2")))
        .withMessage("must be long: token=(hidden)");
  }

  @Test
  void setting_withAWrongDefault_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Setting.of("a", SettingTypes.integer(1, 2), "3", "A number."))
        .withMessage("must be a whole number from 1 to 2");
  }

  @Test
  void environment_variables_areMappedToKeys() {
    SettingSource source =
        Environment.read(
            SETTINGS,
            Map.of(
                "QUOTA_HTTP_PORT", "1",
                "QUOTA_BOOTSTRAP_SERVERS", "a:1",
                "QUOTA_PRODUCER_LINGER_MS", "3",
                "QUOTA_SASL_MECHANISM", "PLAIN",
                "QUOTA_JAVA_OPTS", "-Xmx1g",
                "QUOTA_ENFORCER_SERVICE_HOST", "10.0.0.1",
                "HTTP_PORT", "2"),
            List.of("QUOTA_JAVA_OPTS"));

    assertThat(source.values())
        .isEqualTo(
            Map.of(
                "http.port", "1",
                "bootstrap.servers", "a:1",
                "producer.linger.ms", "3",
                "sasl.mechanism", "PLAIN"));
  }

  @Test
  void environment_variableThatIsNearlyASetting_isAnError() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                SETTINGS.parse(
                    List.of(
                        Environment.read(
                            SETTINGS,
                            Map.of("QUOTA_HTTP_PROT", "1", "QUOTA_BOOTSTRAP_SERVERS", "nowhere"),
                            List.of()),
                        new SettingSource("file", Map.of("flag", "maybe")))))
        .withMessage(
            "environment: unknown variable: QUOTA_HTTP_PROT (did you mean QUOTA_HTTP_PORT?)\n"
                + "environment: must be host:port, or several with commas between them:"
                + " bootstrap.servers=nowhere\n"
                + "file: must be true or false: flag=maybe");
  }

  @Test
  void settingsThatDoNotFitTogether_areToldWithAllElse_unlessOneIsWrongByItself() {
    SettingCheck check =
        new SettingCheck(
            List.of(TTL, PORT),
            values ->
                values.get(TTL).toSeconds() > values.get(PORT)
                    ? List.of(new SettingProblem("", "http.port", "must be more than the lease"))
                    : List.of());
    Settings checked = new Settings(List.of(TTL, PORT, FLAG), List.of(), List.of(check));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> checked.parse(Map.of("http.port", "1", "flag", "maybe")))
        .withMessage("must be true or false: flag=maybe\nmust be more than the lease");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> checked.parse(Map.of("http.port", "1", "allotment.ttl", "1y")))
        .withMessageContaining("allotment.ttl=1y")
        .withMessageNotContaining("more than the lease");
    assertThat(checked.parse(Map.of()).get(PORT)).isEqualTo(8089);
  }

  @Test
  void value_saysWhereItIsFrom() {
    SettingValues values =
        SETTINGS.parse(
            List.of(
                new SettingSource("first", Map.of("bootstrap.servers", "a:1")),
                new SettingSource("second", Map.of("bootstrap.servers", "b:1", "http.port", "1"))));

    assertThat(values.source(SERVERS)).contains("first");
    assertThat(values.source(PORT)).contains("second");
    assertThat(values.source(TTL)).isEmpty();
  }

  private static Map<String, String> with(String key, String value) {
    return key.equals("bootstrap.servers")
        ? Map.of(key, value)
        : Map.of("bootstrap.servers", "a:1", key, value);
  }
}
