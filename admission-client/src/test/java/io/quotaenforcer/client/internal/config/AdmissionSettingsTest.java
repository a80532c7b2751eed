package io.quotaenforcer.client.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.allotment.Spreading;
import io.quotaenforcer.schemas.codec.CodecException;
import io.quotaenforcer.schemas.setting.SettingsException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdmissionSettingsTest {
  @ParameterizedTest
  @CsvSource({
    "http.conect.timeout.ms, http.connect.timeout.ms",
    "http.reed.timeout.ms, http.read.timeout.ms",
    "basic.auth.user.inf, basic.auth.user.info",
    "bearer.auth.tokn, bearer.auth.token",
    "auto.register.schema, auto.register.schemas",
    "schema.registry.ssl.truststore.locaton, schema.registry.ssl.truststore.location",
    "record.fromat, record.format",
  })
  void key_misspelt_isRefusedWithTheNearest(String key, String nearest) {
    assertThatExceptionOfType(SettingsException.class)
        .isThrownBy(() -> read(Map.of(key, "1")))
        .withMessage("unknown setting: %s (did you mean %s?)", key, nearest);
  }

  @Test
  void key_ofNoLibrary_isRefusedWithThoseThereAre() {
    assertThatExceptionOfType(SettingsException.class)
        .isThrownBy(() -> read(Map.of("http.port", "1")))
        .withMessage(
            "unknown setting: http.port (there is http.connect.timeout.ms, http.read.timeout.ms)");
  }

  @Test
  void recordFormat_withoutARegistry_canOnlyBeSingleObject() {
    assertThat(read(Map.of("record.format", "single-object"))).isNotNull();
    assertThatExceptionOfType(SettingsException.class)
        .isThrownBy(() -> read(Map.of("record.format", "registry")))
        .withMessage("must have schema.registry.url: record.format=registry");
    assertThatExceptionOfType(SettingsException.class)
        .isThrownBy(() -> read(Map.of("record.format", "json")))
        .withMessageContaining("one of registry, single-object, or empty: record.format=json");
  }

  @Test
  void settingsThatAreWrong_areToldTogether_withThoseThatDoNotFitTogether() {
    assertThatExceptionOfType(SettingsException.class)
        .isThrownBy(
            () ->
                read(
                    Map.of(
                        "max.wating", "1",
                        "defer.timeout", "1ms",
                        "schema.registry.url", "http://me:secret@registry",
                        "auto.register.schemas", "maybe")))
        .withMessageContaining("max.wating (did you mean max.waiting?)")
        .withMessageContaining("defer.timeout=1ms")
        .withMessageContaining("schema.registry.url=http://***@registry")
        .withMessageContaining("auto.register.schemas=maybe");
  }

  @Test
  void recordFormat_singleObjectBesideARegistry_opensTheRegistryForReading() {
    assertThatExceptionOfType(CodecException.class)
        .isThrownBy(
            () ->
                read(
                    Map.of(
                        "schema.registry.url",
                        "http://127.0.0.1:1",
                        "record.format",
                        "single-object")))
        .withMessageContaining("add the artifact io.quotaenforcer:quota-registry-client");
  }

  @Test
  void allotments_nothingSet_areThoseThatTheCoreIsTestedWith() {
    BookSettings unset = read(Map.of()).deciding().bookSettings();
    assertThat(unset)
        .usingRecursiveComparison()
        .ignoringFields("spreading")
        .isEqualTo(BookSettings.defaults());
    assertThat(unset.spreading())
        .isEqualTo(Spreading.over(Runtime.getRuntime().availableProcessors()));
  }

  private static AdmissionConfig read(Map<String, String> properties) {
    Map<String, String> all = new HashMap<>(properties);
    all.put("bootstrap.servers", "127.0.0.1:1");
    return AdmissionSettings.read(all, UnaryOperator.identity());
  }
}
