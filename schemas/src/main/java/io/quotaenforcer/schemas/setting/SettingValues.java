package io.quotaenforcer.schemas.setting;

import java.util.Map;
import java.util.Optional;

/** The values of all settings of a {@link Settings}, given or by default. */
public final class SettingValues {
  private final Map<Setting<?>, Object> values;
  private final Map<String, Map<String, String>> passedThrough;
  private final Map<Setting<?>, String> sources;

  SettingValues(
      Map<Setting<?>, Object> values,
      Map<String, Map<String, String>> passedThrough,
      Map<Setting<?>, String> sources) {
    this.values = Map.copyOf(values);
    this.passedThrough = Map.copyOf(passedThrough);
    this.sources = Map.copyOf(sources);
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

  boolean has(Setting<?> setting) {
    return values.containsKey(setting);
  }

  /** Name of the source that gave a value; empty when it is the default. */
  public Optional<String> source(Setting<?> setting) {
    return Optional.ofNullable(sources.get(setting));
  }

  /** Values passed on to a library: the keys with {@code prefix}, under the library's names. */
  public Map<String, String> passedThrough(String prefix) {
    return passedThrough.getOrDefault(prefix, Map.of());
  }
}
