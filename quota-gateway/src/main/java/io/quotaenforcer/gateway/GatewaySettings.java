package io.quotaenforcer.gateway;

import io.quotaenforcer.client.internal.config.AdmissionSettings;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.http.HttpQuota.OnFailure;
import io.quotaenforcer.schemas.setting.PassThrough;
import io.quotaenforcer.schemas.setting.Setting;
import io.quotaenforcer.schemas.setting.SettingCheck;
import io.quotaenforcer.schemas.setting.SettingProblem;
import io.quotaenforcer.schemas.setting.SettingType;
import io.quotaenforcer.schemas.setting.SettingTypes;
import io.quotaenforcer.schemas.setting.SettingValues;
import io.quotaenforcer.schemas.setting.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Every setting of a gateway: its own, and those of the admission client in it. */
public final class GatewaySettings {
  private static final int MOST_PORT = 65_535;

  static final Setting<Optional<String>> BOOTSTRAP_SERVERS =
      Setting.optional(
          "bootstrap.servers",
          SettingTypes.hostPorts(),
          "Kafka brokers to ask for all others. Required, unless the gateway counts alone, by"
              + " rules.file or envoy.config.");

  static final Setting<Optional<Path>> RULES_FILE =
      Setting.optional(
          "rules.file",
          SettingTypes.path(),
          "Rules to decide by without Kafka: this gateway counts alone. Empty: those of the rules"
              + " topic, and all gateways and services together hold a limit.");

  static final Setting<String> HOST =
      Setting.of(
          "http.host",
          SettingTypes.text(),
          "127.0.0.1",
          "Address to listen on; 0.0.0.0 for every one of the machine. Whoever reaches it may use"
              + " up anybody's quota: keep it to your proxies, or set http.token.file.");

  static final Setting<Integer> HTTP_PORT =
      Setting.of(
          "http.port",
          SettingTypes.integer(0, MOST_PORT),
          "8080",
          "Port of checks; 0: a free one.");

  static final Setting<Integer> PROBE_PORT =
      Setting.of(
          "http.probe.port",
          SettingTypes.integer(0, MOST_PORT),
          "8082",
          "Port of /health/ready, /health/live and /metrics; 0: a free one.");

  static final Setting<Integer> GRPC_PORT =
      Setting.of(
          "grpc.port",
          SettingTypes.integer(0, MOST_PORT),
          "8081",
          "Port of Envoy's rate limit service; 0: a free one.");

  static final Setting<Integer> MAX_CONNECTIONS =
      Setting.of(
          "http.max.connections",
          SettingTypes.integer(1, 1_000_000),
          "10000",
          "Connections to http.port, and as many to grpc.port, at a time; one more is closed. Each"
              + " takes a file descriptor.");

  static final Setting<Optional<Path>> TOKEN_FILE =
      Setting.optional(
          "http.token.file",
          SettingTypes.path(),
          "File with a token that every request must bring (Authorization: Bearer TOKEN); read for"
              + " each, so that a new one takes effect at once. Empty: nobody needs one.");

  static final Setting<Optional<Path>> TLS_CERTIFICATE =
      Setting.optional(
          "tls.certificate.file",
          SettingTypes.path(),
          "PEM file with the certificate of http.port and grpc.port. Empty: no TLS.");

  static final Setting<Optional<Path>> TLS_KEY =
      Setting.optional(
          "tls.key.file", SettingTypes.path(), "PEM file with the certificate's private key.");

  static final Setting<Optional<Path>> MAPPING_FILE =
      Setting.optional(
          "mapping.file",
          SettingTypes.path(),
          "YAML file that says which attributes a checked request has. Empty: ip, api (method and"
              + " path), method, path.");

  static final Setting<Duration> MAX_WAIT =
      Setting.of(
          "max.wait",
          SettingTypes.duration("0", "30s"),
          "200ms",
          "How long a request may wait for permits that are on their way. Strict rules want a loop"
              + " or two: a key's first permits come only when they are asked for.");

  static final Setting<OnFailure> ON_FAILURE =
      Setting.of(
          "on.failure",
          SettingTypes.oneOf(OnFailure.class),
          "run",
          "What becomes of a request that cannot be decided since the gateway failed.");

