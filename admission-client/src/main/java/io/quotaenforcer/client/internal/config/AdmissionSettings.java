package io.quotaenforcer.client.internal.config;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.allotment.Spreading;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.codec.RecordFormat;
import io.quotaenforcer.schemas.setting.PassThrough;
import io.quotaenforcer.schemas.setting.Setting;
import io.quotaenforcer.schemas.setting.SettingCheck;
import io.quotaenforcer.schemas.setting.SettingProblem;
import io.quotaenforcer.schemas.setting.SettingType;
import io.quotaenforcer.schemas.setting.SettingTypes;
import io.quotaenforcer.schemas.setting.SettingValues;
import io.quotaenforcer.schemas.setting.Settings;
import io.quotaenforcer.schemas.topic.Wire;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/** Every setting of an admission client and of a request event emitter. */
public final class AdmissionSettings {
  private static final Setting<String> BOOTSTRAP_SERVERS =
      Setting.required(
          "bootstrap.servers", SettingTypes.hostPorts(), "Kafka brokers to ask for all others.");

  private static final Setting<String> TOPIC_PREFIX =
      Setting.of(
          "topic.prefix",
          SettingTypes.text(),
          "quota.",
          "Begins the name of every topic. Each prefix is a trust domain with its own enforcer.");

  private static final Setting<Optional<String>> DOMAINS =
      Setting.optional(
          "domains",
          SettingTypes.text(
              "text",
              "domains with commas between them, each of 1 to 100 letters, digits, '.', '_' or '-'",
              text -> domains(Optional.of(text)).stream().allMatch(RuleId::isName)),
          "Domains whose rules decide here, separated by commas. Empty: all.");

  private static final Setting<Optional<String>> INSTANCE_ID =
      Setting.optional(
          "instance.id",
          SettingTypes.text(
              "text",
              "1 to 100 letters, digits, '.', '_' or '-'",
              text -> text.matches("[A-Za-z0-9._-]{1,100}")),
          "Id of this instance in reports and metrics; need not be unique. Empty: the host's name"
              + " and a random part.");

  private static final Setting<Duration> REPORT_INTERVAL =
      Setting.of(
          "report.interval",
          SettingTypes.duration("5ms", "10s"),
          "20ms",
          "Time between two reports of a quota key in use; down to a quarter of it where the"
              + " enforcer answers quickly. Longer means fewer records and slower feedback.");

  private static final Setting<Duration> AWAY_AFTER =
      Setting.of(
          "unavailable.after",
          SettingTypes.duration("100ms", "1m"),
          "1s",
          "When a report has had no answer for this long, rules decide by on-unavailable.");

  private static final Setting<Duration> IDLE_AFTER =
      Setting.of(
          "idle.after",
          SettingTypes.duration("100ms", "10m"),
          "1600ms",
          "A quota key without requests for this long gives its permits back, but for a few that may"
              + " rest. Longer than a lease (allotment.ttl) means reports that renew it.");

  private static final Setting<Duration> EVICT_AFTER =
      Setting.of(
          "evict.after",
          SettingTypes.duration("1s", "1d"),
          "1m",
          "A quota key without requests for this long is forgotten, unless permits rest there; and"
              + " these are not spent if nothing was heard of Kafka for as long.");

  private static final Setting<Integer> MAX_KEYS =
      Setting.of(
          "max.keys",
          SettingTypes.integer(1, 100_000_000),
          "1000000",
          "Most quota keys in use at a time; a request for one more is throttled. As many are"
              + " remembered that are not in use.");

  private static final Setting<Integer> MAX_INSTANCES =
      Setting.of(
          "max.instances",
          SettingTypes.integer(1, 1_000_000),
          "100",
          "Instances that shared openings and local shares are divided by, until the topics say how many.");

  private static final Setting<Integer> MAX_WAITING =
      Setting.of(
          "max.waiting",
          SettingTypes.integer(0, 100_000_000),
          "10000",
          "Requests that may wait for permits at a time; one more is decided at once.");

  private static final Setting<BeforeRules> BEFORE_RULES =
      Setting.of(
          "before.rules",
          SettingTypes.oneOf(BeforeRules.class),
          "admit",
          "What is answered until the rules are known: admit lets requests run, which are not"
              + " counted.");

