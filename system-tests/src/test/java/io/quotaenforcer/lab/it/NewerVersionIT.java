package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.Readiness;
import io.quotaenforcer.client.Readiness.Incomplete;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.Enforcer;
import io.quotaenforcer.enforcer.config.EnforcerConfig;
import io.quotaenforcer.enforcer.config.StreamsSettings;
import io.quotaenforcer.enforcer.rules.RuleFollower;
import io.quotaenforcer.lab.embedded.EmbeddedCluster;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients and enforcers of this version, beside a newer one that publishes rules; no registry. */
@Timeout(270)
class NewerVersionIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final String USERS = "posts/per-user";
  private static final String APIS = "posts/per-api";
  private static final Request OF_A_USER = Request.of("user", "ann");
  private static final Request OF_NEITHER = Request.of("ip", "::1");
  private static final Decision REFUSED = new Decision.NotReady(false);

  @AutoClose private final Opened open = new Opened();
  private final Wire wire = Wire.of("quota.", Codecs.withoutRegistry());
  private EmbeddedBroker broker;
  private TopicTap tap;

  @BeforeEach
  void startBroker() {
    broker = EmbeddedBroker.start();
    open.add(broker);
    QuotaRun.done("topics", "create", "--bootstrap-server=" + broker.bootstrapServers());
    tap = new TopicTap(broker.bootstrapServers());
    open.add(tap);
    write(USERS, wire.encode(rule(USERS, "user", 1), 0));
  }

  @Test
  void ruleOfANewerVersion_noneBefore_isNotSkippedAndInForceOnceItIsAnnounced() throws Exception {
    write(APIS, NewerVersion.encode(rule(APIS, "api", 1), wire));
    AdmissionClient denying = client("deny");
    AdmissionClient admitting = client("admit");
    RuleFollower follower =
        new RuleFollower(wire, Map.of("bootstrap.servers", broker.bootstrapServers()), rules -> {});
    open.add(follower);
    follower.start();

    Incomplete denies = awaitIncomplete(denying);
    assertThat(denies.isReady()).isFalse();
    assertThat(denies.unreadable()).containsOnlyKeys(APIS);
    assertThat(denies.unreadable().get(APIS)).contains("upgrade this process first");
    assertThat(denying.decide(OF_A_USER)).isEqualTo(REFUSED);
    assertThat(denying.decide(OF_NEITHER, TIMEOUT)).isEqualTo(REFUSED);
    assertThat(denying.awaitRules(Duration.ZERO)).isFalse();
    assertThat(awaitIncomplete(admitting).isReady()).isTrue();
    assertThat(admitting.decide(OF_NEITHER)).isEqualTo(new Decision.NotReady(true));
    assertThat(admitting.rules().rules()).hasSize(1);
    await().atMost(TIMEOUT).until(() -> follower.unreadable().containsKey(APIS));
    assertThat(follower.isLoaded()).isFalse();

    write(NewerVersion.announcementKey(), NewerVersion.announcement());

    for (AdmissionClient client : List.of(denying, admitting)) {
      assertThat(client.awaitRules(TIMEOUT)).isTrue();
      await().atMost(TIMEOUT).until(client::readiness, new Readiness.Ready()::equals);
      assertThat(client.rules().rules()).hasSize(2);
      assertThat(client.decide(OF_NEITHER)).isEqualTo(new Decision.Unmatched());
    }
    assertThat(follower.awaitLoaded(TIMEOUT)).isTrue();
    assertThat(follower.unreadable()).isEmpty();
  }

  @Test
  void enforcer_ruleOfANewerVersion_doesNotStart(@TempDir Path state) throws Exception {
    write(APIS, NewerVersion.encode(rule(APIS, "api", 1), wire));
    EnforcerConfig config =
        EnforcerConfig.of(
            Map.of("bootstrap.servers", broker.bootstrapServers(), "state.dir", state.toString()));
    Enforcer enforcer =
        new Enforcer(
            wire,
            StreamsSettings.of(config),
            config.kafka(),
            EmbeddedCluster.settings(Clocks.system().epochNanos()),
            new SimpleMeterRegistry());
    open.add(enforcer);

    assertThatIllegalStateException()
        .isThrownBy(() -> enforcer.start(Duration.ofSeconds(12)))
        .withMessageContaining("a rule cannot be read: " + APIS)
        .withMessageContaining("upgrade this process first");
    assertThat(enforcer.isReady()).isFalse();
  }

  @Test
  void ruleOfANewerVersion_oneBefore_leavesThatInForce() throws Exception {
    AdmissionClient client = client("deny");
    assertThat(client.awaitRules(TIMEOUT)).isTrue();

    write(USERS, NewerVersion.encode(rule(USERS, "user", 2), wire));

    assertThat(awaitIncomplete(client).isReady()).isTrue();
    assertThat(client.rules().rules()).singleElement().matches(rule -> rule.version() == 1);
    assertThat(client.decide(OF_NEITHER)).isEqualTo(new Decision.Unmatched());
  }

  private AdmissionClient client(String beforeRules) {
    AdmissionClient client =
        AdmissionClient.create(
            Map.of(
                "bootstrap.servers",
                broker.bootstrapServers(),
                "before.rules",
                beforeRules,
                "close.timeout",
                "0"));
    open.add(client);
    return client;
  }

  private static Incomplete awaitIncomplete(AdmissionClient client) {
    return (Incomplete)
        await()
            .atMost(TIMEOUT.toSeconds(), TimeUnit.SECONDS)
            .until(client::readiness, Incomplete.class::isInstance);
  }

  private void write(String key, byte[] value) {
    tap.write("quota.rules", 0, key.getBytes(StandardCharsets.UTF_8), value);
  }

  private static Rule rule(String id, String key, int version) {
    return Rule.of(RuleId.parse(id), List.of(key), new FixedWindow(5, 1_000_000_000L))
        .withVersion(version, 1);
  }
}
