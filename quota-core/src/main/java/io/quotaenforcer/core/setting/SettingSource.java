package io.quotaenforcer.core.setting;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where values come from.
 *
 * @param name in messages: a file, the environment; empty when there is only one
 * @param values by key
 */
public record SettingSource(String name, Map<String, String> values) {
  public SettingSource {
    values = Map.copyOf(values);
  }

  /** Values given in code: durations, numbers and truth values may be objects. */
  public static SettingSource of(Map<String, ?> values) {
    Map<String, String> texts = new LinkedHashMap<>();
    values.forEach((key, value) -> texts.put(key, String.valueOf(value)));
    return new SettingSource("", texts);
  }
}