  static final Setting<Optional<Path>> ENVOY_CONFIG =
      Setting.optional(
          "envoy.config",
          SettingTypes.path(),
          "Configuration of Envoy's ratelimit service: a YAML file, or a folder of them. Its limits"
              + " count by rules that `quota rules import-envoy --for-gateway` makes. Empty:"
              + " descriptors count by the rules that name exactly their keys.");

  static final Setting<Set<RuleId>> ENVOY_LATE =
      Setting.of(
          "envoy.late.charges",
          new SettingType<>(
              "domain/rule, ...",
              "rules as domain/rule with commas between them",
              false,
              GatewaySettings::rules),
          "",
          "Rules whose hits Envoy tells once a request has run (apply_on_stream_done), such as"
              + " tokens: they are charged whether or not there is room, and owed beyond it.");

  static final Setting<Boolean> ENVOY_HEADERS =
      Setting.of(
          "envoy.response.headers",
          SettingTypes.bool(),
          "false",
          "Whether Envoy is told RateLimit-Limit, -Remaining and -Reset for its client.");

  static final Setting<Duration> DRAIN =
      Setting.of(
          "drain",
          SettingTypes.duration("0", "5m"),
          "0",
          "How long a gateway that is told to end goes on answering while /health/ready says no:"
              + " as long as load balancers need to see it.");

  static final List<Setting<?>> OWN =
      List.of(
          RULES_FILE,
          HOST,
          HTTP_PORT,
          PROBE_PORT,
          GRPC_PORT,
          MAX_CONNECTIONS,
          TOKEN_FILE,
          TLS_CERTIFICATE,
          TLS_KEY,
          MAPPING_FILE,
          MAX_WAIT,
          ON_FAILURE,
          ENVOY_CONFIG,
          ENVOY_LATE,
          ENVOY_HEADERS,
          DRAIN);

  /** In the order of the reference. */
  public static final Settings ALL = all();

  private GatewaySettings() {}

  /** Those that are not the admission client's, in the order of the reference. */
  public static List<Setting<?>> own() {
    List<Setting<?>> own = new ArrayList<>();
    own.add(BOOTSTRAP_SERVERS);
    own.addAll(OWN);
    return own;
  }

  private static Set<RuleId> rules(String text) {
    return Stream.of(text.split(","))
        .map(String::strip)
        .filter(rule -> !rule.isEmpty())
        .map(RuleId::parse)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Settings all() {
    List<Setting<?>> all = new ArrayList<>();
    all.addAll(own());
    all.addAll(ofClient());
    List<PassThrough> passed = AdmissionSettings.ALL.passThrough();
    return new Settings(
        all,
        passed,
        List.of(
            new SettingCheck(
                List.of(BOOTSTRAP_SERVERS, RULES_FILE, ENVOY_CONFIG), GatewaySettings::source),
            new SettingCheck(List.of(TLS_CERTIFICATE, TLS_KEY), GatewaySettings::tls),
            AdmissionSettings.hashCheck()));
  }

  /** Those of the admission client, but for the brokers, without which a gateway may run. */
  private static List<Setting<?>> ofClient() {
    return AdmissionSettings.ALL.all().stream()
        .filter(setting -> !setting.key().equals(BOOTSTRAP_SERVERS.key()))
        .toList();
  }

  private static List<SettingProblem> source(SettingValues values) {
    boolean hasBrokers = values.get(BOOTSTRAP_SERVERS).isPresent();
    boolean hasFile = values.get(RULES_FILE).isPresent();
    boolean hasOther = hasFile || values.get(ENVOY_CONFIG).isPresent();
    boolean isWrong = hasBrokers ? hasFile : !hasOther;
    return isWrong
        ? List.of(
            new SettingProblem(
                "",
                BOOTSTRAP_SERVERS.key(),
                "set either bootstrap.servers, for the rules of a topic, or rules.file or"
                    + " envoy.config alone, for a gateway without Kafka"))
        : List.of();
  }

  private static List<SettingProblem> tls(SettingValues values) {
    return values.get(TLS_CERTIFICATE).isPresent() == values.get(TLS_KEY).isPresent()
        ? List.of()
        : List.of(
            new SettingProblem(
                "",
                TLS_KEY.key(),
                "tls.certificate.file and tls.key.file belong together; set both, or neither"));
  }
}
