package io.quotaenforcer.enforcer.config;

import io.quotaenforcer.schemas.codec.RecordFormat;
import io.quotaenforcer.schemas.setting.Setting;
import io.quotaenforcer.schemas.setting.SettingCheck;
import io.quotaenforcer.schemas.setting.SettingTypes;
import io.quotaenforcer.schemas.setting.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Every setting of an enforcer. */
public final class EnforcerSettings {
  static final Setting<String> BOOTSTRAP_SERVERS =
      Setting.of(
          "bootstrap.servers",
          SettingTypes.hostPorts(),
          "127.0.0.1:9092",
          "Kafka brokers to ask for all others.");

  static final Setting<String> TOPIC_PREFIX =
      Setting.of(
          "topic.prefix",
          SettingTypes.text(
              "text",
              "1 to 200 letters, digits, '.', '_' or '-'",
              text -> text.matches("[a-zA-Z0-9._-]{1,200}")),
          "quota.",
          "Begins the name of every topic. Each prefix is a trust domain with its own enforcer.");

  static final Setting<Optional<String>> REGISTRY =
      Setting.optional(
          "schema.registry.url",
          SettingTypes.urls(),
          "Schema registry, or several with commas between them. Empty: records carry the"
              + " fingerprint of a schema on the class path.");

  static final Setting<Optional<RecordFormat>> RECORD_FORMAT =
      Setting.optional(
          RecordFormat.KEY,
          SettingTypes.oneOf(RecordFormat.class),
          "What is written; both are read. Empty: registry if there is one. single-object beside a"
              + " schema.registry.url is the first step of moving a fleet to a registry.");

  static final Setting<String> APPLICATION_ID =
      Setting.of(
          "application.id",
          SettingTypes.text(
              "text",
              "1 to 100 letters, digits, '.', '_' or '-'",
              text -> text.matches("[a-zA-Z0-9._-]{1,100}")),
          "quota-enforcer",
          "Enforcers with the same id share the work of one prefix, and only they may have it. It"
              + " begins the names of the internal topics.");

  static final Setting<Optional<Path>> STATE_DIR =
      Setting.optional(
          "state.dir",
          SettingTypes.path(),
          "Folder of the local stores. Each enforcer on a machine needs its own. Losing it costs"
              + " the time to restore it from Kafka. Empty: .quota-enforcer in the home folder.");

  static final Setting<String> HTTP_HOST =
      Setting.of(
          "http.host",
          SettingTypes.text(),
          "127.0.0.1",
          "Address that the HTTP server listens on. Only the API for operators and payloads of"
              + " deferred requests take a token: keep it on loopback, or behind what asks for a"
              + " password.");

  static final Setting<Integer> HTTP_PORT =
      Setting.of(
          "http.port",
          SettingTypes.integer(0, 65535),
          "8089",
          "Port of the HTTP server. 0: a free one, which the log names.");

  static final Setting<Optional<String>> HTTP_ADVERTISED =
      Setting.optional(
          "http.advertised",
          SettingTypes.hostPort(),
          "Where other enforcers and clients reach this HTTP server, when that is not http.host and"
              + " http.port. Not 0.0.0.0 or ::, and loopback only where http.host is. Empty: these;"
              + " the machine's name where http.host is 0.0.0.0 or ::.");

  static final Setting<Optional<Integer>> HTTP_PROBE_PORT =
      Setting.optional(
          "http.probe.port",
          SettingTypes.integer(0, 65535),
          "Port of a listener for probes and metrics alone, whose connections nobody else can use"
              + " up. 0: a free one, which the log names. Empty: the one after http.port; a free one"
              + " where that is 0.");

  static final Setting<Optional<Path>> HTTP_TOKEN_FILE =
      Setting.optional(
          "http.token.file",
          SettingTypes.path(),
          "File with a token of 16 characters or more. Who sends it (Authorization: Bearer) is shown"
              + " headers and payloads of deferred requests. It is read anew each time. Empty: they"
              + " are shown to nobody.");