  private static final Setting<Optional<Path>> RULES_CACHE =
      Setting.optional(
          "rules.cache",
          SettingTypes.path(),
          "File in which the rules are kept for the next start, which decides by them until it has"
              + " read those of now. Whoever may write it says what is decided. Empty: none.");

  private static final Setting<RequestEvents> REQUEST_EVENTS =
      Setting.of(
          "request.events",
          SettingTypes.oneOf(RequestEvents.class),
          "none",
          "Which decisions are also emitted as request events, marked as counted by the client.");

  private static final Setting<Double> SAMPLE_RATE =
      Setting.of(
          "request.events.sample.rate",
          new SettingType<>(
              "number, 0 to 1", "a number from 0 to 1", false, AdmissionSettings::share),
          "0.01",
          "Share of decisions that are emitted with request.events=sampled.");

  private static final Setting<Integer> EVENT_CAPACITY =
      Setting.of(
          "request.events.capacity",
          SettingTypes.integer(1, 10_000_000),
          "10000",
          "Request events that may wait to be sent; more are dropped and counted.");

  private static final Setting<Optional<String>> SERVICE =
      Setting.optional(
          "service", SettingTypes.text(), "Name of this service in its request events.");

  private static final Setting<Duration> DEFER_TIMEOUT =
      Setting.of(
          "defer.timeout",
          SettingTypes.duration("1s", "1h"),
          "30s",
          "How long a deferred request waits for the enforcer's answer; it is durable before"
              + " that.");

  private static final Setting<Integer> DEFER_MAX_UNANSWERED =
      Setting.of(
          "defer.max.unanswered",
          SettingTypes.integer(1, 1_000_000),
          "10000",
          "Deferred requests that may wait for the enforcer's answer; one more is refused at"
              + " once.");

  private static final Setting<Optional<String>> REPLAY_GROUP =
      Setting.optional(
          "replay.group",
          SettingTypes.text(),
          "Consumer group whose members share the replays of all domains of this client. Empty: one"
              + " for each of them, named after the topic and the domain (quota.replays-posts), or"
              + " quota.replays-all if domains is empty.");

  private static final Setting<Optional<Path>> HASH_KEYS_FILE =
      Setting.optional(
          "hash.keys.file",
          SettingTypes.path(),
          "File with the keys by which values are hashed for rules that say so, ID:BASE64 in a line"
              + " each; read again when it changes. Nobody else may read it. Empty: none.");

  private static final Setting<Optional<String>> HASH_KEYS =
      Setting.optional(
          "hash.keys",
          SettingTypes.secret(),
          "The same keys as a text, with a comma between two: for an environment variable.");

  private static final Setting<Optional<String>> HASH_ATTRIBUTES =
      Setting.optional(
          "hash.attributes",
          SettingTypes.text(),
          "Attributes whose values are hashed in request events and deferred requests whatever the"
              + " rules say, separated by commas. A RequestEventEmitter knows no rules, and hashes"
              + " no others.");

  private static final Setting<Duration> CLOSE_TIMEOUT =
      Setting.of(
          "close.timeout",
          SettingTypes.duration("0", "5m"),
          "3s",
          "How long closing waits for the enforcer to confirm what is given back, and for request"
              + " events to be sent; before that it waits as long for the replays that have"
              + " started.");

  private static final Setting<Optional<String>> REGISTRY =
      Setting.optional(
          "schema.registry.url",
          SettingTypes.urls(),
          "Schema registry, or several with commas between them. Empty: records carry the"
              + " fingerprint of a schema on the class path.");

  private static final Setting<Optional<RecordFormat>> RECORD_FORMAT =
      Setting.optional(
          RecordFormat.KEY,
          SettingTypes.oneOf(RecordFormat.class),
          "What is written; both are read. Empty: registry if there is one. single-object beside a"
              + " schema.registry.url is the first step of moving a fleet to a registry.");

  private static final Set<String> REGISTRY_KEYS =
      Set.of(
          "auto.register.schemas",
          "basic.auth.credentials.source",
          "basic.auth.user.info",
          "bearer.auth.credentials.source",
          "bearer.auth.token",
          "http.connect.timeout.ms",
          "http.read.timeout.ms");

