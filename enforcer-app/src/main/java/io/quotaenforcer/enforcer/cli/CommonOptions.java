package io.quotaenforcer.enforcer.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.quotaenforcer.core.setting.DurationText;
import io.quotaenforcer.core.setting.SettingSource;
import io.quotaenforcer.enforcer.config.KafkaConnection;
import io.quotaenforcer.enforcer.config.PropertiesFile;
import io.quotaenforcer.enforcer.topics.Brokers;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** Options that every command has. What is not given comes from the environment. */
public final class CommonOptions {
  static final String DEFAULT_BOOTSTRAP_SERVER = "127.0.0.1:9092";
  private static final String BOOTSTRAP_SERVERS = "QUOTA_BOOTSTRAP_SERVERS";
  private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(10);

  private final Map<String, String> environment;

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
          "Properties of the Kafka clients: security.protocol, sasl.*, ssl.*."
              + " Default: $QUOTA_COMMAND_CONFIG.")
  private @Nullable Path commandConfig;

  @Option(
      names = "--prefix",
      paramLabel = "PREFIX",
      scope = ScopeType.INHERIT,
      description = "Begins the names of the topics. Default: $QUOTA_TOPIC_PREFIX, or quota.")
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
      description = "How results are written. Default: table.")
  private OutputFormat output = OutputFormat.table;

  @Option(
      names = {"-v", "--verbose"},
      scope = ScopeType.INHERIT,
      description = "Shows what happens inside; twice: all of it.")
  private boolean[] verbose = {};

  @Option(
      names = "--stacktrace",
      scope = ScopeType.INHERIT,
      description = "Shows where in the program an error came from.")
  private boolean stacktrace;

  CommonOptions(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  public String bootstrapServer() {
    return bootstrapServerGiven().orElse(DEFAULT_BOOTSTRAP_SERVER);
  }

  private String bootstrapServerOrigin() {
    if (bootstrapServer != null) {
      return "--bootstrap-server";
    }
    return bootstrapServerGiven().isPresent()
        ? "$" + BOOTSTRAP_SERVERS
        : "by default; see --bootstrap-server and $" + BOOTSTRAP_SERVERS;
  }

  /** How long Kafka may take to answer. */
  public Duration connectTimeout() {
    Optional<String> text = given(connectTimeout, "QUOTA_CONNECT_TIMEOUT");
    try {
      Duration timeout = text.map(DurationText::parse).orElse(Brokers.TIMEOUT);
      if (timeout.toMillis() >= 1 && timeout.compareTo(LONGEST_TIMEOUT) <= 0) {
        return timeout;
      }
    } catch (IllegalArgumentException e) {
      // Said below.
    }
    throw new CommandException(
        ExitCode.USAGE,
        "must be a duration from 1ms to 10m (500ms, 8s, 1m): --connect-timeout=" + text.orElse(""));
  }

  /** The brokers, when the command line or the environment names them. */
  public Optional<String> bootstrapServerGiven() {
    return given(bootstrapServer, BOOTSTRAP_SERVERS);
  }

  public String prefix() {
    return given(prefix, "QUOTA_TOPIC_PREFIX").orElse(Topics.DEFAULT_PREFIX);
  }

  public Optional<String> schemaRegistry() {
    return given(schemaRegistry, "QUOTA_SCHEMA_REGISTRY_URL");
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

  /** How to reach Kafka. */
  public KafkaConnection kafka() {
    return KafkaConnection.ofCommand(bootstrapServer(), bootstrapServerOrigin(), file());
  }

  /** Connects to Kafka, or fails within seconds. */
  public Brokers connect() {
    return Brokers.connect(kafka(), connectTimeout());
  }

  /** Codecs for the records, with the schema registry if one is named. */
  public Codecs codecs() {
    Map<String, Object> settings = new HashMap<>(file().values());
    schemaRegistry().ifPresent(url -> settings.put("schema.registry.url", url));
    try {
      return Codecs.from(settings);
    } catch (IllegalArgumentException e) {
      throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
    }
  }

  public Wire wire() {
    return Wire.of(prefix(), codecs());
  }

  /** What is given here, as settings of an enforcer; goes before what a file says. */
  public SettingSource asSettings() {
    Map<String, String> values = new HashMap<>();
    if (bootstrapServer != null) {
      values.put("bootstrap.servers", bootstrapServer);
    }
    if (prefix != null) {
      values.put("topic.prefix", prefix);
    }
    if (schemaRegistry != null) {
      values.put("schema.registry.url", schemaRegistry);
    }
    return new SettingSource("command line", values);
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

  private SettingSource file() {
    return given(commandConfig == null ? null : commandConfig.toString(), "QUOTA_COMMAND_CONFIG")
        .map(path -> PropertiesFile.read(Path.of(path)))
        .orElseGet(() -> new SettingSource("", Map.of()));
  }

  private Optional<String> given(@Nullable String option, String variable) {
    String value = option != null ? option : environment.get(variable);
    return value == null || value.isBlank() ? Optional.empty() : Optional.of(value);
  }

  private static Logger logger(String name) {
    return (Logger) LoggerFactory.getLogger(name);
  }
}
