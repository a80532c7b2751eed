package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.enforcer.rules.Authorship;
import io.quotaenforcer.enforcer.rules.RuleAdmin;
import io.quotaenforcer.enforcer.rules.RulesTopic;
import io.quotaenforcer.lab.embedded.EmbeddedCluster;
import io.quotaenforcer.lab.it.LoadedClient.Made;
import io.quotaenforcer.rules.RuleFile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A rule changed under load, as {@code quota rules apply} changes it. */
@Timeout(270)
class RuleChangeIT {
  /** Half a window: so long before it begins its first permits may be granted. */
  private static final long AHEAD_NANOS = 500_000_000L;

  private static final int CLIENTS = 4;
  private static final RuleId RULE = new RuleId("posts", "per-user");
  private static final long SECOND = 1_000_000_000L;
  private static final long LOAD_NANOS = 1_200 * 1_000_000L;
  private static final long MILLI = 1_000_000L;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @AutoClose private final Opened open = new Opened();
  private final List<LoadedClient> clients = new ArrayList<>();
  private final List<Change> changes = new ArrayList<>();
  private EmbeddedCluster cluster;
  private RulesTopic rules;

  /** A limit that was put in force once it was published; limits tell the changes apart. */
  private record Change(long limit, String per, long askedNanos, long doneNanos) {}

  @BeforeEach
  void startAll() throws InterruptedException {
    Clocks clocks = Clocks.system();
    cluster =
        EmbeddedCluster.start(CLIENTS, List.of(), EmbeddedCluster.settings(clocks.epochNanos()));
    open.add(cluster);
    rules =
        RulesTopic.inKafka(
            Map.of("bootstrap.servers", cluster.bootstrapServers()), cluster.wire(), TIMEOUT);
    open.add(rules);
  }

  @Test
  void limitKeyAndWindow_changedUnderLoad_areFollowedAndNeverExceeded() throws Exception {
    apply(100, "1s", "user");
    startClients();
    awaitFollowed();
    apply(160, "1s", "user");
    awaitFollowed();
    apply(40, "1s", "user");
    awaitFollowed();
    apply(60, "1s", "tenant");
    awaitFollowed();
    apply(90, "2s", "tenant");
    awaitFollowed();

    List<Made> decisions = new ArrayList<>();
    for (LoadedClient client : clients) {
      client.close();
      decisions.addAll(client.decisions());
    }

    for (int i = 1; i < changes.size(); i++) {
      Change change = changes.get(i);
      double seen = lastMadeBy(decisions, changes.get(i - 1)) - change.doneNanos();
      double granted = firstAdmittedBy(decisions, change) - change.doneNanos();
      System.out.printf(
          Locale.ROOT,
          "rule change to %d per %s: published within %.0f ms, last decision by the old limit"
              + " %.0f ms after that, first admission by the new one after %.0f ms%n",
          change.limit(),
          change.per(),
          (double) (change.doneNanos() - change.askedNanos()) / MILLI,
          seen / MILLI,
          granted / MILLI);
      // Where nothing stands still, it is far less than a second.
      assertThat(seen).as(change.toString()).isLessThan(5.0 * SECOND);
    }
    assertNeverOver(decisions);
    long admitted = decisions.stream().filter(Made::admitted).mapToLong(Made::cost).sum();
    await()
        .atMost(TIMEOUT)
        .untilAsserted(() -> assertThat(cluster.counted()).isEqualTo(Map.of(RULE, admitted)));
  }

  private void apply(long permits, String per, String key) {
    String yaml =
        """
        domain: posts
        rules:
          - id: per-user
            key: [%s]
            limit: {permits: %d, per: %s, algorithm: fixed-window}
            enforcement: strict
        """
            .formatted(key, permits, per);
    RuleFile.Valid file = (RuleFile.Valid) RuleFile.parse("rules.yaml", yaml);
    long asked = System.nanoTime();
    new RuleAdmin(rules).apply(file, false).publish(new Authorship("test", Optional.empty()));
    changes.add(new Change(permits, per, asked, System.nanoTime()));
  }

  private void startClients() throws InterruptedException {
    // A user is named like its tenant: the quota keys of both generations are the same.
    List<Request> requests =
        List.of(Request.of("user", "a", "tenant", "a"), Request.of("user", "b", "tenant", "b"));
    for (int i = 1; i <= CLIENTS; i++) {
      LoadedClient client =
          new LoadedClient(
              AdmissionClient.builder()
                  .bootstrapServers(cluster.bootstrapServers())
                  .instance("client-" + i)
                  .build(),
              requests);
      clients.add(client);
      open.add(client);
      client.start();
    }
  }

  /** Waits until every client has admitted by the newest limit, and a little more load. */
  private void awaitFollowed() {
    long limit = changes.get(changes.size() - 1).limit();
    for (LoadedClient client : clients) {
      await()
          .atMost(TIMEOUT)
          .until(
              () -> client.decisions().stream().anyMatch(m -> m.admitted() && m.limit() == limit));
    }
    long followed = System.nanoTime();
    for (LoadedClient client : clients) {
      await().atMost(TIMEOUT).until(() -> !client.decisionsSince(followed + LOAD_NANOS).isEmpty());
    }
  }

  /** By the limits that the test publishes: per second and user, and tenant, per two seconds. */
  private static int generation(Made made) {
    return made.limit() == 90 ? 3 : made.limit() == 60 ? 2 : 1;
  }

  private static long lastMadeBy(List<Made> decisions, Change change) {
    return decisions.stream()
        .filter(made -> made.limit() == change.limit())
        .mapToLong(Made::atNanos)
        .max()
        .orElseThrow();
  }

  private static long firstAdmittedBy(List<Made> decisions, Change change) {
    return decisions.stream()
        .filter(made -> made.admitted() && made.limit() == change.limit())
        .mapToLong(Made::atNanos)
        .min()
        .orElseThrow();
  }

  /**
   * In each window of each key, no more than the largest limit that decided in it or shortly before
   * it: its first permits may be granted that early. Of a later window that is the newest limit.
   * Another generation begins to count at 0, once the leases of the one before have ended.
   */
  private static void assertNeverOver(List<Made> decisions) {
    Predicate<Made> admitted = Made::admitted;
    Map<String, List<Made>> windows =
        decisions.stream()
            .filter(admitted)
            .collect(
                Collectors.groupingBy(
                    m -> m.key() + "@" + m.windowStartNanos() + " of " + generation(m)));
    Map<String, Long> over = new HashMap<>();
    windows.forEach(
        (window, made) -> {
          long first = made.stream().mapToLong(Made::atNanos).min().orElseThrow();
          long last = made.stream().mapToLong(Made::atNanos).max().orElseThrow();
          long limit =
              decisions.stream()
                  .filter(m -> m.atNanos() >= first - AHEAD_NANOS && m.atNanos() <= last)
                  .filter(m -> generation(m) == generation(made.get(0)))
                  .mapToLong(Made::limit)
                  .max()
                  .orElseThrow();
          long permits = made.stream().mapToLong(Made::cost).sum();
          if (permits > limit) {
            over.put(window, permits - limit);
          }
        });
    assertThat(windows).hasSizeGreaterThan(2 * 6);
    assertThat(over).isEmpty();
  }
}
