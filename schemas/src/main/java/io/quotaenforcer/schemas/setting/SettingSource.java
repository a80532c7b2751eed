package io.quotaenforcer.schemas.setting;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A source of values.
 *
 * @param name in messages: a file, the environment; empty when there is only one
 * @param values by key
 * @param problems why some of it, or all, could not be read
 */
public record SettingSource(
    String name, Map<String, String> values, List<SettingProblem> problems) {
  public SettingSource {
    values = Map.copyOf(values);
    problems = List.copyOf(problems);
  }

  /** A source that was read without problems. */
  public SettingSource(String name, Map<String, String> values) {
    this(name, values, List.of());
  }

  /** Values given in code: durations, numbers and truth values may be objects. */
  public static SettingSource of(Map<String, ?> values) {
    Map<String, String> texts = new LinkedHashMap<>();
    values.forEach((key, value) -> texts.put(key, String.valueOf(value)));
    return new SettingSource("", texts);
  }
}
