package io.quotaenforcer.enforcer.config;

import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.codec.RecordFormat;
import io.quotaenforcer.schemas.setting.SettingProblem;
import io.quotaenforcer.schemas.setting.SettingValues;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Connection to the schema registry, if there is one.
 *
 * @param settings in the words of its client; only the record format if there is none
 * @param origin where its URL is configured, in words for a message; empty if there is none
 */
public record RegistryConnection(Map<String, Object> settings, String origin) {
  private static final String AUTO_REGISTER = "auto.register.schemas";

  public RegistryConnection {
    settings = Map.copyOf(settings);
  }

  static RegistryConnection of(SettingValues values) {
    boolean exists = values.get(EnforcerSettings.REGISTRY).isPresent();
    return new RegistryConnection(
        settings(values), exists ? Origins.of(values, EnforcerSettings.REGISTRY) : "");
  }

  static List<SettingProblem> problems(SettingValues values) {
    return Codecs.complaints(settings(values)).stream()
        .map(complaint -> problem(values, complaint))
        .toList();
  }

  private static SettingProblem problem(SettingValues values, String complaint) {
    String key = EnforcerSettings.REGISTRY.key();
    boolean isOfUrl = complaint.contains(key + "=");
    String source = isOfUrl ? values.source(EnforcerSettings.REGISTRY).orElse("") : "";
    return new SettingProblem(source, key, complaint);
  }

  /** Codecs for the records. */
  public Codecs codecs() {
    return Codecs.from(settings, origin);
  }

  /** Codecs that look schemas up and register none, to see what a registry has. */
  public Codecs codecsThatRegisterNothing() {
    if (!exists()) {
      return codecs();
    }
    Map<String, Object> reading = new HashMap<>(settings);
    reading.put(AUTO_REGISTER, false);
    return Codecs.from(reading, origin);
  }

  public boolean exists() {
    return !origin.isEmpty();
  }

  /** Whether a schema that the registry does not have is registered by whoever writes first. */
  public boolean registers() {
    return !String.valueOf(settings.get(AUTO_REGISTER)).equals("false");
  }

  private static Map<String, Object> settings(SettingValues values) {
    Map<String, Object> settings = new HashMap<>();
    values
        .get(EnforcerSettings.REGISTRY)
        .ifPresent(
            url -> {
              settings.put(EnforcerSettings.REGISTRY.key(), url);
              settings.putAll(values.passedThrough(LibraryKeys.BARE));
              LibraryKeys.REGISTRY.forEach(prefix -> settings.putAll(values.passedThrough(prefix)));
            });
    values
        .get(EnforcerSettings.RECORD_FORMAT)
        .ifPresent(given -> settings.put(RecordFormat.KEY, given.word()));
    return settings;
  }
}
