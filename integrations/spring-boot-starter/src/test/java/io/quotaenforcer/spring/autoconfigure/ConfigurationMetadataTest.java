package io.quotaenforcer.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.internal.config.AdmissionSettings;
import io.quotaenforcer.schemas.setting.Setting;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;

/** The description of the properties that editors read. */
class ConfigurationMetadataTest {
  private final Map<String, Map<String, Object>> properties = properties();

  @Test
  void ownProperties_areAllThere() {
    List<String> names = new ArrayList<>();
    collect("quota", QuotaProperties.class, names);
    names.remove("quota.client");
    names.add("management.health.quota.enabled");
    assertThat(
            properties.keySet().stream().filter(name -> !name.startsWith("quota.client.")).toList())
        .containsExactlyInAnyOrderElementsOf(names);
  }

  @Test
  void settingsOfTheClient_areAllThere_asItsReferenceHasThem() {
    Map<String, String> expected = new HashMap<>();
    for (Setting<?> setting : AdmissionSettings.ALL.all()) {
      expected.put(
          "quota.client." + setting.key(),
          setting.doc() + " Default: " + setting.defaultText().orElse("Spring's") + ".");
    }
    Map<String, String> actual = new HashMap<>();
    properties.forEach(
        (name, property) -> {
          if (name.startsWith("quota.client.")) {
            String value = (String) property.getOrDefault("defaultValue", "Spring's");
            actual.put(name, property.get("description") + " Default: " + value + ".");
          }
        });
    assertThat(new TreeSet<>(actual.values())).isEqualTo(new TreeSet<>(expected.values()));
    assertThat(actual).isEqualTo(expected);
  }

  private static void collect(String prefix, Class<?> type, List<String> names) {
    for (RecordComponent component : type.getRecordComponents()) {
      String name =
          prefix + "." + component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
      if (component.getType().isRecord()) {
        collect(name, component.getType(), names);
      } else {
        names.add(name);
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Map<String, Object>> properties() {
    Map<String, Map<String, Object>> byName = new HashMap<>();
    Map<String, Object> all = JsonParserFactory.getJsonParser().parseMap(text());
    for (Object each : (List<Object>) all.get("properties")) {
      Map<String, Object> property = (Map<String, Object>) each;
      byName.put((String) property.get("name"), property);
    }
    return byName;
  }

  /** Each jar of Spring Boot has such a file. */
  private static String text() {
    try {
      for (URL url :
          Collections.list(
              QuotaProperties.class
                  .getClassLoader()
                  .getResources("META-INF/spring-configuration-metadata.json"))) {
        try (InputStream in = url.openStream()) {
          String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
          if (text.contains("\"quota.enabled\"")) {
            return text;
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new AssertionError("there is no metadata");
  }
}
