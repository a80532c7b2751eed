package io.quotaenforcer.schemas.setting;

/**
 * One reason why settings were refused.
 *
 * @param source name of the {@link SettingSource}; empty if it does not matter
 * @param key of the setting, as it was written
 * @param message names key and value, and says what would be right
 */
public record SettingProblem(String source, String key, String message) {
  @Override
  public String toString() {
    return source.isEmpty() ? message : source + ": " + message;
  }
}
