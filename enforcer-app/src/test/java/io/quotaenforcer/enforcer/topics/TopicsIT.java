package io.quotaenforcer.enforcer.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.enforcer.EnforcerRun;
import io.quotaenforcer.enforcer.RefusedStartException;
import io.quotaenforcer.enforcer.config.EnforcerConfig;
import io.quotaenforcer.enforcer.config.KafkaConnection;
import io.quotaenforcer.enforcer.store.Stores;
import io.quotaenforcer.enforcer.topics.TopicCheck.Findings;
import io.quotaenforcer.enforcer.topics.TopicCreation.Result;
import io.quotaenforcer.enforcer.topics.TopicCreation.Wish;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topic;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class TopicsIT {
  @TempDir Path folder;

  private static final AtomicInteger PREFIXES = new AtomicInteger();
  private static EmbeddedBroker broker;
  private static Brokers brokers;

  private final String prefix = "p" + PREFIXES.incrementAndGet() + ".";

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.start();
    brokers =
        Brokers.connect(KafkaConnection.to(broker.bootstrapServers(), "test"), Brokers.TIMEOUT);
  }

  @AfterAll
  static void stop() {
    brokers.close();
    broker.close();
  }

  @Test
  void creation_onAnEmptyBroker_makesAllTopicsAndTheCheckIsGood() {
    Result.Done done = (Result.Done) create(Wish.defaults());

    assertThat(names(done.created()))
        .containsExactlyInAnyOrder(
            prefix + "rules",
            prefix + "rule-history",
            prefix + "usage",
            prefix + "usage-events",
            prefix + "snapshots",
            prefix + "request-events",
            prefix + "deferred",
            prefix + "replays",
            prefix + "exhausted",
            prefix + "entitlements",
            prefix + "load",
            prefix + "limits-in-force",
            prefix + "audit",
            prefix + "dead-letters");
    assertThat(done.prefix()).isEqualTo(new PrefixInfo(16, 1, 100));
    assertThat(done.warnings())
        .hasSize(1)
        .allMatch(text -> text.startsWith("replication factor 1"));

    Findings findings = check();
    assertThat(findings.errors()).isEmpty();
    assertThat(findings.prefix()).isEqualTo(Optional.of(new PrefixInfo(16, 1, 100)));
    assertThat(findings.warnings()).hasSize(1);
  }

  @Test
  void brokers_thatAnsweredBefore_areNotSaidToBeAway_butSlow() {
    BrokersException slow =
        brokers.failed("create topic t", new TimeoutException("node assignment"));

    assertThat(slow.reason()).isEqualTo(BrokersException.Reason.UNREACHABLE);
    assertThat(slow)
        .hasMessage(
            "Kafka at %s (test) answered, but took too long: could not create topic t (node assignment); try again",
            broker.bootstrapServers());
  }

  @Test
  void transactions_ofAnOlderVersion_areComplainedOf() throws Exception {
    assertThat(SafeTransactions.complaint(brokers)).isEmpty();
    try (EmbeddedBroker older = EmbeddedBroker.start();
        Brokers admin =
            Brokers.connect(
                KafkaConnection.to(older.bootstrapServers(), "test"), Brokers.TIMEOUT)) {
      admin
          .admin()
          .updateFeatures(
              Map.of(
                  "transaction.version",
                  new FeatureUpdate((short) 1, FeatureUpdate.UpgradeType.SAFE_DOWNGRADE)),
              new UpdateFeaturesOptions())
          .all()
          .get();

      await().until(() -> SafeTransactions.complaint(admin).isPresent());
      assertThat(SafeTransactions.complaint(admin))
          .hasValueSatisfying(
              why -> assertThat(why).contains("transaction.version=1", "kafka-features.sh"));
      new TopicCreation(
              admin, prefix, Codecs.withoutRegistry(), System::currentTimeMillis, System::nanoTime)
          .run(Wish.defaults(), false);
      EnforcerConfig config =
          EnforcerConfig.of(
              Map.of(
                  "bootstrap.servers",
                  older.bootstrapServers(),
                  "topic.prefix",
                  prefix,
                  "state.dir",
                  folder.toString(),
                  "http.port",
                  0));
      PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
      assertThatExceptionOfType(RefusedStartException.class)
          .isThrownBy(() -> new EnforcerRun(config, Brokers.TIMEOUT, nowhere, nowhere).run())
          .withMessageContaining("transaction.version=1")
          .withMessageContaining("allow.unsafe.brokers=true");
    }
  }

  @Test
  void creation_again_changesNothing() {
    create(new Wish(OptionalInt.of(3), OptionalInt.of(1), OptionalInt.of(7)));

    Result.Done again = (Result.Done) create(Wish.defaults());

    assertThat(again.created()).isEmpty();
    assertThat(again.kept()).hasSize(14);
    assertThat(again.prefix()).isEqualTo(new PrefixInfo(3, 1, 7));
  }

  @Test
  void creation_besideTopicsOfAnOlderVersion_saysWhatDiffers_andRaisesItIfTold() throws Exception {
    create(Wish.defaults());
    String events = prefix + "usage-events";
    alter(events, Map.of("retention.ms", "600000", "segment.ms", "300000"));
    alter(prefix + "usage", Map.of("retention.ms", "-1"));
    alter(prefix + "deferred", Map.of("retention.ms", "9999999999"));

    List<TopicDifference> older =
        List.of(
            new TopicDifference(events, "retention.ms", "600000", "604800000"),
            new TopicDifference(events, "segment.ms", "300000", "302400000"));
    await().untilAsserted(() -> assertThat(differences()).isEqualTo(older));
    assertThat(check().warnings())
        .contains(
            "topic %s has retention.ms=600000, and should have 604800000; run: quota topics create --prefix %s --alter"
                .formatted(events, prefix));

    creation().raise(differences());

    await().untilAsserted(() -> assertThat(differences()).isEmpty());
  }

  private List<TopicDifference> differences() {
    return ((Result.Done) create(Wish.defaults())).differences();
  }

  private static void alter(String topic, Map<String, String> settings) throws Exception {
    List<AlterConfigOp> changes =
        settings.entrySet().stream()
            .map(it -> new ConfigEntry(it.getKey(), it.getValue()))
            .map(entry -> new AlterConfigOp(entry, AlterConfigOp.OpType.SET))
            .toList();
    brokers
        .admin()
        .incrementalAlterConfigs(
            Map.of(new ConfigResource(ConfigResource.Type.TOPIC, topic), changes))
        .all()
        .get();
  }

  @Test
  void creation_otherThanThePrefixIs_isRefused() {
    create(new Wish(OptionalInt.of(3), OptionalInt.empty(), OptionalInt.empty()));

    Result result = create(new Wish(OptionalInt.of(4), OptionalInt.empty(), OptionalInt.of(5)));

    assertThat(((Result.Refused) result).reasons())
        .containsExactly(
            "prefix "
                + prefix
                + " has partitions 3 for good, not 4: use another prefix, or leave"
                + " --partitions out",
            "prefix "
                + prefix
                + " has max-instances 100 for good, not 5: use another prefix, or"
                + " leave --max-instances out");
  }

  @Test
  void creation_asADryRun_createsNothing() throws Exception {
    Result.Done done = (Result.Done) creation().run(Wish.defaults(), true);

    assertThat(done.created()).hasSize(14);
    assertThat(brokers.admin().listTopics().names().get())
        .noneMatch(name -> name.startsWith(prefix));
  }

  @Test
  void creation_withTooFewBrokers_saysSo() {
    assertThatExceptionOfType(BrokersException.class)
        .isThrownBy(
            () -> create(new Wish(OptionalInt.empty(), OptionalInt.of(3), OptionalInt.empty())))
        .withMessageContaining("try --replication-factor 1");
  }

  @Test
  void creation_besideATopicOfAnotherShape_isRefused() throws Exception {
    brokers.admin().createTopics(List.of(new NewTopic(prefix + "usage", 2, (short) 1))).all().get();

    Result result = create(Wish.defaults());

    assertThat(((Result.Refused) result).reasons())
        .hasSize(1)
        .allMatch(text -> text.startsWith("topic " + prefix + "usage must have 16 partition(s)"));
    assertThat(brokers.admin().listTopics().names().get())
        .filteredOn(name -> name.startsWith(prefix))
        .isEqualTo(List.of(prefix + "usage"));
  }

  @Test
  void check_withoutTopics_namesTheCommand() {
    assertThat(check().errors())
        .containsExactly(
            "there are no topics with prefix %s (no %srules); run: quota topics create --prefix %s, or check the prefix"
                .formatted(prefix, prefix, prefix));
  }

  @Test
  void check_withTopicsLostOrChanged_namesEach() throws Exception {
    create(Wish.defaults());
    brokers.admin().deleteTopics(List.of(prefix + "snapshots", prefix + "exhausted")).all().get();
    brokers
        .admin()
        .createTopics(List.of(new NewTopic(prefix + "exhausted", 1, (short) 1)))
        .all()
        .get();

    String lost = "topic " + prefix + "snapshots does not exist; run: ";
    String changed = "topic " + prefix + "exhausted must have cleanup.policy=";
    await()
        .untilAsserted(
            () ->
                assertThat(check().errors())
                    .hasSize(2)
                    .anyMatch(text -> text.startsWith(lost))
                    .anyMatch(text -> text.startsWith(changed)));
  }

  @Test
  void state_ofATopicDeletedMeanwhile_isLeftOut() throws Exception {
    create(Wish.defaults());
    List<String> names = List.of(prefix + "rules", prefix + "usage");
    Map<String, TopicDescription> described = TopicState.describe(brokers, names);
    brokers.admin().deleteTopics(List.of(prefix + "usage")).all().get();

    await()
        .untilAsserted(
            () -> assertThat(TopicState.of(brokers, described)).containsOnlyKeys(prefix + "rules"));
  }

  @Test
  void changelogs_ofAnOlderVersion_areStampedByBrokersFromTheNextStartOn() throws Exception {
    String ledger = Stores.changelog(prefix + "app", Stores.LEDGER);
    String another = Stores.changelog(prefix + "app-2", Stores.LEDGER);
    brokers
        .admin()
        .createTopics(
            List.of(new NewTopic(ledger, 1, (short) 1), new NewTopic(another, 1, (short) 1)))
        .all()
        .get();

    assertThat(ChangelogStamps.set(brokers, prefix + "app")).isEmpty();

    await().untilAsserted(() -> assertThat(stampsOf(ledger)).isEqualTo("LogAppendTime"));
    assertThat(stampsOf(another)).isEqualTo("CreateTime");
    assertThat(ChangelogStamps.set(brokers, prefix + "app")).isEmpty();
  }

  private static String stampsOf(String topic) throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    return brokers
        .admin()
        .describeConfigs(List.of(resource))
        .all()
        .get()
        .get(resource)
        .get("message.timestamp.type")
        .value();
  }

  @Test
  void topic_thatDoesNotExist_isNotTakenForKafkaAway() {
    assertThatExceptionOfType(BrokersException.class)
        .isThrownBy(
            () ->
                brokers.get(
                    "read topic " + prefix + "none",
                    brokers
                        .admin()
                        .describeTopics(List.of(prefix + "none"))
                        .topicNameValues()
                        .get(prefix + "none")))
        .withMessageStartingWith("could not read topic " + prefix + "none: ")
        .satisfies(e -> assertThat(e.reason()).isEqualTo(BrokersException.Reason.REFUSED));
  }

  @Test
  void check_withoutThePrefixRecord_namesTheCommand() throws Exception {
    brokers
        .admin()
        .createTopics(
            List.of(
                new NewTopic(prefix + "rules", 1, (short) 1)
                    .configs(Map.of("cleanup.policy", "compact"))))
        .all()
        .get();

    assertThat(check().errors()).hasSize(1).allMatch(text -> text.contains("quota topics create"));
    assertThat(create(Wish.defaults())).isInstanceOf(Result.Done.class);
    assertThat(check().isGood()).isTrue();
  }

  private Findings check() {
    return TopicCheck.run(brokers, prefix, Codecs.withoutRegistry(), System::nanoTime);
  }

  private Result create(Wish wish) {
    return creation().run(wish, false);
  }

  private TopicCreation creation() {
    return new TopicCreation(
        brokers, prefix, Codecs.withoutRegistry(), System::currentTimeMillis, System::nanoTime);
  }

  private static Set<String> names(List<Topic<?, ?>> topics) {
    return Set.copyOf(topics.stream().map(topic -> topic.name()).toList());
  }
}
