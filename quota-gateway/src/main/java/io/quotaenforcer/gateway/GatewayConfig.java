package io.quotaenforcer.gateway;

import io.quotaenforcer.client.internal.config.AdmissionSettings;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.gateway.check.CheckOptions;
import io.quotaenforcer.gateway.envoy.EnvoyOptions;
import io.quotaenforcer.schemas.setting.Environment;
import io.quotaenforcer.schemas.setting.SettingSource;
import io.quotaenforcer.schemas.setting.SettingValues;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Configuration of a gateway.
 *
 * @param rules where they come from
 * @param mapping file that says which attributes a checked request has
 * @param envoy what its rate limit service counts by
 * @param drain how long it goes on answering when it is told to end
 */
public record GatewayConfig(
    RuleSource rules,
    Listening listening,
    Access access,
    Optional<Path> mapping,
    CheckOptions options,
    Envoy envoy,
    Duration drain) {
  /** Variables of the prefix that are no settings of a gateway. */
  private static final List<String> OTHER_VARIABLES =
      List.of("QUOTA_COMMAND_CONFIG", "QUOTA_CONNECT_TIMEOUT", "QUOTA_ENFORCER", "QUOTA_JAVA_OPTS");

  /** Where the rules come from. */
  public sealed interface RuleSource {
    /**
     * The rules topic, by an admission client.
     *
     * @param properties of the client
     */
    record OfTopic(Map<String, String> properties) implements RuleSource {
      public OfTopic {
        properties = Map.copyOf(properties);
      }
    }

    /**
     * Files: the gateway counts alone.
     *
     * @param file of rules, if there is one beside a configuration of Envoy's service
     * @param hashKeys that values are hashed by; none if none are given
     */
    record OfFile(Optional<Path> file, HashKeys hashKeys) implements RuleSource {}
  }

  /**
   * Addresses to listen on.
   *
   * @param port of checks, and so on; 0 for a free one
   * @param connections to each of the ports for checks and for Envoy, at a time
   */
  public record Listening(String host, int port, int probePort, int grpcPort, int connections) {}

  /**
   * Who may ask, and how.
   *
   * @param certificate of TLS, with {@code key}
   */
  public record Access(Optional<Path> tokenFile, Optional<Path> certificate, Optional<Path> key) {}

  /**
   * Envoy's rate limit service.
   *
   * @param config of its own server: a file, or a folder
   */
  public record Envoy(Optional<Path> config, EnvoyOptions options) {}

  /** From values given in code; those left out have their defaults. */
  public static GatewayConfig of(Map<String, ?> values) {
    return of(List.of(SettingSource.of(values)));
  }

  /**
   * Reads sources in order of precedence.
   *
   * @throws io.quotaenforcer.schemas.setting.SettingsException with all problems
   */
  public static GatewayConfig of(List<SettingSource> sources) {
    SettingValues values = GatewaySettings.ALL.parse(sources);
    return new GatewayConfig(
        values.get(GatewaySettings.BOOTSTRAP_SERVERS).isPresent()
            ? new RuleSource.OfTopic(ofClient(sources))
            : new RuleSource.OfFile(
                values.get(GatewaySettings.RULES_FILE),
                AdmissionSettings.hashing(values).keys().current()),
        new Listening(
            values.get(GatewaySettings.HOST),
            values.get(GatewaySettings.HTTP_PORT),
            values.get(GatewaySettings.PROBE_PORT),
            values.get(GatewaySettings.GRPC_PORT),
            values.get(GatewaySettings.MAX_CONNECTIONS)),
        new Access(
            values.get(GatewaySettings.TOKEN_FILE),
            values.get(GatewaySettings.TLS_CERTIFICATE),
            values.get(GatewaySettings.TLS_KEY)),
        values.get(GatewaySettings.MAPPING_FILE),
        new CheckOptions(
            values.get(GatewaySettings.MAX_WAIT), values.get(GatewaySettings.ON_FAILURE)),
        new Envoy(
            values.get(GatewaySettings.ENVOY_CONFIG),
            new EnvoyOptions(
                values.get(GatewaySettings.MAX_WAIT),
                values.get(GatewaySettings.ENVOY_LATE),
                values.get(GatewaySettings.ENVOY_HEADERS))),
        values.get(GatewaySettings.DRAIN));
  }

  /**
   * Like {@link #of(List)}, for a gateway that a command starts.
   *
   * @param connection the command's, of the lowest precedence; without rules of a topic there is
   *     nothing to connect to
   */
  public static GatewayConfig of(List<SettingSource> sources, Optional<SettingSource> connection) {
    String rules = GatewaySettings.RULES_FILE.key();
    boolean hasFile =
        sources.stream().anyMatch(source -> !source.values().getOrDefault(rules, "").isBlank());
    List<SettingSource> all = new ArrayList<>(sources);
    connection.filter(source -> !hasFile).ifPresent(all::add);
    return of(all);
  }

  private static Map<String, String> ofClient(List<SettingSource> sources) {
    Set<String> own = new HashSet<>();
    GatewaySettings.OWN.forEach(setting -> own.add(setting.key()));
    Map<String, String> properties = new HashMap<>();
    for (SettingSource source : sources) {
      source
          .values()
          .forEach(
              (key, value) -> {
                if (!own.contains(key)) {
                  properties.putIfAbsent(key, value);
                }
              });
    }
    return properties;
  }

  /** The settings among environment variables; a misspelled setting is a problem. */
  public static SettingSource environment(Map<String, String> variables) {
    return Environment.read(GatewaySettings.ALL, variables, OTHER_VARIABLES);
  }
}
