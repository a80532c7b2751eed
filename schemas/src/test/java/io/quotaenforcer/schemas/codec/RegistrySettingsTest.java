package io.quotaenforcer.schemas.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegistrySettingsTest {
  @Test
  void noUrl_isNoRegistry() {
    assertThat(RegistrySettings.from(Map.of())).isNull();
    assertThat(RegistrySettings.from(Map.of("schema.registry.url", " "))).isNull();
  }

  @Test
  void urls_areSplit() {
    assertThat(settings("http://a:8081, https://b/api,").urls())
        .containsExactly("http://a:8081", "https://b/api");
    assertThat(
            RegistrySettings.from(Map.of("schema.registry.url", List.of("http://a", "http://b"))))
        .extracting(RegistrySettings::urls)
        .isEqualTo(List.of("http://a", "http://b"));
  }

  @Test
  void urlWithCredentials_isRefusedWithoutTellingThem() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings("http://b,http://me:sec/ret@a:8081"))
        .withMessageContaining("basic.auth.user.info")
        .withMessageEndingWith("schema.registry.url=http://***@a:8081");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http:me:secret@a",
        "me:secret@a",
        "http://me:se,secret@a",
        "http://me:secret,t@a",
        "//me:secret@ a"
      })
  void urlWithCredentials_thatIsNoUrl_isRefusedWithoutTellingThem(String url) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings(url))
        .withMessageContaining("basic.auth.user.info")
        .satisfies(refusal -> assertThat(refusal.getMessage()).doesNotContain("secret"));
  }

  @Test
  void location_holdsWhereTheUrlWasNamed() {
    Map<String, String> settings = Map.of("schema.registry.url", "http://a, http://b");
    assertThat(RegistrySettings.from(settings, "--schema-registry").location())
        .isEqualTo("http://a,http://b (--schema-registry)");
    assertThat(RegistrySettings.from(settings).location()).isEqualTo("http://a,http://b");
  }

  @Test
  void settingsThatAreWrong_areToldTogether() {
    assertThat(
            RegistrySettings.complaints(
                Map.of(
                    "schema.registry.url", "ftp://a,http://me:secret@b",
                    "record.format", "json",
                    "auto.register.schemas", "maybe")))
        .hasSize(4)
        .noneMatch(complaint -> complaint.contains("secret"));
  }

  @Test
  void timeouts_areSecondsUnlessSet() {
    assertThat(settings("http://a").client())
        .containsEntry("http.connect.timeout.ms", 2_000)
        .containsEntry("http.read.timeout.ms", 3_000);
    assertThat(
            RegistrySettings.from(
                    Map.of("schema.registry.url", "http://a", "http.read.timeout.ms", "50"))
                .client())
        .containsEntry("http.read.timeout.ms", "50");
  }

  @Test
  void nullSetting_isIgnored() {
    Map<String, Object> settings = new HashMap<>();
    settings.put("schema.registry.url", "http://a");
    settings.put("sasl.jaas.config", null);

    assertThat(RegistrySettings.from(settings).client()).doesNotContainKey("sasl.jaas.config");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a:8081", "ftp://a", "http://", "http://a b", "x", ","})
  void urlThatIsNone_isRefused(String url) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings(url))
        .withMessageStartingWith("must be http or https URLs")
        .withMessageContaining("schema.registry.url=");
  }

  @Test
  void format_isThatOfTheRegistryUnlessSet() {
    assertThat(settings("http://a").writesIds()).isTrue();
    assertThat(
            RegistrySettings.from(
                Map.of("schema.registry.url", "http://a", "record.format", "single-object")))
        .extracting(RegistrySettings::writesIds)
        .isEqualTo(false);
    assertThat(RegistrySettings.from(Map.of("record.format", "single-object"))).isNull();
  }

  @Test
  void formatThatCannotBe_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RegistrySettings.from(Map.of("record.format", "registry")))
        .withMessage("must have schema.registry.url: record.format=registry");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RegistrySettings.from(Map.of("record.format", "json")))
        .withMessage("must be registry or single-object: record.format=json");
  }

  @Test
  void autoRegister_isABoolean() {
    assertThat(settings("http://a").autoRegister()).isTrue();
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                RegistrySettings.from(
                    Map.of("schema.registry.url", "http://a", "auto.register.schemas", "yes")))
        .withMessage("must be true or false: auto.register.schemas=yes");
  }

  private static RegistrySettings settings(String url) {
    return RegistrySettings.from(Map.of("schema.registry.url", url));
  }
}
