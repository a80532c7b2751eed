package io.quotaenforcer.schemas.setting;

import io.quotaenforcer.core.Suggestions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Settings in environment variables: {@code http.port} is {@code QUOTA_HTTP_PORT}, and {@code
 * producer.linger.ms} is {@code QUOTA_PRODUCER_LINGER_MS}.
 *
 * <p>Other programs own variables of this prefix too (Kubernetes makes some up from the names of
 * services): an unknown one is an error only where it is nearly the name of a setting.
 */
public final class Environment {
  public static final String PREFIX = "QUOTA_";

  /** Name of the source. */
  public static final String NAME = "environment";

  private Environment() {}

  /** The variable of a setting. */
  public static String variable(String key) {
    return PREFIX + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  /**
   * The settings among the variables; a variable that is nearly that of a setting is a problem.
   *
   * @param others variables of the prefix that are not settings
   */
  public static SettingSource read(
      Settings settings, Map<String, String> environment, List<String> others) {
    Map<String, String> keys = new LinkedHashMap<>();
    settings.all().forEach(setting -> keys.put(variable(setting.key()), setting.key()));
    Map<String, String> values = new LinkedHashMap<>();
    List<SettingProblem> problems = new ArrayList<>();
    environment.forEach(
        (name, text) -> {
          if (!name.startsWith(PREFIX) || others.contains(name)) {
            return;
          }
          Optional<String> key =
              keys.containsKey(name) ? Optional.of(keys.get(name)) : passed(settings, name);
          if (key.isPresent()) {
            values.put(key.get(), text);
          } else {
            Suggestions.nearest(name, keys.keySet())
                .ifPresent(meant -> problems.add(problem(name, meant)));
          }
        });
    return new SettingSource(NAME, values, problems);
  }

  private static Optional<String> passed(Settings settings, String name) {
    for (PassThrough library : settings.passThrough()) {
      String prefix = variable(library.prefix());
      if (name.startsWith(prefix) && name.length() > prefix.length()) {
        String rest = name.substring(prefix.length()).toLowerCase(Locale.ROOT);
        String key = library.prefix() + rest.replace('_', '.');
        return library.known().contains(library.nameOf(key)) ? Optional.of(key) : Optional.empty();
      }
    }
    return Optional.empty();
  }

  private static SettingProblem problem(String name, String meant) {
    return new SettingProblem(
        NAME, name, "unknown variable: " + name + " (did you mean " + meant + "?)");
  }
}