  /** In the order of the reference. */
  public static final Settings ALL =
      new Settings(
          List.of(
              BOOTSTRAP_SERVERS,
              TOPIC_PREFIX,
              DOMAINS,
              INSTANCE_ID,
              REPORT_INTERVAL,
              AWAY_AFTER,
              IDLE_AFTER,
              EVICT_AFTER,
              MAX_KEYS,
              MAX_INSTANCES,
              MAX_WAITING,
              BEFORE_RULES,
              RULES_CACHE,
              REQUEST_EVENTS,
              SAMPLE_RATE,
              EVENT_CAPACITY,
              SERVICE,
              DEFER_TIMEOUT,
              DEFER_MAX_UNANSWERED,
              REPLAY_GROUP,
              HASH_KEYS_FILE,
              HASH_KEYS,
              HASH_ATTRIBUTES,
              CLOSE_TIMEOUT,
              REGISTRY,
              RECORD_FORMAT),
          List.of(
              new PassThrough("producer.", true, ProducerConfig.configNames()),
              new PassThrough("consumer.", true, ConsumerConfig.configNames()),
              new PassThrough("security.", false, commonKeys("security.")),
              new PassThrough("ssl.", false, commonKeys("ssl.")),
              new PassThrough("sasl.", false, commonKeys("sasl.")),
              PassThrough.only("basic.auth.", REGISTRY_KEYS),
              PassThrough.only("bearer.auth.", REGISTRY_KEYS),
              PassThrough.only("auto.register.", REGISTRY_KEYS),
              PassThrough.only("http.", REGISTRY_KEYS),
              PassThrough.only("schema.registry.ssl.", registrySslKeys())),
          List.of(
              new SettingCheck(List.of(REGISTRY, RECORD_FORMAT), AdmissionSettings::complaints),
              hashCheck()));

  private static final List<String> KAFKA_PREFIXES = List.of("security.", "ssl.", "sasl.");
  private static final List<String> REGISTRY_PREFIXES =
      List.of("basic.auth.", "bearer.auth.", "auto.register.", "http.", "schema.registry.ssl.");

  private AdmissionSettings() {}

  /**
   * Reads properties strictly.
   *
   * @param change of the intervals and sizes that have no property
   * @throws io.quotaenforcer.schemas.setting.SettingsException with every unknown key and wrong
   *     value
   */
  public static AdmissionConfig read(
      Map<String, ?> properties, UnaryOperator<BookSettings> change) {
    SettingValues values = ALL.parse(properties);
    String instance = values.get(INSTANCE_ID).orElseGet(AdmissionSettings::instanceId);
    return new AdmissionConfig(
        domains(values.get(DOMAINS)),
        instance,
        new AdmissionConfig.Deciding(
            change.apply(bookSettings(values)),
            values.get(MAX_INSTANCES),
            values.get(MAX_WAITING),
            values.get(BEFORE_RULES),
            values.get(RULES_CACHE)),
        new AdmissionConfig.Events(
            values.get(REQUEST_EVENTS),
            values.get(SAMPLE_RATE),
            values.get(SERVICE).orElse(""),
            values.get(EVENT_CAPACITY)),
        new AdmissionConfig.Deferring(
            values.get(DEFER_TIMEOUT), values.get(DEFER_MAX_UNANSWERED), values.get(REPLAY_GROUP)),
        hashing(values),
        kafka(values, instance));
  }

  /** Checks the keys by which values are hashed; also for programs that have this client within. */
  public static SettingCheck hashCheck() {
    return new SettingCheck(
        List.of(HASH_KEYS_FILE, HASH_KEYS, HASH_ATTRIBUTES), AdmissionSettings::hashProblems);
  }

  /** How values are hashed, by settings that were checked. */
  public static Hashing hashing(SettingValues values) {
    HashKeySource keys =
        values
            .get(HASH_KEYS_FILE)
            .map(HashKeySource::ofFile)
            .or(() -> values.get(HASH_KEYS).map(HashKeySource::ofText))
            .orElse(HashKeySource.NONE);
    return new Hashing(keys, Hashing.names(values.get(HASH_ATTRIBUTES)));
  }

