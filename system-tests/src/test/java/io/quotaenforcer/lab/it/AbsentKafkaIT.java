package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.broker.BrokerOptions;
import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.Readiness;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.lab.process.EnforcerJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client that is there before Kafka, and longer than the enforcer. */
@Timeout(270)
class AbsentKafkaIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration LONGEST_LEASE = Duration.ofSeconds(2);
  private static final String RULES =
      """
      domain: shop
      rules:
        - {id: strict, match: {api: strict}, key: [user], enforcement: strict,
           limit: {permits: 1000, per: 1s, algorithm: fixed-window}}
        - {id: allow, match: {api: allow}, key: [user], on-unavailable: allow,
           limit: {permits: 1000, per: 1s}}
        - {id: deny, match: {api: deny}, key: [user], on-unavailable: deny,
           limit: {permits: 1000, per: 1s}}
      """;

  @TempDir Path folder;

  @AutoClose private final Opened open = new Opened();

  @Test
  void client_startedBeforeKafka_decidesAndIsThereWhenKafkaComes() throws Exception {
    int port = BadInputIT.freePort();
    AdmissionClient client =
        AdmissionClient.create(
            Map.of("bootstrap.servers", "127.0.0.1:" + port, "close.timeout", "200ms"));
    open.add(client);

    assertThat(client.awaitRules(Duration.ofMillis(300))).isFalse();
    for (String api : List.of("strict", "allow", "deny")) {
      assertThat(client.decide(request(api))).isEqualTo(new Decision.NotReady(true));
      assertThat(client.decide(request(api), TIMEOUT))
          .as("nobody would answer")
          .isEqualTo(new Decision.NotReady(true));
    }
    assertThat(client.readiness())
        .isInstanceOfSatisfying(
            Readiness.NotYet.class,
            found -> assertThat(found.why()).startsWith("Kafka cannot be reached at"));

    EmbeddedBroker broker =
        PreparedBroker.start(open, BrokerOptions.defaults().withPort(port), 2, folder, RULES);
    long created = System.nanoTime();
    assertThat(client.awaitRules(TIMEOUT)).isTrue();
    assertThat(client.readiness()).isEqualTo(new Readiness.Ready());
    System.out.printf(
        "absent Kafka: rules %.1f s after they were there%n", (System.nanoTime() - created) / 1e9);
    // With a share of the strict rule's windows, the client would go on for half a minute.
    EnforcerJvm enforcer =
        EnforcerJvm.start(
            folder.resolve("enforcer"), broker.bootstrapServers(), "share.term=0", "rest.term=0");
    open.add(enforcer);

    long admitted = 0;
    for (String api : List.of("strict", "allow", "deny")) {
      await(api).atMost(TIMEOUT).until(() -> isAnswered(client, api));
    }
    for (int i = 0; i < 20; i++) {
      admitted += client.decideAsync(request("strict"), TIMEOUT).get().admitted() ? 1 : 0;
    }
    assertThat(admitted).isEqualTo(20);
    // Admissions without rules are not counted; the one above is.
    QuotaKey key = QuotaKey.of(new RuleId("shop", "strict"), List.of("ann"));
    await()
        .atMost(TIMEOUT)
        .untilAsserted(() -> assertThat(enforcer.used(key, "user")).isEqualTo(21));

    enforcer.close();
    assertThat(awaitDegraded(client, "strict").admitted()).isFalse();
    assertThat(awaitDegraded(client, "allow").admitted()).isTrue();
    assertThat(awaitDegraded(client, "deny").admitted()).isFalse();
  }

  /** Whether a request was admitted by a rule, with the enforcer there. */
  private static boolean isAnswered(AdmissionClient client, String api) {
    Decision decision = client.decide(request(api));
    return decision.admitted() && decision.rule().stream().noneMatch(RuleDecision::degraded);
  }

  /** The decision when the enforcer has been away for so long that every lease has ended. */
  private static Decision awaitDegraded(AdmissionClient client, String api) {
    await(api)
        .during(LONGEST_LEASE.plusMillis(500))
        .atMost(TIMEOUT)
        .until(() -> client.decide(request(api)).rule().orElseThrow().degraded());
    return client.decide(request(api));
  }

  private static Request request(String api) {
    return Request.of("api", api, "user", "ann");
  }
}
