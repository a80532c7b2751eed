package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.Deferral;
import io.quotaenforcer.client.Deferred;
import io.quotaenforcer.client.replay.ReplayOptions;
import io.quotaenforcer.client.spi.ReplayOutcome;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.lab.process.EnforcerJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A service that does not know from Kafka how far its replays were handled. */
@Timeout(540)
class ReplaysAgainIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(40);
  private static final int KEYS = 6;
  private static final int PER_KEY = 5;
  private static final String RULE =
      """
      domain: %s
      rules:
        - id: per-user
          match: {api: "%s"}
          key: [user]
          limit: {permits: 1000, per: 1s, algorithm: token-bucket}
          over-limit: defer
      """;

  @TempDir Path folder;

  @AutoClose private final Opened open = new Opened();
  private final Set<String> held = ConcurrentHashMap.newKeySet();
  private String servers;

  @BeforeEach
  void startEnforcer() throws Exception {
    EmbeddedBroker broker = EmbeddedBroker.start();
    open.add(broker);
    servers = broker.bootstrapServers();
    String server = "--bootstrap-server=" + servers;
    QuotaRun.done("topics", "create", "--partitions=2", server);
    for (String domain : List.of("posts", "mails")) {
      Path rules =
          Files.writeString(folder.resolve(domain + ".yaml"), RULE.formatted(domain, domain));
      QuotaRun.done("rules", "apply", rules.toString(), server);
    }
    open.add(EnforcerJvm.start(folder.resolve("enforcer"), servers));
  }

  @Test
  void groupThatKafkaForgot_handlesWhatIsNotAcknowledged_andNothingElse() throws Exception {
    held.addAll(List.of("posts-0-1", "posts-3-4"));
    Set<String> first = ConcurrentHashMap.newKeySet();
    AdmissionClient service = service("posts", first);
    deferAll(service, "posts");
    // Behind one that is held, its quota key stands still.
    Set<String> expected = all("posts");
    expected.removeAll(List.of("posts-0-2", "posts-0-3", "posts-0-4"));
    await().atMost(TIMEOUT).untilAsserted(() -> assertThat(first).isEqualTo(expected));
    service.close();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      admin
          .deleteConsumerGroups(List.of("quota.replays-posts"))
          .all()
          .get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }
    held.clear();

    Set<String> again = ConcurrentHashMap.newKeySet();
    AdmissionClient restarted = service("posts", again);
    defer(restarted, "posts", "0", "last");

    Set<String> left =
        Set.of("posts-0-1", "posts-0-2", "posts-0-3", "posts-0-4", "posts-3-4", "posts-0-last");
    await().atMost(TIMEOUT).until(() -> again.containsAll(left));
    assertThat(again).isEqualTo(left);
  }

  @Test
  void domainMoreInTheList_handlesItsOwnReplays_andNoneOfTheOthersAgain() throws Exception {
    Set<String> first = ConcurrentHashMap.newKeySet();
    AdmissionClient service = service("posts", first);
    deferAll(service, "posts");
    await().atMost(TIMEOUT).untilAsserted(() -> assertThat(first).isEqualTo(all("posts")));
    service.close();
    AdmissionClient other = client("mails");
    deferAll(other, "mails");

    Set<String> again = ConcurrentHashMap.newKeySet();
    AdmissionClient restarted = service("mails,posts", again);
    defer(restarted, "posts", "0", "last");

    Set<String> left = all("mails");
    left.add("posts-0-last");
    await().atMost(TIMEOUT).until(() -> again.containsAll(left));
    assertThat(again).isEqualTo(left);
  }

  private AdmissionClient client(String domains) throws InterruptedException {
    AdmissionClient client =
        AdmissionClient.builder().bootstrapServers(servers).property("domains", domains).build();
    open.add(client);
    assertThat(client.awaitRules(TIMEOUT)).isTrue();
    return client;
  }

  private AdmissionClient service(String domains, Set<String> handled) throws InterruptedException {
    AdmissionClient client = client(domains);
    client.replays(replay -> handle(replay, handled), ReplayOptions.DEFAULTS);
    return client;
  }

  private ReplayOutcome handle(Replay replay, Set<String> handled) {
    handled.add(replay.id());
    return held.contains(replay.id())
        ? ReplayOutcome.retryLater(Duration.ofMinutes(5))
        : ReplayOutcome.done();
  }

  private static Set<String> all(String domain) {
    Set<String> ids = ConcurrentHashMap.newKeySet();
    for (int user = 0; user < KEYS; user++) {
      for (int i = 0; i < PER_KEY; i++) {
        ids.add(domain + "-" + user + "-" + i);
      }
    }
    return ids;
  }

  private static void deferAll(AdmissionClient client, String domain) {
    for (int user = 0; user < KEYS; user++) {
      for (int i = 0; i < PER_KEY; i++) {
        defer(client, domain, Integer.toString(user), Integer.toString(i));
      }
    }
  }

  private static void defer(AdmissionClient client, String domain, String user, String last) {
    assertThat(
            client.defer(
                Request.of("api", domain, "user", user),
                Deferral.PLAIN.withId(domain + "-" + user + "-" + last)))
        .succeedsWithin(TIMEOUT)
        .isInstanceOf(Deferred.Accepted.class);
  }
}
