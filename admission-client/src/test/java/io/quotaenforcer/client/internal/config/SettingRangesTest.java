package io.quotaenforcer.client.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.quotaenforcer.schemas.setting.Setting;
import io.quotaenforcer.schemas.setting.SettingsException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings at the ends of their ranges, and just beyond. */
class SettingRangesTest {
  private static AdmissionConfig read(Map<String, ?> properties) {
    Map<String, Object> all = new HashMap<>();
    all.put("bootstrap.servers", "127.0.0.1:1");
    all.putAll(properties);
    return AdmissionSettings.read(all, UnaryOperator.identity());
  }

  @ParameterizedTest
  @CsvSource({
    "report.interval, 5ms, 10s",
    "unavailable.after, 100ms, 1m",
    "idle.after, 100ms, 10m",
    "evict.after, 1s, 1d",
    "max.keys, 1, 100000000",
    "max.instances, 1, 1000000",
    "max.waiting, 0, 100000000",
    "request.events.sample.rate, 0, 1",
    "request.events.capacity, 1, 10000000",
    "defer.timeout, 1s, 1h",
    "defer.max.unanswered, 1, 1000000",
    "close.timeout, 0, 5m",
  })
  void setting_atBothEnds_isTaken(String key, String least, String most) {
    assertThatCode(() -> read(Map.of(key, least))).doesNotThrowAnyException();
    assertThatCode(() -> read(Map.of(key, most))).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "report.interval, 4ms, 10001ms",
    "unavailable.after, 99ms, 61s",
    "idle.after, 99ms, 601s",
    "evict.after, 999ms, 25h",
    "max.keys, 0, 100000001",
    "max.instances, 0, 1000001",
    "max.waiting, -1, 100000001",
    "request.events.sample.rate, -0.1, 1.0001",
    "request.events.capacity, 0, 10000001",
    "defer.timeout, 999ms, 3601s",
    "defer.max.unanswered, 0, 1000001",
    "close.timeout, -1ms, 301s",
  })
  void setting_beyondEitherEnd_isRefusedByName(String key, String below, String above) {
    for (String value : new String[] {below, above}) {
      assertThatExceptionOfType(SettingsException.class)
          .isThrownBy(() -> read(Map.of(key, value)))
          .withMessageContaining(key + "=" + value);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "report.interval, soon",
    "report.interval, 20",
    "max.keys, 1.5",
    "max.keys, ten",
    "max.waiting, 99999999999999999999",
    "request.events.sample.rate, NaN",
    "request.events.sample.rate, half",
    "request.events, some",
    "before.rules, wait",
    "instance.id, a b",
    "instance.id, a/b",
    "domains, posts;mails",
    "domains, posts mails",
    "domains, 'posts, mails/mail'",
    "bootstrap.servers, kafka",
    "bootstrap.servers, 'kafka:9092,kafka:port'",
    "schema.registry.url, registry",
  })
  void setting_thatIsNoneOfItsKind_isRefusedByName(String key, String value) {
    assertThatExceptionOfType(SettingsException.class)
        .isThrownBy(() -> read(Map.of(key, value)))
        .withMessageContaining(key + "=" + value);
  }

  @Test
  void values_givenAsObjects_areReadAsTheirText() {
    AdmissionConfig config =
        read(Map.of("max.waiting", 7, "request.events.sample.rate", 0.5, "max.instances", 9L));

    assertThat(config.deciding().maxWaiting()).isEqualTo(7);
    assertThat(config.events().sampleRate()).isEqualTo(0.5);
    assertThat(config.deciding().maxInstances()).isEqualTo(9);
  }

  @ParameterizedTest
  @CsvSource({"100, true", "101, false"})
  void instanceId_hasAtMost100Characters(int length, boolean taken) {
    Map<String, String> settings = Map.of("instance.id", "x".repeat(length));
    if (taken) {
      assertThat(read(settings).instance()).hasSize(length);
    } else {
      assertThatExceptionOfType(SettingsException.class).isThrownBy(() -> read(settings));
    }
  }

  @Test
  void instanceId_notSet_isTheHostAndSomethingNew_andFit() {
    String one = read(Map.of()).instance();
    String other = read(Map.of()).instance();

    assertThat(one).matches("[A-Za-z0-9._-]{1,100}").isNotEqualTo(other);
    assertThat(one.substring(0, one.length() - 8))
        .isEqualTo(other.substring(0, other.length() - 8));
  }

  @Test
  void domains_separatedByCommas_spacesAndEmptyOnesDoNotCount() {
    assertThat(read(Map.of("domains", " posts ,, accounts,")).domains())
        .containsExactlyInAnyOrder("posts", "accounts");
    assertThat(read(Map.of("domains", ",")).domains()).isEmpty();
    AdmissionConfig some = read(Map.of("domains", "posts"));
    assertThat(some.wantsDomain("posts")).isTrue();
    assertThat(some.wantsDomain("accounts")).isFalse();
    assertThat(read(Map.of()).wantsDomain("anything")).isTrue();
  }

  @Test
  void intervals_areThoseOfTheBook_inNanoseconds() {
    AdmissionConfig config =
        read(
            Map.of(
                "report.interval", "5ms",
                "unavailable.after", "2s",
                "idle.after", "3s",
                "evict.after", "4m",
                "max.keys", "5"));

    assertThat(config.deciding().bookSettings().reportIntervalNanos()).isEqualTo(5_000_000L);
    assertThat(config.deciding().bookSettings().urgentIntervalNanos())
        .as("never longer than the usual one")
        .isLessThanOrEqualTo(5_000_000L);
    assertThat(config.deciding().bookSettings().awayAfterNanos()).isEqualTo(2_000_000_000L);
    assertThat(config.deciding().bookSettings().idleAfterNanos()).isEqualTo(3_000_000_000L);
    assertThat(config.deciding().bookSettings().evictAfterNanos()).isEqualTo(240_000_000_000L);
    assertThat(config.deciding().bookSettings().maxKeys()).isEqualTo(5);
  }

  @Test
  void kafkaClients_haveTheirOwnPropertiesAndTheCommonOnes_andNoOthers() {
    AdmissionConfig config =
        read(
            Map.of(
                "instance.id", "i",
                "security.protocol", "SASL_SSL",
                "sasl.mechanism", "PLAIN",
                "producer.linger.ms", "3",
                "consumer.fetch.max.wait.ms", "70"));

    assertThat(config.kafka().producerProperties())
        .containsEntry("bootstrap.servers", "127.0.0.1:1")
        .containsEntry("security.protocol", "SASL_SSL")
        .containsEntry("sasl.mechanism", "PLAIN")
        .containsEntry("client.id", "quota-i")
        .containsEntry("linger.ms", "3")
        .doesNotContainKey("fetch.max.wait.ms");
    assertThat(config.kafka().consumerProperties())
        .containsEntry("security.protocol", "SASL_SSL")
        .containsEntry("client.id", "quota-i")
        .containsEntry("fetch.max.wait.ms", "70")
        .doesNotContainKey("linger.ms");
    assertThat(config.kafka().replayProperties()).containsEntry("client.id", "quota-i-replays");
  }

  @Test
  void clientId_ofTheUser_isTheirs_withWhatItIsForBehindIt() {
    AdmissionConfig config =
        read(Map.of("producer.client.id", "web", "consumer.client.id", "web-reads"));

    assertThat(config.kafka().producerProperties()).containsEntry("client.id", "web");
    assertThat(config.kafka().deferralProperties()).containsEntry("client.id", "web-deferrals");
    assertThat(config.kafka().consumerProperties()).containsEntry("client.id", "web-reads");
    assertThat(config.kafka().replayProperties()).containsEntry("client.id", "web-reads-replays");
  }

  @Test
  void everySetting_saysWhatItIsFor_andHasANameOfItsOwn() {
    Set<String> names =
        AdmissionSettings.ALL.all().stream().map(Setting::key).collect(Collectors.toSet());

    assertThat(names).hasSize(AdmissionSettings.ALL.all().size());
    assertThat(AdmissionSettings.ALL.all()).allMatch(each -> each.doc().endsWith("."));
    assertThat(new HashSet<>(names)).contains("bootstrap.servers", "close.timeout");
  }
}