  static final Setting<Optional<Path>> API_TOKENS_FILE =
      Setting.optional(
          "http.api.tokens.file",
          SettingTypes.path(),
          "File of who may ask the API for operators, alike at all enforcers: a line NAME ROLE SHA256"
              + " for each token, with viewer or operator, and the SHA-256 of the token in hex. It is"
              + " read anew each time. Empty: nobody may.");

  static final Setting<Integer> API_REQUESTS_PER_SECOND =
      Setting.of(
          "http.api.requests.per.second",
          SettingTypes.integer(1, 100_000),
          "50",
          "Requests per second that one address may send to the API for operators, with a burst of"
              + " twice as many.");

  static final Setting<Optional<Path>> TLS_CERTIFICATE_FILE =
      Setting.optional(
          "tls.certificate.file",
          SettingTypes.path(),
          "PEM file with the certificate of the HTTP server and those of its issuers behind it, by"
              + " which this enforcer knows the others, too. All enforcers have TLS, or none. Empty:"
              + " plain HTTP. Probes and metrics at http.probe.port stay plain.");

  static final Setting<Optional<Path>> TLS_KEY_FILE =
      Setting.optional(
          "tls.key.file",
          SettingTypes.path(),
          "PEM file with the private key of tls.certificate.file, unencrypted, PKCS 8.");

  static final Setting<Duration> ALLOTMENT_TTL =
      Setting.of(
          "allotment.ttl",
          SettingTypes.duration("200ms", "1m"),
          "2s",
          "Longest lease of permits. Longer rides out longer interruptions; shorter frees sooner"
              + " what a crashed instance held.");

  static final Setting<Duration> SHARE_TERM =
      Setting.of(
          "share.term",
          SettingTypes.duration("0", "10m"),
          "30s",
          "For how long an instance may use its share of a limit without an answer; allotment.ttl at"
              + " least. Longer rides out longer outages; shorter frees sooner the share of an"
              + " instance that crashed. 0: what is asked for steadily is leased, too.");

  static final Setting<Duration> REST_TERM =
      Setting.of(
          "rest.term",
          SettingTypes.duration("0", "1h"),
          "10m",
          "For how long an instance may keep a permit or a few of a strict rule while nobody asks"
              + " for them, so that a request that comes seldom need not wait; all that rests is at"
              + " most half of a limit. Of use if longer than share.term and 10s. Longer: more requests"
              + " find one; shorter frees sooner what a crashed instance kept. 0: no longer than"
              + " share.term lets it.");

  static final Setting<Boolean> SHARE_BUCKETS =
      Setting.of(
          "share.buckets",
          SettingTypes.bool(),
          "true",
          "Whether instances have shares of buckets whose tokens come one by one, too. With them"
              + " strict rules ride out an outage; but a part of the tokens is in shares then, so"
              + " that somebody who comes with a burst may find less than in one bucket, and where"
              + " demand moves between instances a few percent are lost.");

  static final Setting<Duration> MAX_CLOCK_SKEW =
      Setting.of(
          "max.clock.skew",
          SettingTypes.duration("0", "1m"),
          "200ms",
          "How far the clocks of two enforcers may differ; the same for all of them. One that is off"
              + " by more than half of it from the brokers' time grants nothing. Larger is for"
              + " worse clocks; smaller grants again sooner after a takeover.");

  static final Setting<Duration> COMMIT_INTERVAL =
      Setting.of(
          "commit.interval",
          SettingTypes.duration("5ms", "1s"),
          "100ms",
          "Time between two transactions, if nobody waits for one: then it is 20 ms at least."
              + " Shorter loses fewer permits in a crash and needs more of the brokers.");

  static final Setting<Boolean> ALLOW_UNSAFE_BROKERS =
      Setting.of(
          "allow.unsafe.brokers",
          SettingTypes.bool(),
          "false",
          "true: runs on brokers whose transactions may lose what was committed, and with it what"
              + " strict rules and counts rest on: those without transaction.version=2 (KIP-890,"
              + " Kafka 4.0 and later).");

