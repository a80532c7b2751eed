package io.quotaenforcer.schemas.setting;

import java.util.Optional;

/**
 * One setting; the settings reference is rendered from these.
 *
 * @param key name in a properties file
 * @param type the permitted values
 * @param defaultText the default value; empty if the setting is required
 * @param doc one or two sentences: its meaning, and the trade-off of a larger or smaller value
 */
public record Setting<T>(
    String key, SettingType<T> type, Optional<String> defaultText, String doc) {

  public Setting {
    if (key.isEmpty() || doc.isEmpty()) {
      throw new IllegalArgumentException("must have a key and a doc: key=" + key);
    }
    defaultText.ifPresent(type::parse);
  }

  /** A setting that has a default, written as in a properties file. */
  public static <T> Setting<T> of(String key, SettingType<T> type, String defaultText, String doc) {
    return new Setting<>(key, type, Optional.of(defaultText), doc);
  }

  /** A setting without which nothing can start. */
  public static <T> Setting<T> required(String key, SettingType<T> type, String doc) {
    return new Setting<>(key, type, Optional.empty(), doc);
  }

  /** A setting that may be left out, and then has no value. */
  public static <T> Setting<Optional<T>> optional(String key, SettingType<T> type, String doc) {
    return new Setting<>(key, SettingTypes.optional(type), Optional.of(""), doc);
  }
}
