package io.quotaenforcer.schemas.setting;

import io.quotaenforcer.core.Suggestions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** The settings of a part of the project; reads their values strictly. */
public final class Settings {
  private final Map<String, Setting<?>> byKey = new LinkedHashMap<>();
  private final List<PassThrough> passThrough;
  private final List<SettingCheck> checks;

  public Settings(List<? extends Setting<?>> settings, List<PassThrough> passThrough) {
    this(settings, passThrough, List.of());
  }

  /**
   * @param checks of several settings together
   */
  public Settings(
      List<? extends Setting<?>> settings,
      List<PassThrough> passThrough,
      List<SettingCheck> checks) {
    for (Setting<?> setting : settings) {
      if (byKey.put(setting.key(), setting) != null) {
        throw new IllegalArgumentException("must be unique: key=" + setting.key());
      }
    }
    this.passThrough = List.copyOf(passThrough);
    this.checks = List.copyOf(checks);
  }

  /** In the order of the reference. */
  public List<Setting<?>> all() {
    return List.copyOf(byKey.values());
  }

  public List<PassThrough> passThrough() {
    return passThrough;
  }

  /** Like {@link #parse(List)}, from one map whose values may be objects. */
  public SettingValues parse(Map<String, ?> values) {
    return parse(List.of(SettingSource.of(values)));
  }

  /**
   * Reads the values; where sources give the same key, the first one counts.
   *
   * @throws SettingsException with all problems: unreadable sources, unknown keys, wrong values,
   *     missing settings, and contradictions
   */
  public SettingValues parse(List<SettingSource> sources) {
    List<SettingProblem> problems = new ArrayList<>();
    Map<Setting<?>, Object> values = new HashMap<>();
    Map<String, Map<String, String>> passed = new HashMap<>();
    Map<Setting<?>, String> given = new HashMap<>();
    for (SettingSource source : sources) {
      problems.addAll(source.problems());
      new TreeMap<>(source.values())
          .forEach(
              (key, text) -> {
                Setting<?> setting = byKey.get(key);
                if (setting == null) {
                  pass(source, key, text, passed).ifPresent(problems::add);
                } else if (given.putIfAbsent(setting, source.name()) == null) {
                  read(source, setting, text, values).ifPresent(problems::add);
                }
              });
    }
    for (Setting<?> setting : byKey.values()) {
      if (!given.containsKey(setting)) {
        setting
            .defaultText()
            .ifPresentOrElse(
                text -> values.put(setting, setting.type().parse(text)),
                () -> problems.add(missing(setting)));
      }
    }
    SettingValues read = new SettingValues(values, passed, given);
    checks.forEach(check -> problems.addAll(check.of(read)));
    if (!problems.isEmpty()) {
      throw new SettingsException(problems);
    }
    return read;
  }

  private static Optional<SettingProblem> read(
      SettingSource source, Setting<?> setting, String text, Map<Setting<?>, Object> values) {
    try {
      values.put(setting, setting.type().parse(text));
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      String shown = setting.type().secret() ? "(hidden)" : text;
      String message = e.getMessage() + ": " + setting.key() + "=" + shown;
      return Optional.of(new SettingProblem(source.name(), setting.key(), message));
    }
  }

  private Optional<SettingProblem> pass(
      SettingSource source, String key, String text, Map<String, Map<String, String>> passed) {
    for (PassThrough library : passThrough) {
      if (key.startsWith(library.prefix()) && key.length() > library.prefix().length()) {
        String name = library.nameOf(key);
        Optional<String> meant =
            library.known().contains(name)
                ? Optional.empty()
                : Suggestions.nearest(name, new TreeSet<>(library.known()));
        if (meant.isPresent()) {
          String prefix = library.strip() ? library.prefix() : "";
          return Optional.of(unknown(source, key, Optional.of(prefix + meant.get())));
        }
        if (!library.extensible() && !library.known().contains(name)) {
          Optional<String> own = Suggestions.nearest(key, byKey.keySet());
          return Optional.of(
              own.isPresent() ? unknown(source, key, own) : unknown(source, key, library));
        }
        passed
            .computeIfAbsent(library.prefix(), any -> new LinkedHashMap<>())
            .putIfAbsent(name, text);
        return Optional.empty();
      }
    }
    return Optional.of(unknown(source, key, Suggestions.nearest(key, byKey.keySet())));
  }

  private static SettingProblem unknown(SettingSource source, String key, Optional<String> meant) {
    String hint = meant.map(nearest -> " (did you mean " + nearest + "?)").orElse("");
    return new SettingProblem(source.name(), key, "unknown setting: " + key + hint);
  }

  private static SettingProblem unknown(SettingSource source, String key, PassThrough library) {
    String known = String.join(", ", new TreeSet<>(library.known()));
    String message = "unknown setting: " + key + " (there is " + known + ")";
    return new SettingProblem(source.name(), key, message);
  }

  private static SettingProblem missing(Setting<?> setting) {
    String message = "must be set: " + setting.key() + " (" + setting.type().expected() + ")";
    return new SettingProblem("", setting.key(), message);
  }
}
