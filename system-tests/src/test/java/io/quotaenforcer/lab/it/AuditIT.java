package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.message.AuditRecord;
import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import io.quotaenforcer.core.message.DeferralInput.ReplyTo;
import io.quotaenforcer.lab.process.EnforcerJvm;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import io.quotaenforcer.server.access.AccessTokens;
import io.quotaenforcer.server.access.Role;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every change over HTTP, against a live enforcer, and the one record that each leaves. */
@Timeout(720)
class AuditIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int PARTITIONS = 2;
  private static final String OPERATOR = "a-token-of-an-operator";
  private static final String VIEWER = "a-token-of-a-viewer";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** The first request of a quota key is released; all others wait. */
  private static final String RULES =
      """
      domain: posts
      rules:
        - id: per-user
          key: [user]
          limit: {permits: 1, per: 7d, algorithm: fixed-window}
          enforcement: strict
          over-limit: defer
        - id: whole
          key: [user]
          limit: {permits: 1, per: 7d, algorithm: fixed-window}
          enforcement: strict
          over-limit: defer
        - id: guarded
          key: [account]
          limit: {permits: 10, per: 1h, algorithm: fixed-window}
          enforcement: strict
          penalty: {after: 20, within: 1m, for: 10m}
      """;

  private static final String ONE_RULE =
      """
      domain: posts
      rules:
        - id: other
          key: [user]
          limit: {permits: %d, per: 1m}
      """;

  @TempDir Path folder;

  @AutoClose private final Opened open = new Opened();
  private final HttpClient http = HttpClient.newHttpClient();
  private final Wire wire = Wire.of("quota.", Codecs.withoutRegistry());
  private EmbeddedBroker broker;
  private EnforcerJvm enforcer;
  private TopicTap tap;

  @BeforeEach
  void start() throws Exception {
    broker = EmbeddedBroker.start();
    open.add(broker);
    String server = "--bootstrap-server=" + broker.bootstrapServers();
    QuotaRun.done("topics", "create", "--partitions=" + PARTITIONS, server);
    QuotaRun.done(
        "rules", "apply", Files.writeString(folder.resolve("r.yaml"), RULES).toString(), server);
    tap = new TopicTap(broker.bootstrapServers());
    open.add(tap);
    Path tokens =
        Files.writeString(
            folder.resolve("tokens"),
            AccessTokens.line("vic", Role.VIEWER, VIEWER)
                + "\n"
                + AccessTokens.line("olga", Role.OPERATOR, OPERATOR));
    enforcer =
        EnforcerJvm.start(
            folder.resolve("enforcer"),
            broker.bootstrapServers(),
            "http.api.tokens.file=" + tokens,
            "http.api.requests.per.second=10000");
    open.add(enforcer);
    enforcer.awaitReady();
  }

  private HttpResponse<String> send(String method, String path, String body, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://" + enforcer.address() + "/api/v1" + path))
            .timeout(Duration.ofSeconds(30))
            .header("Authorization", "Bearer " + OPERATOR)
            .method(method, BodyPublishers.ofString(body));
    for (int i = 0; i < headers.length; i += 2) {
      request.setHeader(headers[i], headers[i + 1]);
    }
    return http.send(request.build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> post(String path, String body) throws Exception {
    return send("POST", path, body, "Content-Type", "application/json");
  }

  private JsonNode done(HttpResponse<String> response) throws Exception {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return MAPPER.readTree(response.body());
  }

  private JsonNode get(String path) throws Exception {
    return done(send("GET", path, ""));
  }

  /** The records so far, a line each. */
  private List<String> audit() {
    return tap.read("quota.audit").stream()
        .map(record -> wire.decodeAudit(record.value()))
        .map(AuditIT::line)
        .toList();
  }

  private static String line(AuditRecord audit) {
    AuditRecord.Change change = audit.result().change();
    assertThat(audit.who().address()).isEqualTo("127.0.0.1");
    return "%s %s %s %s%s%s"
        .formatted(
            audit.who().name(),
            audit.result().outcome().name().toLowerCase(Locale.ROOT),
            audit.what().action(),
            audit.what().target(),
            change.after().map(it -> " " + change.before().orElse(0L) + "-" + it).orElse(""),
            change.count().map(it -> " x" + it).orElse(""));
  }

  private void defer(QuotaKey key, String... ids) {
    for (String id : ids) {
      tap.write(
          "quota.deferred",
          key.partition(PARTITIONS),
          key.toString().getBytes(StandardCharsets.UTF_8),
          wire.encode(
              new DeferredRequest(
                  id,
                  key,
                  Request.of("user", key.values().get(0)),
                  Payload.of("secret".getBytes(StandardCharsets.UTF_8)),
                  Map.of(),
                  Priority.NORMAL,
                  System.currentTimeMillis() + Duration.ofHours(1).toMillis(),
                  1_000,
                  ReplyTo.NOBODY)));
    }
  }

  private void awaitDeferred(String id) {
    await().atMost(TIMEOUT).until(() -> !get("/deferred/show?id=" + id).path("requests").isEmpty());
  }

  private void awaitWaiting(String scope, int waiting) {
    await()
        .atMost(TIMEOUT)
        .untilAsserted(
            () ->
                assertThat(get("/deferred?" + scope).at("/queues/0/waiting").asInt())
                    .isEqualTo(waiting));
  }

  private static String one(String id, QuotaKey key) {
    return "{\"id\": \"%s\", \"key\": \"%s\", \"reason\": \"why\"}".formatted(id, key);
  }

  @Test
  void eachChange_leavesOneRecord_andSoDoesOneThatIsRefused() throws Exception {
    JsonNode added =
        done(
            send(
                "PUT",
                "/rules/posts/other",
                ONE_RULE.formatted(5),
                "Content-Type",
                "application/yaml",
                "If-None-Match",
                "*"));
    assertThat(added.path("change").asText()).isEqualTo("added");
    assertThat(
            send(
                    "PUT",
                    "/rules/posts/other",
                    ONE_RULE.formatted(6),
                    "Content-Type",
                    "application/yaml",
                    "If-Match",
                    "\"9\"")
                .statusCode())
        .isEqualTo(412);
    done(
        send(
            "PUT",
            "/rules/posts/other/mode",
            "{\"mode\": \"shadow\"}",
            "Content-Type",
            "application/json",
            "If-Match",
            "\"1\""));
    assertThat(audit())
        .containsExactly(
            "olga done rule-put posts/other 0-1",
            "olga refused rule-put posts/other",
            "olga done rule-mode posts/other 1-2");

    QuotaKey key = QuotaKey.parse("posts/per-user/ann");
    defer(key, "a0", "a1", "a2", "a3");
    awaitDeferred("a3");
    awaitWaiting("key=" + key, 3);
    assertThat(done(post("/deferred/requests:release", one("a3", key))).path("outcome").asText())
        .isEqualTo("next");
    assertThat(done(post("/deferred/requests:cancel", one("a1", key))).path("outcome").asText())
        .isEqualTo("cancelled");
    assertThat(post("/deferred/requests:cancel", one("a0", key)).body()).contains("released");
    assertThat(
            send(
                    "POST",
                    "/deferred/requests:cancel",
                    one("a2", key),
                    "Content-Type",
                    "application/json",
                    "Authorization",
                    "Bearer " + VIEWER)
                .statusCode())
        .isEqualTo(403);
    assertThat(done(post("/deferred:purge", "{\"rule\": \"posts/per-user\"}")).path("left").asInt())
        .isZero();
    assertThat(audit().subList(3, audit().size()))
        .containsExactly(
            "olga done deferred-release posts/per-user/ann a3",
            "olga done deferred-cancel posts/per-user/ann a1",
            "olga refused deferred-cancel posts/per-user/ann a0",
            "vic refused deferred-cancel /api/v1/deferred/requests:cancel",
            "olga done deferred-purge posts/per-user x2");

    JsonNode letters = get("/dead-letters?reason=cancelled").path("letters");
    assertThat(letters).hasSize(1);
    String place = letters.at("/0/place").asText();
    assertThat(get("/dead-letters/reasons").path("counted").asInt()).isEqualTo(3);
    String places = "{\"places\": [\"" + place + "\"]}";
    assertThat(done(post("/dead-letters:redrive", places)).path("redriven").asInt()).isOne();
    awaitWaiting("key=" + key, 1);
    assertThat(post("/dead-letters:redrive", places).body()).contains("left: redriven before");
    assertThat(get("/dead-letters?id=" + place).at("/letters/0").has("redrivenAt")).isTrue();
    assertThat(audit().subList(8, audit().size()))
        .containsExactly(
            "olga done dead-letters-redrive " + place + " x1",
            "olga refused dead-letters-redrive " + place);

    JsonNode shown = get("/audit?limit=3");
    assertThat(shown.path("changes")).hasSize(3);
    assertThat(shown.at("/changes/0/outcome").asText()).isEqualTo("refused");
    assertThat(get("/audit?before=" + shown.path("next").asText()).path("changes"))
        .hasSize(audit().size() - 3);
  }

  @Test
  void liftedPenalty_isRecorded_andWithoutTheTopicNothingIsChanged() throws Exception {
    AdmissionClient client =
        AdmissionClient.builder().bootstrapServers(broker.bootstrapServers()).build();
    open.add(client);
    assertThat(client.awaitRules(TIMEOUT)).isTrue();
    await()
        .atMost(TIMEOUT)
        .untilAsserted(
            () -> {
              for (int i = 0; i < 40; i++) {
                client.decide(Request.of("account", "mallory"));
              }
              assertThat(get("/penalties").at("/penalties/0/quotaKey").asText())
                  .isEqualTo("posts/guarded/mallory");
            });
    String lift = "{\"key\": \"posts/guarded/mallory\"}";
    assertThat(done(post("/penalties:lift", lift)).path("outcome").asText())
        .isEqualTo("no penalty");
    assertThat(audit()).containsExactly("olga done penalty-lift posts/guarded/mallory");

    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      admin.deleteTopics(List.of("quota.audit")).all().get();
      await()
          .atMost(TIMEOUT)
          .until(() -> !admin.listTopics().names().get().contains("quota.audit"));
      HttpResponse<String> put =
          send(
              "PUT",
              "/rules/posts/other",
              ONE_RULE.formatted(5),
              "Content-Type",
              "application/yaml",
              "If-None-Match",
              "*");
      for (HttpResponse<String> refused : List.of(put, post("/penalties:lift", lift))) {
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(409);
        assertThat(refused.body())
            .contains("nothing was changed", "quota.audit", "run: quota topics create");
      }
      assertThat(admin.listTopics().names().get()).doesNotContain("quota.audit");
    }
    assertThat(send("GET", "/rules/posts/other/history", "").statusCode()).isEqualTo(404);
    assertThat(send("GET", "/audit", "").statusCode()).isEqualTo(409);
  }
}
