package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.lab.process.EnforcerJvm;
import io.quotaenforcer.server.access.AccessTokens;
import io.quotaenforcer.server.access.Role;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The API for operators of two enforcers in processes of their own, and of one that is left. */
@Timeout(720)
class OperatorApiIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final String TOKEN = "a-token-of-an-operator";
  private static final String RULES =
      """
      domain: posts
      rules:
        - id: per-user
          key: [user]
          limit: {permits: 5, per: 1h, algorithm: fixed-window}
      """;
  private static final int USERS = 40;

  @TempDir Path folder;

  @AutoClose private final Opened open = new Opened();
  private final HttpClient http = HttpClient.newHttpClient();
  private EmbeddedBroker broker;
  private String tokens = "";

  private EnforcerJvm enforcer(String name) throws Exception {
    EnforcerJvm enforcer =
        EnforcerJvm.start(
            folder.resolve(name),
            broker.bootstrapServers(),
            "http.api.tokens.file=" + tokens,
            "http.api.requests.per.second=10000");
    open.add(enforcer);
    return enforcer;
  }

  private HttpRequest.Builder request(EnforcerJvm at, String path) {
    return HttpRequest.newBuilder(URI.create("http://" + at.address() + "/api/v1" + path))
        .timeout(Duration.ofSeconds(30))
        .header("Authorization", "Bearer " + TOKEN);
  }

  private JsonNode get(EnforcerJvm at, String path) throws Exception {
    HttpResponse<String> response = http.send(request(at, path).build(), BodyHandlers.ofString());
    assertThat(response.statusCode()).as(path + " " + response.body()).isEqualTo(200);
    return new ObjectMapper().readTree(response.body());
  }

  @Test
  void anyEnforcer_answersForBoth_andOneThatIsLeftByItsCopies() throws Exception {
    broker = EmbeddedBroker.start();
    open.add(broker);
    String server = "--bootstrap-server=" + broker.bootstrapServers();
    QuotaRun.done("topics", "create", "--partitions=4", server);
    QuotaRun.done(
        "rules", "apply", Files.writeString(folder.resolve("r.yaml"), RULES).toString(), server);
    tokens =
        Files.writeString(folder.resolve("tokens"), AccessTokens.line("olga", Role.OPERATOR, TOKEN))
            .toString();
    EnforcerJvm one = enforcer("one");
    EnforcerJvm two = enforcer("two");
    await()
        .atMost(TIMEOUT)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              JsonNode all = get(one, "/overview");
              assertThat(all.path("enforcers")).hasSize(2);
              assertThat(all.at("/totals/partitions").asInt()).isEqualTo(4);
              all.path("enforcers")
                  .forEach(
                      each -> {
                        assertThat(each.at("/health/status").asText()).isEqualTo("ready");
                        assertThat(each.path("partitions").size()).isEqualTo(2);
                      });
            });

    AdmissionClient client =
        AdmissionClient.builder().bootstrapServers(broker.bootstrapServers()).build();
    open.add(client);
    assertThat(client.awaitRules(TIMEOUT)).isTrue();
    for (int user = 0; user < USERS; user++) {
      int requests = user == 7 ? 50 : 1;
      for (int i = 0; i < requests; i++) {
        client.decide(Request.of("user", Integer.toString(user)));
      }
    }

    await()
        .atMost(TIMEOUT)
        .untilAsserted(
            () -> {
              JsonNode found = get(two, "/keys?prefix=posts/per-user/&limit=200");
              assertThat(found.path("keys")).hasSize(USERS);
              assertThat(found.at("/partitions/answered").size()).isEqualTo(4);
              assertThat(get(two, "/keys/top?by=throttled").at("/keys/0/quotaKey").asText())
                  .isEqualTo("posts/per-user/7");
              assertThat(get(one, "/instances").path("instances").size()).isPositive();
            });
    for (EnforcerJvm asked : Set.of(one, two)) {
      for (int user = 0; user < USERS; user++) {
        String path = "/keys/show?key=posts/per-user/" + user;
        await()
            .atMost(TIMEOUT)
            .ignoreExceptions()
            .untilAsserted(
                () -> {
                  JsonNode key = get(asked, path);
                  assertThat(key.has("stale")).isFalse();
                  assertThat(key.path("windows").size()).isPositive();
                  assertThat(key.path("holders").size()).isPositive();
                });
      }
    }

    HttpResponse<String> changed =
        http.send(
            request(two, "/rules/posts/per-user")
                .header("Content-Type", "application/yaml")
                .header("If-Match", "\"1\"")
                .PUT(BodyPublishers.ofString(RULES.replace("permits: 5", "permits: 6")))
                .build(),
            BodyHandlers.ofString());
    assertThat(changed.statusCode()).as(changed.body()).isEqualTo(200);
    await()
        .atMost(TIMEOUT)
        .untilAsserted(
            () ->
                assertThat(get(one, "/rules/posts/per-user").path("version").asInt()).isEqualTo(2));
    assertThat(QuotaRun.done("rules", "history", "posts/per-user", server).out()).contains("olga");

    two.close();
    Set<String> seen = new HashSet<>();
    await()
        .atMost(TIMEOUT)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              for (int user = 0; user < USERS; user++) {
                JsonNode key = get(one, "/keys/show?key=posts/per-user/" + user);
                seen.add(key.has("stale") ? "copy" : "ledger");
              }
              assertThat(get(one, "/overview").at("/totals/partitions").asInt()).isEqualTo(4);
            });
    // Between the kill and the takeover, copies answered.
    assertThat(seen).contains("copy", "ledger");
  }
}
