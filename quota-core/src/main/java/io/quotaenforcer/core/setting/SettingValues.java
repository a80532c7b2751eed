package io.quotaenforcer.core.setting;

import java.util.Map;

/** The values of all settings of a {@link Settings}, given or by default. */
public final class SettingValues {
  private final Map<Setting<?>, Object> values;
  private final Map<String, Map<String, String>> passedThrough;

  SettingValues(Map<Setting<?>, Object> values, Map<String, Map<String, String>> passedThrough) {
    this.values = Map.copyOf(values);
    this.passedThrough = Map.copyOf(passedThrough);
  }

  /** The value of a setting of these settings. */
  @SuppressWarnings("unchecked") // Only Settings puts values, and each by its own type.
  public <T> T get(Setting<T> setting) {
    Object value = values.get(setting);
    if (value == null) {
      throw new IllegalArgumentException("must be one of these settings: key=" + setting.key());
    }
    return (T) value;
  }

  /** What is handed on of the keys that begin with {@code prefix}, as the library names them. */
  public Map<String, String> passedThrough(String prefix) {
    return passedThrough.getOrDefault(prefix, Map.of());
  }
}
