package io.quotaenforcer.enforcer.config;

import io.quotaenforcer.schemas.setting.Environment;
import io.quotaenforcer.schemas.setting.SettingProblem;
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
   * Retired variables that are set, each with its replacement: if they were ignored, the program
   * would connect to the wrong cluster.
   */
  public static List<SettingProblem> problems(Map<String, String> environment) {
    return NAMES.entrySet().stream()
        .filter(name -> environment.containsKey(name.getKey()))
        .map(
            name ->
                new SettingProblem(
                    Environment.NAME,
                    name.getKey(),
                    "%s is %s now: set that instead, and unset the old one"
                        .formatted(name.getKey(), name.getValue())))
        .toList();
  }

  static boolean isOne(String variable) {
    return NAMES.containsKey(variable);
  }
}
