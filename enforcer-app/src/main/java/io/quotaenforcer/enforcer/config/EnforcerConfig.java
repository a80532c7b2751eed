package io.quotaenforcer.enforcer.config;

import io.quotaenforcer.schemas.setting.Environment;
import io.quotaenforcer.schemas.setting.SettingProblem;
import io.quotaenforcer.schemas.setting.SettingSource;
import io.quotaenforcer.schemas.setting.SettingValues;
import io.quotaenforcer.schemas.setting.SettingsException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Configuration of an enforcer.
 *
 * @param kafka how to reach the brokers
 * @param topicPrefix begins the name of every topic
 * @param registry of schemas
 */
public record EnforcerConfig(
    KafkaConnection kafka,
    String topicPrefix,
    RegistryConnection registry,
    RuntimeConfig runtime,
    LedgerConfig ledger,
    HttpConfig http) {
  /** Variables of the prefix that are no settings of an enforcer. */
  private static final List<String> OTHER_VARIABLES =
      List.of(
          "QUOTA_COMMAND_CONFIG",
          "QUOTA_CONNECT_TIMEOUT",
          "QUOTA_ENFORCER",
          "QUOTA_HASH_KEYS",
          "QUOTA_HASH_KEYS_FILE",
          "QUOTA_JAVA_OPTS");

  /** From values given in code; those left out have their defaults. */
  public static EnforcerConfig of(Map<String, ?> values) {
    return of(List.of(SettingSource.of(values)));
  }

  /**
   * Reads sources in order of precedence.
   *
   * @throws SettingsException with all problems
   */
  public static EnforcerConfig of(List<SettingSource> sources) {
    SettingValues values = EnforcerSettings.ALL.parse(sources);
    return new EnforcerConfig(
        KafkaConnection.of(values, Origins.of(values, EnforcerSettings.BOOTSTRAP_SERVERS)),
        values.get(EnforcerSettings.TOPIC_PREFIX),
        RegistryConnection.of(values),
        RuntimeConfig.of(values),
        LedgerConfig.of(values),
        HttpConfig.of(values));
  }

  /**
   * Like {@link #of(List)}, for an enforcer that a command starts.
   *
   * @param command the sources of its command line beside an enforcer's own settings
   * @param file the command's file for Kafka clients, of the lowest precedence
   */
  public static EnforcerConfig of(
      List<SettingSource> sources, List<SettingSource> command, Optional<SettingSource> file) {
    List<SettingProblem> problems = new ArrayList<>();
    List<SettingSource> all = new ArrayList<>(sources);
    List<SettingSource> ofCommand = new ArrayList<>(command);
    file.ifPresent(ofCommand::add);
    Map<String, String> bare = new HashMap<>();
    try {
      bare.putAll(CommandConfig.of(ofCommand).bare());
      file.ifPresent(source -> all.add(CommandConfig.ofEnforcer(source, bare)));
    } catch (SettingsException e) {
      problems.addAll(e.problems());
    }
    try {
      EnforcerConfig config = of(all);
      if (problems.isEmpty()) {
        return config.overKafka(bare);
      }
    } catch (SettingsException e) {
      problems.addAll(e.problems());
    }
    throw new SettingsException(problems);
  }

  private EnforcerConfig overKafka(Map<String, String> common) {
    return new EnforcerConfig(kafka.over(common), topicPrefix, registry, runtime, ledger, http);
  }

  /** The settings among environment variables; a misspelled or former setting is a problem. */
  public static SettingSource environment(Map<String, String> variables) {
    SettingSource read = Environment.read(EnforcerSettings.ALL, variables, OTHER_VARIABLES);
    List<SettingProblem> problems = new ArrayList<>(RetiredVariables.problems(variables));
    read.problems().stream()
        .filter(problem -> !RetiredVariables.isOne(problem.key()))
        .forEach(problems::add);
    return new SettingSource(read.name(), read.values(), problems);
  }
}
