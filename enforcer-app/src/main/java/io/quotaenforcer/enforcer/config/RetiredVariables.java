package io.quotaenforcer.enforcer.config;

import io.quotaenforcer.core.setting.SettingProblem;
import io.quotaenforcer.core.setting.SettingsException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Environment variables that have another name now: each setting has one. */
public final class RetiredVariables {
  private static final Map<String, String> NAMES =
      new TreeMap<>(
          Map.of(
              "QUOTA_BOOTSTRAP_SERVER", "QUOTA_BOOTSTRAP_SERVERS",
              "QUOTA_PREFIX", "QUOTA_TOPIC_PREFIX",
              "QUOTA_SCHEMA_REGISTRY", "QUOTA_SCHEMA_REGISTRY_URL"));

  private RetiredVariables() {}

  /**
   * Refuses those that are set: ignored, they would lead to another cluster than was meant.
   *
   * @throws SettingsException that names the variables to set instead
   */
  public static void refuse(Map<String, String> environment) {
    List<SettingProblem> problems =
        NAMES.entrySet().stream()
            .filter(name -> environment.containsKey(name.getKey()))
            .map(
                name ->
                    new SettingProblem(
                        "environment",
                        name.getKey(),
                        "%s is %s now: set that instead, and unset the old one"
                            .formatted(name.getKey(), name.getValue())))
            .toList();
    if (!problems.isEmpty()) {
      throw new SettingsException(problems);
    }
  }
}
