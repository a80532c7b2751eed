package io.quotaenforcer.client.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.quotaenforcer.client.internal.replay.ReplayGroup;
import io.quotaenforcer.schemas.setting.SettingsException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class AdmissionConfigTest {
  @Test
  void deferring_hasItsDefaultsAndItsSettings() {
    assertThat(read(Map.of()).deferring().timeout()).isEqualTo(Duration.ofSeconds(30));
    assertThat(read(Map.of()).deferring().maxUnanswered()).isEqualTo(10_000);
    AdmissionConfig config =
        read(Map.of("defer.timeout", "5s", "defer.max.unanswered", "7", "close.timeout", "0"));
    assertThat(config.deferring().timeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(config.deferring().maxUnanswered()).isEqualTo(7);
    assertThatExceptionOfType(SettingsException.class)
        .isThrownBy(() -> read(Map.of("defer.timeout", "999ms", "defer.max.unanswered", "0")))
        .withMessageContaining("defer.timeout=999ms")
        .withMessageContaining("defer.max.unanswered=0");
  }

  @Test
  void deferralProducer_isDurableAndTakesTheLargestPayload_whateverElseIsSet() {
    assertThat(
            read(Map.of(
                    "producer.acks", "1",
                    "producer.enable.idempotence", "false",
                    "producer.max.request.size", "1000",
                    "producer.max.block.ms", "77",
                    "instance.id", "i"))
                .kafka()
                .deferralProperties())
        .containsEntry("acks", "all")
        .containsEntry("enable.idempotence", true)
        .containsEntry("max.request.size", 2 << 20)
        .containsEntry("max.block.ms", "77")
        .containsEntry("client.id", "quota-i-deferrals");
  }

  @Test
  void consumer_readsWhatIsCommitted_whateverElseIsSet() {
    assertThat(
            read(Map.of("consumer.isolation.level", "read_uncommitted"))
                .kafka()
                .consumerProperties())
        .containsEntry("isolation.level", "read_committed");
  }

  @Test
  void replayConsumer_readsWhatIsCommittedFromTheFirst_whateverElseIsSet() {
    assertThat(
            read(Map.of(
                    "consumer.isolation.level", "read_uncommitted",
                    "consumer.auto.offset.reset", "latest",
                    "consumer.enable.auto.commit", "true",
                    "consumer.max.poll.records", "9"))
                .kafka()
                .replayProperties())
        .containsEntry("isolation.level", "read_committed")
        .containsEntry("auto.offset.reset", "earliest")
        .containsEntry("enable.auto.commit", false)
        .containsEntry("max.poll.records", "9")
        .containsEntry(
            "partition.assignment.strategy",
            "org.apache.kafka.clients.consumer.CooperativeStickyAssignor");
  }

  @Test
  void kafkaClients_backOff_unlessTheUserSaysOtherwise() {
    AdmissionConfig plain = read(Map.of());
    for (Map<String, Object> each :
        List.of(plain.kafka().producerProperties(), plain.kafka().consumerProperties())) {
      assertThat(each)
          .containsEntry("reconnect.backoff.ms", 500)
          .containsEntry("reconnect.backoff.max.ms", 10_000)
          .containsEntry("metadata.recovery.strategy", "none");
    }
    assertThat(plain.kafka().replayProperties())
        .containsEntry("reconnect.backoff.ms", 2_000)
        .containsEntry("reconnect.backoff.max.ms", 60_000)
        .containsEntry("session.timeout.ms", 10_000);
    AdmissionConfig changed =
        read(
            Map.of(
                "producer.reconnect.backoff.ms",
                "70",
                "consumer.reconnect.backoff.max.ms",
                "800",
                "consumer.session.timeout.ms",
                "20000",
                "consumer.metadata.recovery.strategy",
                "rebootstrap"));
    assertThat(changed.kafka().producerProperties()).containsEntry("reconnect.backoff.ms", "70");
    assertThat(changed.kafka().consumerProperties())
        .containsEntry("reconnect.backoff.max.ms", "800");
    assertThat(changed.kafka().replayProperties())
        .containsEntry("reconnect.backoff.max.ms", "800")
        .containsEntry("session.timeout.ms", "20000")
        .containsEntry("metadata.recovery.strategy", "rebootstrap");
  }

  @Test
  void kafkaClients_askForTheLeadersOften_unlessTheUserSaysOtherwise() {
    AdmissionConfig plain = read(Map.of());
    for (Map<String, Object> each :
        List.of(
            plain.kafka().producerProperties(),
            plain.kafka().consumerProperties(),
            plain.kafka().replayProperties())) {
      assertThat(each)
          .containsEntry("metadata.max.age.ms", 2_000)
          .containsEntry("socket.connection.setup.timeout.ms", 2_000);
    }
    assertThat(plain.kafka().producerProperties()).containsEntry("request.timeout.ms", 2_000);
    AdmissionConfig changed =
        read(
            Map.of(
                "producer.request.timeout.ms", "6000",
                "consumer.metadata.max.age.ms", "60000"));
    assertThat(changed.kafka().producerProperties()).containsEntry("request.timeout.ms", "6000");
    assertThat(changed.kafka().consumerProperties()).containsEntry("metadata.max.age.ms", "60000");
  }

  @Test
  void waiting_isBounded_andRulesAreNotKept_unlessTheUserSaysSo() {
    AdmissionConfig plain = read(Map.of());
    assertThat(plain.deciding().maxWaiting()).isEqualTo(10_000);
    assertThat(plain.deciding().beforeRules()).isEqualTo(BeforeRules.ADMIT);
    assertThat(plain.deciding().rulesCache()).isEmpty();
    AdmissionConfig changed =
        read(Map.of("max.waiting", "0", "before.rules", "deny", "rules.cache", "/tmp/rules"));
    assertThat(changed.deciding().maxWaiting()).isZero();
    assertThat(changed.deciding().beforeRules()).isEqualTo(BeforeRules.DENY);
    assertThat(changed.deciding().rulesCache()).contains(Path.of("/tmp/rules"));
  }

  @Test
  void replayGroups_areOneForEachDomain() {
    assertThat(replayGroups(Map.of())).containsExactly("quota.replays-all");
    assertThat(replayGroups(Map.of("domains", "posts"))).containsExactly("quota.replays-posts");
    assertThat(replayGroups(Map.of("domains", "all"))).containsExactly("quota.replays-domain/all");
    assertThat(replayGroups(Map.of("topic.prefix", "eu.", "domains", "posts, accounts")))
        .containsExactly("eu.replays-accounts", "eu.replays-posts");
    ReplayGroup posts =
        read(Map.of("domains", "posts,accounts")).replayGroups(Optional.empty()).get(1);
    assertThat(posts.domains()).accepts("posts").rejects("accounts");
  }

  @Test
  void replayGroup_thatIsNamed_isOneForAllDomains() {
    Map<String, String> named = Map.of("domains", "posts,accounts", "replay.group", "mailer");
    assertThat(replayGroups(named)).containsExactly("mailer");
    ReplayGroup inCode = read(named).replayGroups(Optional.of("other")).get(0);
    assertThat(inCode.name()).isEqualTo("other");
    assertThat(inCode.domains()).accepts("posts", "accounts").rejects("logins");
  }

  private static List<String> replayGroups(Map<String, String> properties) {
    return read(properties).replayGroups(Optional.empty()).stream().map(ReplayGroup::name).toList();
  }

  private static AdmissionConfig read(Map<String, String> properties) {
    Map<String, String> all = new HashMap<>(properties);
    all.put("bootstrap.servers", "127.0.0.1:1");
    return AdmissionSettings.read(all, UnaryOperator.identity());
  }
}
