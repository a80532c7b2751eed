package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.broker.BrokerOptions;
import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.Deferral;
import io.quotaenforcer.client.Deferred;
import io.quotaenforcer.client.RequestEventEmitter;
import io.quotaenforcer.client.replay.ReplayOptions;
import io.quotaenforcer.client.spi.ReplayOutcome;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.lab.command.Main;
import io.quotaenforcer.lab.process.ChildJvm;
import io.quotaenforcer.lab.process.EnforcerJvm;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * A value that a rule hashes is nowhere but in the services that have it: not in topics, stores,
 * logs, HTTP answers and command output. A value that no rule hashes is, which shows that the
 * search finds what is there.
 */
@Timeout(240)
class HashedAttributesIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(40);
  private static final String SECRET = "zelda.hidden+7@example.com";
  private static final String CONTROL = "visible-user-4711";
  private static final Needle HIDDEN = new Needle(SECRET);
  private static final Needle SHOWN = new Needle(CONTROL);
  private static final String RULE = "accounts/per-email";
  private static final String RULES =
      """
      domain: accounts
      rules:
        - id: per-email
          key: [{attribute: email, hash: true}]
          limit: {permits: 100000, per: 1d, algorithm: fixed-window}
        - id: per-email-strict
          match: {kind: strict}
          key: [{attribute: email, hash: true}]
          limit: {permits: 50, per: 5s, algorithm: fixed-window}
          enforcement: strict
        - id: per-email-deferred
          match: {kind: mail}
          key: [{attribute: email, hash: true}]
          limit: {permits: 1, per: 2s, algorithm: fixed-window}
          enforcement: strict
          over-limit: defer
        - id: of-the-house
          match: {email: "*@example.com", house: "yes"}
          key: [user]
          limit: {permits: 1, per: 7d, algorithm: fixed-window}
        - id: per-user
          key: [user]
          limit: {permits: 100000, per: 1d, algorithm: fixed-window}
      """;

  private static final int LIMIT = 50;
  private static final long WINDOW_MILLIS = 5_000;
  private static final long ABOUT_MILLIS = 500;

  @TempDir Path folder;

  /** Requests admitted by the strict rule, by the number of the window. */
  private final Map<Long, Integer> admitted = new TreeMap<>();

  private final HttpClient http = HttpClient.newHttpClient();
  @AutoClose private final Opened open = new Opened();
  private final List<String> said = new ArrayList<>();
  private final ListAppender<ILoggingEvent> ownLog = new ListAppender<>();
  private Path keys;
  private String servers;
  private EnforcerJvm enforcer;
  private TopicTap tap;

  @BeforeEach
  void startAll() throws Exception {
    Logger own = (Logger) LoggerFactory.getLogger("io.quotaenforcer");
    own.setLevel(Level.DEBUG);
    own.addAppender(ownLog);
    own.setAdditive(false);
    ownLog.start();
    open.add(
        () -> {
          own.detachAppender(ownLog);
          own.setAdditive(true);
          own.setLevel(null);
        });
    EmbeddedBroker broker =
        EmbeddedBroker.start(BrokerOptions.defaults().withDataFolder(folder.resolve("broker")));
    open.add(broker);
    servers = broker.bootstrapServers();
    quota("topics", "create", "--partitions=2", server());
    quota(
        "rules", "apply", Files.writeString(folder.resolve("r.yaml"), RULES).toString(), server());
    keys = folder.resolve("keys");
    writeKeys(quota("hash", "--generate", "2026-11"));
    enforcer = EnforcerJvm.start(folder.resolve("enforcer"), servers);
    open.add(enforcer);
    enforcer.awaitReady();
    tap = new TopicTap(servers);
    open.add(tap);
  }

  @Test
  void hashedValue_isInNoTopicStoreLogAnswerOrOutput_andOperatorsFindItAllTheSame()
      throws Exception {
    ChildJvm gateway =
        launchGateway("shared", "bootstrap.servers=" + servers, "hash.keys.file=" + keys);
    String gatewayAddress = addressOf(gateway);
    ChildJvm service = service();
    Map<String, Object> settings = settings("embedded");
    settings.put("request.events", "all");
    Queue<Map<String, String>> replayed = new ConcurrentLinkedQueue<>();
    try (AdmissionClient client = AdmissionClient.create(settings)) {
      assertThat(client.awaitRules(TIMEOUT)).isTrue();
      decideAndDefer(client, replayed);
    }
    emitEvents();
    decideAt(gatewayAddress);
    service.exitCode(TIMEOUT);
    // Ten, one of the house, the mail and its replay; events; the gateway's; the service's.
    awaitUsed(13 + 3 + 5 + 1);

    assertThat(replayed)
        .hasSize(1)
        .allSatisfy(
            attributes -> {
              assertThat(attributes.get("email")).startsWith("h.2026-11.");
              assertThat(attributes).containsEntry("user", CONTROL);
            });
    operatorsAsk();
    enforcer.terminate();
    gateway.signal("TERM");
    gateway.exitCode(TIMEOUT);
    search(List.of(gateway, enforcer.jvm(), service));
  }

  private void decideAndDefer(AdmissionClient client, Queue<Map<String, String>> replayed)
      throws Exception {
    for (int i = 0; i < 10; i++) {
      Decision decision = client.decide(request(), Duration.ofSeconds(5));
      assertThat(decision.admitted()).isTrue();
      said.add(decision.toString());
    }
    assertThat(client.decide(house()).rules()).as("matched in the clear").hasSize(3);
    assertThat(client.decide(house()).admitted()).isFalse();
    Request mail = Request.of("email", SECRET, "user", CONTROL, "kind", "mail");
    assertThat(client.decide(mail, TIMEOUT).admitted()).isTrue();
    Deferred deferred = client.defer(mail, Deferral.of(new byte[0]).withId("mail-1")).get();
    said.add(deferred.toString());
    open.add(
        client.replays(
            replay -> {
              replayed.add(replay.request().attributes());
              return ReplayOutcome.done();
            },
            ReplayOptions.DEFAULTS));
    await().atMost(TIMEOUT).until(() -> !replayed.isEmpty());
  }

  private static Request house() {
    return Request.of("email", SECRET, "user", CONTROL, "house", "yes");
  }

  /** One that hashes, one that should and does not, and one whose value looks like a hash. */
  private void emitEvents() throws Exception {
    Map<String, Object> settings = settings("events");
    settings.put("hash.attributes", "email");
    try (RequestEventEmitter emitter = RequestEventEmitter.create(settings)) {
      for (int i = 0; i < 3; i++) {
        emitter.emit(request(), Outcome.ADMITTED);
      }
    }
    try (RequestEventEmitter careless =
        RequestEventEmitter.create(Map.of("bootstrap.servers", servers))) {
      careless.emit(Request.of("email", "careless@example.com", "user", CONTROL), Outcome.ADMITTED);
    }
    await()
        .atMost(TIMEOUT)
        .untilAsserted(() -> assertThat(tap.read("quota.dead-letters")).hasSize(1));
    ConsumerRecord<byte[], byte[]> letter = tap.read("quota.dead-letters").get(0);
    assertThat(TopicTap.header(letter, "reason"))
        .isEqualTo(
            "request event not counted by accounts/per-email: it has email in the clear, which they"
                + " hash; the emitter needs hash.attributes and hash.keys.file or hash.keys");
    assertThat(new Needle("careless@example.com").in(letter.value())).isEmpty();
    assertThat(SHOWN.in(letter.value())).as("what else it says").isNotEmpty();
  }

  private void decideAt(String gatewayAddress) throws Exception {
    String body = "{\"attributes\":{\"email\":\"%s\",\"user\":\"%s\"}}".formatted(SECRET, CONTROL);
    for (int i = 0; i < 5; i++) {
      HttpResponse<String> answer = post(gatewayAddress, body);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      said.add(answer.headers().map() + answer.body());
    }
  }

  private void operatorsAsk() throws Exception {
    String usage = quota("usage", "get", "--rule", RULE, "email=" + SECRET, enforcer(), hashKeys());
    assertThat(usage).startsWith("accounts/per-email/h.2026-11.").contains("limit 100000");
    String hash = quota("hash", SECRET, hashKeys()).strip();
    assertThat(quota("usage", "get", "--rule", RULE, "email=" + hash, enforcer())).isEqualTo(usage);
    QuotaRun refused = QuotaRun.of("usage", "get", "--rule", RULE, "email=" + SECRET, enforcer());
    assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE);
    said.add(refused.out() + refused.err());
    HttpResponse<String> clear =
        enforcer.get("/usage/" + RULE + "?email=zelda.hidden%2B7%40example.com");
    assertThat(clear.statusCode()).isEqualTo(400);
    said.add(clear.body());

    assertThat(
            quota("rules", "explain", "email=" + SECRET, "user=" + CONTROL, server(), hashKeys()))
        .contains(hash, CONTROL);
    said.add(quota("rules", "explain", "email=" + SECRET, server()));
    assertThat(quota("check", "email=" + SECRET, server(), hashKeys())).contains(hash);
    quota("check", "user=" + CONTROL, server());
    quota("rules", "explain", RULE, server());
    quota("rules", "get", RULE, server());
    quota("dead-letters", "list", server());
    quota("dead-letters", "list", "-o", "json", server());
    quota("backtest", "--rules", folder.resolve("r.yaml").toString(), "--events-from=1h", server());
    said.add(enforcer.get("/metrics").body());
    said.add(enforcer.get("/v1/deferred/stats").body());
  }

  private void search(List<ChildJvm> processes) throws Exception {
    List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      for (String topic : admin.listTopics().names().get()) {
        all.addAll(tap.read(topic));
      }
    }
    assertThat(all).filteredOn(it -> isIn(HIDDEN, it)).isEmpty();
    assertThat(all.stream().filter(it -> isIn(SHOWN, it)).map(ConsumerRecord::topic).distinct())
        .contains("quota.usage", "quota.request-events", "quota.deferred", "quota.replays");
    assertThat(HIDDEN.below(folder.resolve("enforcer"))).isEmpty();
    assertThat(SHOWN.below(folder.resolve("enforcer").resolve("state"))).isNotEmpty();
    assertThat(HIDDEN.below(folder.resolve("broker"))).isEmpty();
    assertThat(SHOWN.below(folder.resolve("broker"))).isNotEmpty();
    List<String> logs = new ArrayList<>();
    processes.forEach(
        jvm -> {
          logs.addAll(jvm.out());
          logs.addAll(jvm.err());
        });
    List.copyOf(ownLog.list).forEach(event -> logs.add(event.getFormattedMessage()));
    assertThat(logs).hasSizeGreaterThan(3).filteredOn(line -> !HIDDEN.in(line).isEmpty()).isEmpty();
    assertThat(said).filteredOn(text -> !HIDDEN.in(text).isEmpty()).isEmpty();
    assertThat(said).anyMatch(text -> !SHOWN.in(text).isEmpty());
  }

  private static boolean isIn(Needle needle, ConsumerRecord<byte[], byte[]> record) {
    List<byte[]> parts = new ArrayList<>();
    parts.add(record.key() == null ? new byte[0] : record.key());
    parts.add(record.value() == null ? new byte[0] : record.value());
    record.headers().forEach(header -> parts.add(header.value()));
    return parts.stream().anyMatch(part -> !needle.in(part).isEmpty());
  }

  /** Another key comes while instances decide; the old one goes once all have both. */
  @Test
  void rotationUnderLoad_isNeverOverAFixedWindow() throws Exception {
    String other = quota("hash", "--generate", "2026-12");
    String first = Files.readString(keys).strip();
    List<AdmissionClient> clients = new ArrayList<>();
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Path file = folder.resolve("keys-" + i);
      writeKeys(file, first);
      Map<String, Object> settings = settings("rotating-" + i);
      settings.put("hash.keys.file", file.toString());
      AdmissionClient client = AdmissionClient.create(settings);
      open.add(client);
      assertThat(client.awaitRules(TIMEOUT)).isTrue();
      clients.add(client);
      files.add(file);
    }
    loadWindows(clients, 1);
    for (int i = 0; i < clients.size(); i++) {
      writeKeys(files.get(i), first + "\n" + other.strip());
      loadUntilItHas(clients, i, 2);
    }
    // Now both have counted all of a window.
    loadWindows(clients, 2);
    for (int i = 0; i < clients.size(); i++) {
      writeKeys(files.get(i), other);
      loadUntilItHas(clients, i, 1);
    }
    loadWindows(clients, 1);

    assertThat(admitted.values()).allSatisfy(each -> assertThat(each).isLessThanOrEqualTo(LIMIT));
    assertThat(admitted.values()).filteredOn(each -> each >= LIMIT - 5).hasSizeGreaterThan(2);
    String both = Files.writeString(keys, first + "\n" + other).toString();
    String rule = "accounts/per-email-strict";
    assertThat(
            quota(
                "usage",
                "get",
                "--rule",
                rule,
                "email=" + SECRET,
                enforcer(),
                "--hash-keys=" + both))
        .contains("h.2026-11.", "h.2026-12.");
  }

  private void loadUntilItHas(List<AdmissionClient> clients, int changed, int quotaKeys) {
    await()
        .pollInSameThread()
        .atMost(TIMEOUT)
        .until(
            () -> {
              load(clients);
              return quotaKeys(clients.get(changed)) == quotaKeys;
            });
  }

  /** Makes requests until some borders of windows have passed. */
  private void loadWindows(List<AdmissionClient> clients, int borders) {
    long end = System.currentTimeMillis() / WINDOW_MILLIS + borders;
    await()
        .pollInSameThread()
        .atMost(TIMEOUT)
        .until(
            () -> {
              load(clients);
              return System.currentTimeMillis() / WINDOW_MILLIS > end;
            });
  }

  /** A request of each; not about a border, which partitions may tell some milliseconds apart. */
  private void load(List<AdmissionClient> clients) throws InterruptedException {
    Request request = Request.of("email", SECRET, "user", CONTROL, "kind", "strict");
    for (int i = 0; i < 10; i++) {
      for (AdmissionClient client : clients) {
        long millis = System.currentTimeMillis();
        long within = millis % WINDOW_MILLIS;
        if (within > ABOUT_MILLIS
            && within < WINDOW_MILLIS - ABOUT_MILLIS
            && client.decide(request, Duration.ofMillis(50)).admitted()) {
          admitted.merge(millis / WINDOW_MILLIS, 1, Integer::sum);
        }
      }
    }
  }

  /** How many quota keys a request has that nobody has made before. */
  private static int quotaKeys(AdmissionClient client) {
    int before = client.keys();
    client.decide(Request.of("email", "probe-" + UUID.randomUUID()));
    return client.keys() - before;
  }

  /** A gateway that counts alone hashes too, with the keys that it has, or its own. */
  @Test
  void gatewayOfARulesFile_decides_withKeysOrWithout() throws Exception {
    Path rules = folder.resolve("r.yaml");
    for (String hash : List.of("hash.keys.file=" + keys, "")) {
      ChildJvm gateway = launchGateway("alone-" + hash.length(), "rules.file=" + rules, hash);
      HttpResponse<String> answer =
          post(
              addressOf(gateway),
              "{\"attributes\":{\"email\":\"%s\",\"user\":\"u\"}}".formatted(SECRET));
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }
  }

  private static Request request() {
    return Request.of("email", SECRET, "user", CONTROL);
  }

  private void awaitUsed(long permits) {
    await()
        .atMost(TIMEOUT)
        .untilAsserted(
            () -> {
              QuotaRun run =
                  QuotaRun.of(
                      "usage",
                      "get",
                      "--rule",
                      RULE,
                      "email=" + SECRET,
                      enforcer(),
                      hashKeys(),
                      "-o=json");
              assertThat(run.exitCode()).as(run.err()).isZero();
              JsonNode usage = new ObjectMapper().readTree(run.out());
              assertThat(usage.path("windows").path(0).path("used").asLong()).isEqualTo(permits);
            });
  }

  private Map<String, Object> settings(String instance) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", servers);
    settings.put("instance.id", instance);
    settings.put("hash.keys.file", keys.toString());
    return settings;
  }

  /** A service in a process of its own, for its log: a command that decides. */
  private ChildJvm service() throws Exception {
    return ChildJvm.start(
        "service",
        folder.resolve("tmp"),
        Main.class,
        "check",
        "-v",
        "-v",
        "email=" + SECRET,
        "user=" + CONTROL,
        server(),
        hashKeys());
  }

  private ChildJvm launchGateway(String name, String... settings) throws Exception {
    Path config =
        Files.writeString(
            folder.resolve(name + ".properties"),
            String.join("\n", settings)
                + "\nhttp.port=0\nhttp.probe.port=0\ngrpc.port=0\nmax.wait=5s\n");
    ChildJvm gateway =
        ChildJvm.start(
            "gateway",
            folder.resolve("tmp"),
            Main.class,
            "gateway",
            "-v",
            "--config",
            config.toString());
    open.add(gateway);
    return gateway;
  }

  private static String addressOf(ChildJvm gateway) {
    String rest = gateway.awaitLine("checking at ", Duration.ofSeconds(60));
    return rest.substring(0, rest.indexOf(','));
  }

  private HttpResponse<String> post(String address, String body) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create(address + "/decide"))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private void writeKeys(String lines) throws Exception {
    writeKeys(keys, lines);
  }

  /** As an operator should: another file in place of the one before, that nobody else may read. */
  private static void writeKeys(Path file, String lines) throws Exception {
    Path next =
        Files.createTempFile(
            file.getParent(),
            "keys",
            "",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(next, lines + "\n", StandardCharsets.UTF_8);
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
  }

  private String quota(String... arguments) {
    QuotaRun run = QuotaRun.done(arguments);
    said.add(run.out() + run.err());
    return run.out();
  }

  private String server() {
    return "--bootstrap-server=" + servers;
  }

  private String enforcer() {
    return "--enforcer=http://" + enforcer.address();
  }

  private String hashKeys() {
    return "--hash-keys=" + keys;
  }
}
