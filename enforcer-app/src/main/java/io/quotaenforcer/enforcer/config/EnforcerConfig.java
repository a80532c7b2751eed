package io.quotaenforcer.enforcer.config;

import io.quotaenforcer.core.setting.Environment;
import io.quotaenforcer.core.setting.Setting;
import io.quotaenforcer.core.setting.SettingProblem;
import io.quotaenforcer.core.setting.SettingSource;
import io.quotaenforcer.core.setting.SettingValues;
import io.quotaenforcer.core.setting.SettingsException;
import io.quotaenforcer.schemas.codec.RecordFormat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How an enforcer is set up.
 *
 * @param kafka how to reach the brokers
 * @param topicPrefix begins the name of every topic
 * @param registry of schemas, in its client's words; empty when there is none
 */
public record EnforcerConfig(
    KafkaConnection kafka,
    String topicPrefix,
    Map<String, Object> registry,
    RuntimeConfig runtime,
    LedgerConfig ledger,
    HttpConfig http) {
  /** Variables of the prefix that are no settings of an enforcer. */
  private static final List<String> OTHER_VARIABLES =
      List.of("QUOTA_COMMAND_CONFIG", "QUOTA_CONNECT_TIMEOUT", "QUOTA_ENFORCER", "QUOTA_JAVA_OPTS");

  public EnforcerConfig {
    registry = Map.copyOf(registry);
  }

  /** From values given in code; those left out have their defaults. */
  public static EnforcerConfig of(Map<String, ?> values) {
    return of(List.of(SettingSource.of(values)));
  }

  /**
   * From sources of which the first one that gives a key counts.
   *
   * @throws SettingsException with all that is wrong
   */
  public static EnforcerConfig of(List<SettingSource> sources) {
    SettingValues values = EnforcerSettings.ALL.parse(sources);
    refuseOwnKeys(values);
    Map<String, Object> registry = new HashMap<>();
    values
        .get(EnforcerSettings.REGISTRY)
        .ifPresent(
            url -> {
              registry.put(EnforcerSettings.REGISTRY.key(), url);
              LibraryKeys.REGISTRY.forEach(prefix -> registry.putAll(values.passedThrough(prefix)));
            });
    Optional<RecordFormat> format = values.get(EnforcerSettings.RECORD_FORMAT);
    format.ifPresent(given -> registry.put(RecordFormat.KEY, given.word()));
    refuseFormat(format, values.get(EnforcerSettings.REGISTRY).isPresent());
    return new EnforcerConfig(
        KafkaConnection.of(values, origin(EnforcerSettings.BOOTSTRAP_SERVERS, sources)),
        values.get(EnforcerSettings.TOPIC_PREFIX),
        registry,
        RuntimeConfig.of(values),
        LedgerConfig.of(values),
        HttpConfig.of(values));
  }

  /**
   * The settings among environment variables.
   *
   * @throws SettingsException when a variable is nearly that of a setting, or was one
   */
  public static SettingSource environment(Map<String, String> variables) {
    RetiredVariables.refuse(variables);
    return Environment.read(EnforcerSettings.ALL, variables, OTHER_VARIABLES);
  }

  /** Where a value comes from, in words for a message. */
  private static String origin(Setting<?> setting, List<SettingSource> sources) {
    return sources.stream()
        .filter(source -> source.values().containsKey(setting.key()))
        .findFirst()
        .map(source -> setting.key() + (source.name().isEmpty() ? "" : " of " + source.name()))
        .orElse("the default of " + setting.key());
  }

  private static void refuseFormat(Optional<RecordFormat> format, boolean hasRegistry) {
    RecordFormat.complaint(format, hasRegistry)
        .ifPresent(
            complaint -> {
              throw new SettingsException(
                  List.of(new SettingProblem("", RecordFormat.KEY, complaint)));
            });
  }

  private static void refuseOwnKeys(SettingValues values) {
    List<SettingProblem> problems = new ArrayList<>();
    for (String key : new TreeMap<>(values.passedThrough(LibraryKeys.STREAMS)).keySet()) {
      String owner = StreamsSettings.OWNED.get(key);
      if (owner != null) {
        String written = LibraryKeys.STREAMS + key;
        problems.add(
            new SettingProblem("", written, "must not be set: " + written + " (" + owner + ")"));
      }
    }
    if (!problems.isEmpty()) {
      throw new SettingsException(problems);
    }
  }
}