  static final Setting<Integer> STREAM_THREADS =
      Setting.of(
          "num.stream.threads",
          SettingTypes.integer(1, 256),
          "2",
          "Threads that count and grant. More than partitions are of no use.");

  static final Setting<Integer> STANDBY_REPLICAS =
      Setting.of(
          "num.standby.replicas",
          SettingTypes.integer(0, 5),
          "1",
          "Enforcers that keep a copy of each store, so that a takeover takes seconds however large"
              + " the store is. Without another enforcer there is none.");

  static final Setting<Integer> ROCKSDB_MEMORY_MB =
      Setting.of(
          "rocksdb.memory.mb",
          SettingTypes.integer(16, 1_048_576),
          "256",
          "Memory outside the heap, in MiB, of all stores together.");

  static final Setting<Duration> COUNTS_RETENTION =
      Setting.of(
          "counts.retention",
          SettingTypes.duration("1m", "400d"),
          "1d",
          "How long the count of a window can be asked for after it, or a sixteenth of that longer."
              + " Longer needs more disk.");

  static final Setting<Duration> EVENT_DEDUP_RETENTION =
      Setting.of(
          "event.dedup.retention",
          SettingTypes.duration("1s", "7d"),
          "10m",
          "How long the ids of request events are remembered at least, since an event came, or"
              + " since its own time if that is ahead: one that comes again within it, in the same"
              + " partition, counts once, whatever its time. An event older than it goes to the dead"
              + " letters.");

  static final Setting<Duration> EVENT_MAX_FUTURE =
      Setting.of(
          "event.max.future",
          SettingTypes.duration("0", "7d"),
          "1h",
          "How far ahead of the enforcer's clock a request event may be; one further ahead goes to"
              + " the dead letters.");

  static final Setting<Integer> DEFERRED_MAX_REQUESTS =
      Setting.of(
          "deferred.max.requests",
          SettingTypes.integer(1, Integer.MAX_VALUE),
          "10000000",
          "Deferred requests that may wait, in all partitions together; each partition has an equal"
              + " share. A request beyond is refused. They cost disk, not memory.");

  static final Setting<Integer> DEFERRED_MAX_MB =
      Setting.of(
          "deferred.max.mb",
          SettingTypes.integer(1, Integer.MAX_VALUE),
          "65536",
          "The same in MiB. Disk needs room for some times as much: the store, its changelog, and"
              + " what is written again when the store is compacted.");

  /** In the order of the reference. */
  public static final Settings ALL =
      new Settings(
          List.of(
              BOOTSTRAP_SERVERS,
              TOPIC_PREFIX,
              REGISTRY,
              RECORD_FORMAT,
              APPLICATION_ID,
              STATE_DIR,
              HTTP_HOST,
              HTTP_PORT,
              HTTP_ADVERTISED,
              HTTP_PROBE_PORT,
              HTTP_TOKEN_FILE,
              API_TOKENS_FILE,
              API_REQUESTS_PER_SECOND,
              TLS_CERTIFICATE_FILE,
              TLS_KEY_FILE,
              ALLOTMENT_TTL,
              SHARE_TERM,
              REST_TERM,
              SHARE_BUCKETS,
              MAX_CLOCK_SKEW,
              COMMIT_INTERVAL,
              ALLOW_UNSAFE_BROKERS,
              STREAM_THREADS,
              STANDBY_REPLICAS,
              ROCKSDB_MEMORY_MB,
              COUNTS_RETENTION,
              EVENT_DEDUP_RETENTION,
              EVENT_MAX_FUTURE,
              DEFERRED_MAX_REQUESTS,
              DEFERRED_MAX_MB),
          LibraryKeys.ofEnforcer(),
          List.of(
              new SettingCheck(List.of(), StreamsSettings::problems),
              new SettingCheck(List.of(REGISTRY, RECORD_FORMAT), RegistryConnection::problems),
              new SettingCheck(List.of(HTTP_HOST, HTTP_ADVERTISED), HttpConfig::problems),
              new SettingCheck(List.of(TLS_CERTIFICATE_FILE, TLS_KEY_FILE), ApiConfig::problems)));

  private EnforcerSettings() {}
}
