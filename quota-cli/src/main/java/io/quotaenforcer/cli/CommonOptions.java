package io.quotaenforcer.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.quotaenforcer.enforcer.config.CommandConfig;
import io.quotaenforcer.enforcer.config.EnforcerConfig;
import io.quotaenforcer.enforcer.config.KafkaConnection;
import io.quotaenforcer.enforcer.config.RegistryConnection;
import io.quotaenforcer.enforcer.config.RetiredVariables;
import io.quotaenforcer.enforcer.topics.Brokers;
import io.quotaenforcer.gateway.GatewayConfig;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.setting.Environment;
import io.quotaenforcer.schemas.setting.SettingSource;
import io.quotaenforcer.schemas.topic.Wire;
import io.quotaenforcer.server.PropertiesFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** Options of every command. Missing ones come from the environment. */
public final class CommonOptions {
  private static final String BOOTSTRAP_SERVERS = "bootstrap.servers";
  private static final String TOPIC_PREFIX = "topic.prefix";
  private static final String REGISTRY_URL = "schema.registry.url";
  private static final List<String> KEYS = List.of(BOOTSTRAP_SERVERS, TOPIC_PREFIX, REGISTRY_URL);

  private final Map<String, String> environment;
  private @Nullable CommandConfig config;

  @Option(
      names = "--bootstrap-server",
      paramLabel = "HOST:PORT",
      scope = ScopeType.INHERIT,
      description = "Kafka brokers. Default: $QUOTA_BOOTSTRAP_SERVERS, or 127.0.0.1:9092.")
  private @Nullable String bootstrapServer;

  @Option(
      names = "--connect-timeout",
      paramLabel = "DURATION",
      scope = ScopeType.INHERIT,
      description = "How long Kafka may take to answer. Default: $QUOTA_CONNECT_TIMEOUT, or 8s.")
  private @Nullable String connectTimeout;

  @Option(
      names = "--command-config",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description =
          "Properties file for the Kafka clients (security.protocol, sasl.*, ssl.*, producer.*"
              + " and others) and the schema registry's client; may be an enforcer's. Default:"
              + " $QUOTA_COMMAND_CONFIG.")
  private @Nullable Path commandConfig;

  @Option(
      names = "--prefix",
      paramLabel = "PREFIX",
      scope = ScopeType.INHERIT,
      description = "What the topics' names begin with. Default: $QUOTA_TOPIC_PREFIX, or quota.")
  private @Nullable String prefix;

