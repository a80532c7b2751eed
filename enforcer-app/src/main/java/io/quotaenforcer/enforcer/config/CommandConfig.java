package io.quotaenforcer.enforcer.config;

import io.quotaenforcer.schemas.setting.Environment;
import io.quotaenforcer.schemas.setting.Setting;
import io.quotaenforcer.schemas.setting.SettingCheck;
import io.quotaenforcer.schemas.setting.SettingSource;
import io.quotaenforcer.schemas.setting.SettingTypes;
import io.quotaenforcer.schemas.setting.SettingValues;
import io.quotaenforcer.schemas.setting.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A command's connection to the cluster. Its file may hold the keys of a file for Kafka's own
 * commands, and those of an enforcer's file; settings of an enforcer that a command does not use
 * are checked and ignored.
 *
 * @param connectTimeout how long Kafka may take to answer
 * @param bare what a file says of Kafka's clients without a prefix
 */
public record CommandConfig(
    KafkaConnection kafka,
    String topicPrefix,
    RegistryConnection registry,
    Duration connectTimeout,
    Map<String, String> bare) {
  /** Not a key of files; names the option and the environment variable. */
  public static final String CONNECT_TIMEOUT_KEY = "connect.timeout";

  private static final Setting<Duration> CONNECT_TIMEOUT =
      Setting.of(
          CONNECT_TIMEOUT_KEY,
          SettingTypes.duration("1ms", "10m"),
          "8s",
          "How long Kafka may take to answer.");

  private static final Settings ALL = settings();

  public CommandConfig {
    bare = Map.copyOf(bare);
  }

  private static Settings settings() {
    List<Setting<?>> all = new ArrayList<>(EnforcerSettings.ALL.all());
    all.add(CONNECT_TIMEOUT);
    return new Settings(
        all,
        LibraryKeys.ofCommands(all),
        List.of(
            new SettingCheck(
                List.of(EnforcerSettings.REGISTRY, EnforcerSettings.RECORD_FORMAT),
                RegistryConnection::problems)));
  }

  /**
   * Reads sources in order of precedence.
   *
   * @throws io.quotaenforcer.schemas.setting.SettingsException with all problems
   */
  public static CommandConfig of(List<SettingSource> sources) {
    SettingValues values = ALL.parse(sources);
    return new CommandConfig(
        KafkaConnection.of(values, origin(values)),
        values.get(EnforcerSettings.TOPIC_PREFIX),
        RegistryConnection.of(values),
        values.get(CONNECT_TIMEOUT),
        values.passedThrough(LibraryKeys.BARE));
  }

  private static String origin(SettingValues values) {
    Setting<?> servers = EnforcerSettings.BOOTSTRAP_SERVERS;
    return values.source(servers).isPresent()
        ? Origins.of(values, servers)
        : "by default; see --bootstrap-server and $" + Environment.variable(servers.key());
  }

  /** The entries of a command's file that are also settings of an enforcer. */
  static SettingSource ofEnforcer(SettingSource file, Map<String, String> bare) {
    Map<String, String> values = new HashMap<>(file.values());
    values.keySet().removeAll(bare.keySet());
    values.remove(CONNECT_TIMEOUT_KEY);
    return new SettingSource(file.name(), values);
  }
}
