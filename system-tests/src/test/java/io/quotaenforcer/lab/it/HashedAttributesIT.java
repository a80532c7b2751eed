package io.quotaenforcer.lab.it;

import static io.quotaenforcer.lab.it.HashedSite.CONTROL;
import static io.quotaenforcer.lab.it.HashedSite.RULE;
import static io.quotaenforcer.lab.it.HashedSite.SECRET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
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
@Timeout(720)
class HashedAttributesIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(40);
  private static final Needle HIDDEN = new Needle(SECRET);
  private static final Needle SHOWN = new Needle(CONTROL);

  @TempDir Path folder;

  private final HttpClient http = HttpClient.newHttpClient();
  @AutoClose private final Opened open = new Opened();
  private final ListAppender<ILoggingEvent> ownLog = new ListAppender<>();
  private HashedSite site;
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
    site = new HashedSite(open, folder);
    tap = new TopicTap(site.servers);
    open.add(tap);
  }

  @Test
  void hashedValue_isInNoTopicStoreLogAnswerOrOutput_andOperatorsFindItAllTheSame()
      throws Exception {
    ChildJvm gateway =
        launchGateway("shared", "bootstrap.servers=" + site.servers, "hash.keys.file=" + site.keys);
    String gatewayAddress = addressOf(gateway);
    ChildJvm service = service();
    Map<String, Object> settings = site.settings("embedded");
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
    site.enforcer.terminate();
    gateway.signal("TERM");
    gateway.exitCode(TIMEOUT);
    search(List.of(gateway, site.enforcer.jvm(), service));
  }

  private void decideAndDefer(AdmissionClient client, Queue<Map<String, String>> replayed)
      throws Exception {
    for (int i = 0; i < 10; i++) {
      Decision decision = client.decide(HashedSite.request(), Duration.ofSeconds(5));
      assertThat(decision.admitted()).isTrue();
      site.says(decision.toString());
    }
    assertThat(client.decide(house()).rules()).as("matched in the clear").hasSize(3);
    assertThat(client.decide(house()).admitted()).isFalse();
    Request mail = Request.of("email", SECRET, "user", CONTROL, "kind", "mail");
    assertThat(client.decide(mail, TIMEOUT).admitted()).isTrue();
    Deferred deferred = client.defer(mail, Deferral.of(new byte[0]).withId("mail-1")).get();
    site.says(deferred.toString());
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
    Map<String, Object> settings = site.settings("events");
    settings.put("hash.attributes", "email");
    try (RequestEventEmitter emitter = RequestEventEmitter.create(settings)) {
      for (int i = 0; i < 3; i++) {
        emitter.emit(HashedSite.request(), Outcome.ADMITTED);
      }
    }
    try (RequestEventEmitter careless =
        RequestEventEmitter.create(Map.of("bootstrap.servers", site.servers))) {
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
      site.says(answer.headers().map() + answer.body());
    }
  }

  private void operatorsAsk() throws Exception {
    String usage =
        site.quota(
            "usage", "get", "--rule", RULE, "email=" + SECRET, site.atEnforcer(), site.hashKeys());
    assertThat(usage).startsWith("accounts/per-email/h.2026-11.").contains("limit 100000");
    String hash = site.quota("hash", SECRET, site.hashKeys()).strip();
    assertThat(site.quota("usage", "get", "--rule", RULE, "email=" + hash, site.atEnforcer()))
        .isEqualTo(usage);
    QuotaRun refused =
        QuotaRun.of("usage", "get", "--rule", RULE, "email=" + SECRET, site.atEnforcer());
    assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE);
    site.says(refused.out() + refused.err());
    HttpResponse<String> clear =
        site.enforcer.get("/usage/" + RULE + "?email=zelda.hidden%2B7%40example.com");
    assertThat(clear.statusCode()).isEqualTo(400);
    site.says(clear.body());

    assertThat(
            site.quota(
                "rules",
                "explain",
                "email=" + SECRET,
                "user=" + CONTROL,
                site.server(),
                site.hashKeys()))
        .contains(hash, CONTROL);
    site.says(site.quota("rules", "explain", "email=" + SECRET, site.server()));
    assertThat(site.quota("check", "email=" + SECRET, site.server(), site.hashKeys()))
        .contains(hash);
    site.quota("check", "user=" + CONTROL, site.server());
    site.quota("rules", "explain", RULE, site.server());
    site.quota("rules", "get", RULE, site.server());
    site.quota("dead-letters", "list", site.server());
    site.quota("dead-letters", "list", "-o", "json", site.server());
    site.quota("backtest", "--rules", site.rules().toString(), "--events-from=1h", site.server());
    site.says(site.enforcer.get("/metrics").body());
    site.says(site.enforcer.get("/v1/deferred/stats").body());
  }

  private void search(List<ChildJvm> processes) throws Exception {
    List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", site.servers))) {
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
    assertThat(site.said()).filteredOn(text -> !HIDDEN.in(text).isEmpty()).isEmpty();
    assertThat(site.said()).anyMatch(text -> !SHOWN.in(text).isEmpty());
  }

  private static boolean isIn(Needle needle, ConsumerRecord<byte[], byte[]> record) {
    List<byte[]> parts = new ArrayList<>();
    parts.add(record.key() == null ? new byte[0] : record.key());
    parts.add(record.value() == null ? new byte[0] : record.value());
    record.headers().forEach(header -> parts.add(header.value()));
    return parts.stream().anyMatch(part -> !needle.in(part).isEmpty());
  }

  /** A gateway that counts alone hashes too, with the keys that it has, or its own. */
  @Test
  void gatewayOfARulesFile_decides_withKeysOrWithout() throws Exception {
    Path rules = site.rules();
    for (String hash : List.of("hash.keys.file=" + site.keys, "")) {
      ChildJvm gateway = launchGateway("alone-" + hash.length(), "rules.file=" + rules, hash);
      HttpResponse<String> answer =
          post(
              addressOf(gateway),
              "{\"attributes\":{\"email\":\"%s\",\"user\":\"u\"}}".formatted(SECRET));
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }
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
                      site.atEnforcer(),
                      site.hashKeys(),
                      "-o=json");
              assertThat(run.exitCode()).as(run.err()).isZero();
              JsonNode usage = new ObjectMapper().readTree(run.out());
              assertThat(usage.path("windows").path(0).path("used").asLong()).isEqualTo(permits);
            });
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
        site.server(),
        site.hashKeys());
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
}