  @Option(
      names = "--schema-registry",
      paramLabel = "URL",
      scope = ScopeType.INHERIT,
      description = "Schema registry, if there is one. Default: $QUOTA_SCHEMA_REGISTRY_URL.")
  private @Nullable String schemaRegistry;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "table|json",
      scope = ScopeType.INHERIT,
      description = "Format of results. Default: table.")
  private OutputFormat output = OutputFormat.table;

  @Option(
      names = {"-v", "--verbose"},
      scope = ScopeType.INHERIT,
      description = "Logs what happens inside; given twice, everything.")
  private boolean[] verbose = {};

  @Option(
      names = "--stacktrace",
      scope = ScopeType.INHERIT,
      description = "Shows the stack trace of an error.")
  private boolean stacktrace;

  CommonOptions(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  public boolean json() {
    return output == OutputFormat.json;
  }

  public Map<String, String> environment() {
    return environment;
  }

  boolean stacktrace() {
    return stacktrace;
  }

  /**
   * Connection to the cluster, from options, variables and the file.
   *
   * @throws io.quotaenforcer.schemas.setting.SettingsException with all that is wrong with them
   */
  private CommandConfig config() {
    CommandConfig known = config;
    if (known == null) {
      List<SettingSource> sources = new ArrayList<>();
      sources.add(new SettingSource("", Map.of(), RetiredVariables.problems(environment)));
      sources.addAll(asSettings());
      KEYS.forEach(key -> variable(key).ifPresent(sources::add));
      sources.addAll(timeout());
      file().ifPresent(sources::add);
      known = CommandConfig.of(sources);
      config = known;
    }
    return known;
  }

  /** Connection to Kafka. */
  public KafkaConnection kafka() {
    return config().kafka();
  }

  public RegistryConnection registry() {
    return config().registry();
  }

  public String prefix() {
    return config().topicPrefix();
  }

  /** Timeout for Kafka's answers. */
  public Duration connectTimeout() {
    return config().connectTimeout();
  }

  /** Connects to Kafka, or fails within seconds. */
  public Brokers connect() {
    return Brokers.connect(kafka(), connectTimeout());
  }

  /** Codecs for the records, with the schema registry if one is configured. */
  public Codecs codecs() {
    return registry().codecs();
  }

  public Wire wire() {
    return Wire.of(prefix(), codecs());
  }

  /**
   * Configuration of an enforcer: by options, then its variables, its file, and the clients' file.
   */
  EnforcerConfig enforcer(Optional<Path> settings) {
    List<SettingSource> sources = new ArrayList<>(asSettings());
    sources.add(EnforcerConfig.environment(environment));
    settings.map(PropertiesFile::read).ifPresent(sources::add);
    return EnforcerConfig.of(sources, timeout(), file());
  }

  /**
   * Configuration of a gateway: by options, then its variables, its file, and the clients' file.
   */
  GatewayConfig gateway(Optional<Path> settings) {
    List<SettingSource> sources = new ArrayList<>(asSettings());
    sources.add(GatewayConfig.environment(environment));
    settings.map(PropertiesFile::read).ifPresent(sources::add);
    return GatewayConfig.of(sources, file().map(this::forGateway));
  }

  /** What the clients' file says of the connection, in a gateway's words. */
  private SettingSource forGateway(SettingSource file) {
    return ClientProperties.ofFile(file, config().bare());
  }

  /** The options that are also settings: each is a source under its own name. */
  private List<SettingSource> asSettings() {
    List<SettingSource> sources = new ArrayList<>();
    option("--bootstrap-server", BOOTSTRAP_SERVERS, bootstrapServer).ifPresent(sources::add);
    option("--prefix", TOPIC_PREFIX, prefix).ifPresent(sources::add);
    option("--schema-registry", REGISTRY_URL, schemaRegistry).ifPresent(sources::add);
    return sources;
  }

  private List<SettingSource> timeout() {
    String key = CommandConfig.CONNECT_TIMEOUT_KEY;
    return option("--connect-timeout", key, connectTimeout).or(() -> variable(key)).stream()
        .toList();
  }

  private static Optional<SettingSource> option(String name, String key, @Nullable String value) {
    return value == null || value.isBlank()
        ? Optional.empty()
        : Optional.of(new SettingSource(name, Map.of(key, value)));
  }

  private Optional<SettingSource> variable(String key) {
    String name = Environment.variable(key);
    return option("$" + name, key, environment.get(name));
  }

  private Optional<SettingSource> file() {
    String path =
        commandConfig == null ? environment.get("QUOTA_COMMAND_CONFIG") : commandConfig.toString();
    return path == null || path.isBlank()
        ? Optional.empty()
        : Optional.of(PropertiesFile.read(Path.of(path)));
  }

  /** Logs the events of a long-running program: its start, its partitions, its end. */
  void showLife() {
    if (verbose.length == 0) {
      logger("io.quotaenforcer").setLevel(Level.INFO);
    }
  }

  /** Raises the log level as asked for. */
  void applyVerbosity() {
    if (verbose.length == 0) {
      return;
    }
    Level level = verbose.length == 1 ? Level.INFO : Level.DEBUG;
    logger("ROOT").setLevel(verbose.length == 1 ? Level.WARN : Level.DEBUG);
    logger("io.quotaenforcer").setLevel(level);
    logger("org.apache.kafka").setLevel(level);
    logger("org.apache.kafka.clients").setLevel(level);
  }

  private static Logger logger(String name) {
    return (Logger) LoggerFactory.getLogger(name);
  }
}