  private static List<SettingProblem> hashProblems(SettingValues values) {
    boolean hasFile = values.get(HASH_KEYS_FILE).isPresent();
    if (hasFile && values.get(HASH_KEYS).isPresent()) {
      return List.of(
          new SettingProblem(
              "", HASH_KEYS.key(), "set either hash.keys.file or hash.keys, not both"));
    }
    if (!hasFile && values.get(HASH_KEYS).isEmpty()) {
      return values.get(HASH_ATTRIBUTES).isEmpty()
          ? List.of()
          : List.of(
              new SettingProblem(
                  "",
                  HASH_ATTRIBUTES.key(),
                  "hash.attributes: nothing can be hashed without a key; set hash.keys.file or"
                      + " hash.keys"));
    }
    try {
      hashing(values);
      return List.of();
    } catch (IllegalArgumentException e) {
      String key = (hasFile ? HASH_KEYS_FILE : HASH_KEYS).key();
      return List.of(new SettingProblem("", key, key + ": " + e.getMessage()));
    }
  }

  private static KafkaSetup kafka(SettingValues values, String instance) {
    Map<String, Object> common = new HashMap<>();
    common.put("bootstrap.servers", values.get(BOOTSTRAP_SERVERS));
    common.put(CommonClientConfigs.CLIENT_ID_CONFIG, "quota-" + instance);
    KAFKA_PREFIXES.forEach(prefix -> common.putAll(values.passedThrough(prefix)));
    return new KafkaSetup(
        Wire.of(values.get(TOPIC_PREFIX), Codecs.from(registry(values))),
        common,
        new HashMap<>(values.passedThrough("producer.")),
        new HashMap<>(values.passedThrough("consumer.")),
        values.get(CLOSE_TIMEOUT));
  }

  private static BookSettings bookSettings(SettingValues values) {
    BookSettings defaults = BookSettings.defaults();
    return new BookSettings(
        new BookSettings.Reporting(
            values.get(REPORT_INTERVAL).toNanos(),
            Math.min(defaults.urgentIntervalNanos(), values.get(REPORT_INTERVAL).toNanos()),
            values.get(AWAY_AFTER).toNanos()),
        defaults
            .holding()
            .withIdle(values.get(IDLE_AFTER).toNanos(), values.get(EVICT_AFTER).toNanos()),
        values.get(MAX_KEYS),
        defaults.spareFrom(),
        Spreading.over(Runtime.getRuntime().availableProcessors()));
  }

  private static Map<String, Object> registry(SettingValues values) {
    Map<String, Object> registry = new HashMap<>();
    REGISTRY_PREFIXES.forEach(prefix -> registry.putAll(values.passedThrough(prefix)));
    values.get(REGISTRY).ifPresent(url -> registry.put(REGISTRY.key(), url));
    values.get(RECORD_FORMAT).ifPresent(given -> registry.put(RECORD_FORMAT.key(), given.word()));
    return registry;
  }

  private static List<SettingProblem> complaints(SettingValues values) {
    return Codecs.complaints(registry(values)).stream()
        .map(complaint -> new SettingProblem("", REGISTRY.key(), complaint))
        .toList();
  }

  /** The registry's client knows TLS by Kafka's names. */
  private static Set<String> registrySslKeys() {
    Set<String> keys = new HashSet<>();
    commonKeys("ssl.").forEach(key -> keys.add("schema.registry." + key));
    return keys;
  }

  private static Set<String> domains(Optional<String> text) {
    Set<String> domains = new HashSet<>();
    text.ifPresent(list -> Arrays.stream(list.split(",")).map(String::strip).forEach(domains::add));
    domains.remove("");
    return domains;
  }

  private static Set<String> commonKeys(String prefix) {
    Set<String> keys = new HashSet<>(AdminClientConfig.configNames());
    keys.removeIf(key -> !key.startsWith(prefix));
    return keys;
  }

  private static double share(String text) {
    double value = Double.parseDouble(text);
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException();
    }
    return value;
  }

  private static String instanceId() {
    String host;
    try {
      host = InetAddress.getLocalHost().getHostName().replaceAll("[^A-Za-z0-9._-]", "-");
    } catch (UnknownHostException e) {
      host = "instance";
    }
    return host + "-" + UUID.randomUUID().toString().substring(0, 8);
  }
}
