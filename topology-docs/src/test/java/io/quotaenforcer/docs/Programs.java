package io.quotaenforcer.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.cli.Quota;
import io.quotaenforcer.enforcer.config.EnforcerConfig;
import io.quotaenforcer.enforcer.config.EnforcerSettings;
import io.quotaenforcer.gateway.GatewayConfig;
import io.quotaenforcer.gateway.GatewaySettings;
import io.quotaenforcer.lab.command.LabCommands;
import io.quotaenforcer.schemas.setting.Environment;
import io.quotaenforcer.schemas.setting.SettingSource;
import io.quotaenforcer.schemas.setting.Settings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import picocli.CommandLine.ParseResult;

/** Command lines, variables and settings that manifests start programs with, held to the code. */
final class Programs {
  /** Variables that are no settings. */
  private static final Set<String> OTHERS = Set.of("QUOTA_JAVA_OPTS", "QUOTA_COMMAND_CONFIG");

  /** Those that commands read. */
  private static final Set<String> OF_COMMANDS =
      Set.of("QUOTA_BOOTSTRAP_SERVERS", "QUOTA_TOPIC_PREFIX", "QUOTA_SCHEMA_REGISTRY_URL");

  private Programs() {}

  /** A program that is started so would not complain of its command line and settings. */
  static void assertStarts(List<String> line, Map<String, String> variables, String file) {
    assertUnderstood(line);
    Map<String, String> ours = new HashMap<>(variables);
    ours.keySet().removeIf(name -> !name.startsWith(Environment.PREFIX));
    SettingSource settings = properties(file);
    switch (line.get(0)) {
      case "enforcer" -> {
        assertThat(unknown(EnforcerSettings.ALL, ours.keySet())).isEmpty();
        EnforcerConfig.of(List.of(EnforcerConfig.environment(ours), settings));
      }
      case "gateway" -> {
        assertThat(unknown(GatewaySettings.ALL, ours.keySet())).isEmpty();
        GatewayConfig.of(List.of(GatewayConfig.environment(ours), settings));
      }
      default -> {
        ours.keySet().removeAll(OTHERS);
        assertThat(OF_COMMANDS).containsAll(ours.keySet());
      }
    }
  }

  /**
   * The {@code quota} program knows each word of its command line; it collects what it does not.
   */
  static void assertUnderstood(List<String> line) {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    ParseResult parsed =
        Quota.create(nowhere, nowhere, Map.of(), LabCommands::create)
            .parseArgs(line.toArray(String[]::new));
    for (ParseResult at = parsed; at != null; at = at.subcommand()) {
      assertThat(at.errors()).as("quota " + line).isEmpty();
    }
  }

  /** Variables that look like settings and are none, which a program would ignore. */
  static Set<String> unknown(Settings settings, Set<String> variables) {
    Set<String> unknown = new HashSet<>(variables);
    unknown.removeAll(OTHERS);
    settings.all().forEach(setting -> unknown.remove(Environment.variable(setting.key())));
    return unknown;
  }

  static SettingSource properties(String text) {
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, String> values = new HashMap<>();
    properties.forEach((key, value) -> values.put((String) key, (String) value));
    return new SettingSource("file", values);
  }
}
