package io.quotaenforcer.enforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.RuleVersion;
import io.quotaenforcer.core.rule.RandomRules;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.rules.RuleChange;
import io.quotaenforcer.rules.RuleChange.Added;
import io.quotaenforcer.rules.RuleChange.Deleted;
import io.quotaenforcer.rules.RuleFiles;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class RulesTopicIT {
  private static final int ROUNDS = 50;
  private static final Rule RULE = RuleFiles.rule(RuleFiles.withLines()).withVersion(1, 1);
  private static final Authorship BY = new Authorship("ann", Optional.of("why"));
  private static EmbeddedBroker broker;

  @BeforeAll
  static void startBroker() {
    broker = EmbeddedBroker.start();
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  @Test
  void read_emptyTopic_hasNoRules() throws Exception {
    try (RulesTopic rules = created("empty.")) {
      assertThat(rules.read().rules()).isEmpty();
    }
  }

  @Test
  void publish_manyRules_areReadByAnother() throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    List<RuleChange> changes = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      Rule rule = RandomRules.rule(random, new RuleId("posts", "rule-" + i));
      changes.add(new Added(rule.withVersion(1, 1)));
    }
    try (RulesTopic writer = created("many.");
        RulesTopic reader = open("many.")) {
      writer.publish(writer.read(), changes, BY);
      assertThat(reader.read().rules().values())
          .containsExactlyInAnyOrderElementsOf(
              changes.stream().map(change -> ((Added) change).rule()).toList());
      writer.publish(
          writer.read(),
          changes.stream()
              .<RuleChange>map(change -> new Deleted(change.id(), Optional.empty()))
              .toList(),
          BY);
      assertThat(reader.read().rules()).isEmpty();
    }
  }

  @Test
  void publish_changedByAnotherSinceItWasRead_isRefused() throws Exception {
    try (RulesTopic first = created("conflict.");
        RulesTopic second = open("conflict.")) {
      PublishedRules basis = second.read();
      first.publish(first.read(), List.of(new Added(RULE)), BY);
      assertThatThrownBy(
              () -> second.publish(basis, List.of(new Added(RULE.withVersion(2, 2))), BY))
          .isInstanceOf(RulesException.class)
          .hasMessageStartingWith(
              "nothing was published: changed by someone else since it was read: posts/per-user");
      assertThat(second.read().rule(RULE.id())).contains(RULE);
    }
  }

  @Test
  void read_topicThatIsNotThere_saysHowItComesToBe() {
    try (RulesTopic rules = open("absent.")) {
      assertThatThrownBy(rules::read)
          .isInstanceOf(RulesException.class)
          .hasMessage(
              "topic absent.rules on "
                  + broker.bootstrapServers()
                  + " does not exist; run: quota topics create, or check the prefix");
    }
  }

  @Test
  void read_topicOfTwoPartitions_isRefused() throws Exception {
    create("two.rules", 2);
    try (RulesTopic rules = open("two.")) {
      assertThatThrownBy(rules::read)
          .isInstanceOf(RulesException.class)
          .hasMessage(
              "topic two.rules must have one partition, not 2: the order of rules would be lost;"
                  + " create it anew");
    }
  }

  @Test
  void publish_withoutATopicForTheHistory_isRefused() throws Exception {
    create("old.rules", 1);
    try (RulesTopic rules = open("old.")) {
      PublishedRules basis = rules.read();
      assertThatThrownBy(() -> rules.publish(basis, List.of(new Added(RULE)), BY))
          .isInstanceOf(RulesException.class)
          .hasMessage(
              "topic old.rule-history on "
                  + broker.bootstrapServers()
                  + " does not exist; run: quota topics create, or check the prefix");
      assertThat(rules.read().rules()).isEmpty();
    }
  }

  @Test
  void history_ofWhatWasPublished_isReadByAnother() throws Exception {
    try (RulesTopic writer = created("history.");
        RulesTopic reader = open("history.")) {
      writer.publish(writer.read(), List.of(new Added(RULE)), BY);
      writer.publish(writer.read(), List.of(new Deleted(RULE.id(), Optional.of(RULE))), BY);
      RuleHistory history = reader.history(reader.read());
      assertThat(history.unreadable()).isEmpty();
      assertThat(history.versions(RULE.id()))
          .extracting(RuleVersion::version, RuleVersion::isDeletion, RuleVersion::author)
          .containsExactly(
              tuple(1L, false, Optional.of("ann")), tuple(2L, true, Optional.of("ann")));
    }
  }

  /** One who is killed while it publishes: nothing of it holds, nobody waits for it. */
  @Test
  void publish_afterSomeoneWhoNeverCommitted_isNotHeldUpAndTheOthersRuleNeverHolds()
      throws Exception {
    Rule abandoned = Rule.of(new RuleId("posts", "abandoned"), List.of(), RULE.limit());
    Wire wire = Wire.of("killed.", Codecs.withoutRegistry());
    BlockingQueue<RuleSet> inForce = new LinkedBlockingQueue<>();
    try (RulesTopic rules = created("killed.");
        KafkaProducer<byte[], byte[]> killed = transactional("killed.rules");
        RuleFollower follower =
            new RuleFollower(
                wire, Map.of("bootstrap.servers", broker.bootstrapServers()), inForce::add)) {
      follower.start();
      killed.initTransactions();
      killed.beginTransaction();
      killed
          .send(
              new ProducerRecord<>(
                  "killed.rules",
                  abandoned.id().toString().getBytes(StandardCharsets.UTF_8),
                  wire.encode(abandoned.withVersion(1, 1), 0)))
          .get();

      rules.publish(rules.read(), List.of(new Added(RULE)), BY);

      assertThat(rules.read().rules().keySet()).containsExactly(RULE.id());
      RuleSet followed = inForce.poll(40, TimeUnit.SECONDS);
      assertThat(followed).isNotNull();
      assertThat(followed.rules()).containsExactly(RULE);
      assertThatThrownBy(killed::commitTransaction).isInstanceOf(KafkaException.class);
      assertThat(rules.read().rules().keySet()).containsExactly(RULE.id());
    }
  }

  /** In each round two operators publish what they worked out from the same rules. */
  @Test
  @Timeout(540)
  void publish_byTwoAtTheSameInstant_oneIsInForceAndTheOtherIsTold() throws Exception {
    try (RulesTopic first = created("same.");
        RulesTopic second = open("same.")) {
      for (int round = 1; round <= ROUNDS; round++) {
        PublishedRules basis = first.read();
        Rule before = basis.rule(RULE.id()).orElse(null);
        Rule[] wanted = {version(before, round * 10L), version(before, round * 10L + 1)};
        List<Optional<RulesException>> told =
            atOnce(
                () -> first.publish(basis, List.of(change(before, wanted[0])), BY),
                () -> second.publish(basis, List.of(change(before, wanted[1])), BY));
        assertThat(told).as("round " + round).filteredOn(Optional::isEmpty).hasSize(1);
        int winner = told.get(0).isEmpty() ? 0 : 1;
        assertThat(told.get(1 - winner).orElseThrow())
            .hasMessageStartingWith("nothing was published: changed by someone else");
        assertThat(first.read().rule(RULE.id())).as("round " + round).contains(wanted[winner]);
      }
      assertThat(first.history(first.read()).versions(RULE.id()))
          .extracting(RuleVersion::version)
          .containsExactlyElementsOf(LongStream.rangeClosed(1, ROUNDS).boxed().toList());
    }
  }

  @Test
  @Timeout(540)
  void publish_ofDifferentRulesByTwoAtTheSameInstant_bothAreInForce() throws Exception {
    try (RulesTopic first = created("different.");
        RulesTopic second = open("different.")) {
      for (int round = 0; round < ROUNDS / 2; round++) {
        PublishedRules basis = first.read();
        Rule a = Rule.of(new RuleId("a", "r" + round), List.of(), RULE.limit()).withVersion(1, 1);
        Rule b = Rule.of(new RuleId("b", "r" + round), List.of(), RULE.limit()).withVersion(1, 1);
        assertThat(
                atOnce(
                    () -> first.publish(basis, List.of(new Added(a)), BY),
                    () -> second.publish(basis, List.of(new Added(b)), BY)))
            .as("round " + round)
            .containsOnly(Optional.empty());
      }
      PublishedRules all = second.read();
      assertThat(all.rules()).hasSize(ROUNDS);
      assertThat(second.history(all).rules()).hasSize(ROUNDS);
    }
  }

  private static Rule version(@Nullable Rule before, long permits) {
    long version = before == null ? 1 : before.version() + 1;
    return RULE.withLimit(RULE.limit().withPermits(permits)).withVersion(version, 1);
  }

  private static RuleChange change(@Nullable Rule before, Rule after) {
    return before == null ? new Added(after) : new RuleChange.Changed(before, after, List.of());
  }

  /** Runs both at the same time, and returns the error of each that was refused. */
  private static List<Optional<RulesException>> atOnce(Runnable a, Runnable b) throws Exception {
    CyclicBarrier start = new CyclicBarrier(2);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Optional<RulesException>> told = new ArrayList<>();
      List<Callable<Optional<RulesException>>> both =
          Stream.of(a, b)
              .<Callable<Optional<RulesException>>>map(
                  one ->
                      () -> {
                        start.await();
                        try {
                          one.run();
                          return Optional.empty();
                        } catch (RulesException e) {
                          return Optional.of(e);
                        }
                      })
              .toList();
      for (Future<Optional<RulesException>> done : threads.invokeAll(both)) {
        told.add(done.get());
      }
      return told;
    } finally {
      threads.shutdownNow();
    }
  }

  private static KafkaProducer<byte[], byte[]> transactional(String id) {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", broker.bootstrapServers(), "transactional.id", id),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  private static RulesTopic created(String prefix) throws Exception {
    create(prefix + "rules", 1);
    create(prefix + "rule-history", 1);
    return open(prefix);
  }

  private static RulesTopic open(String prefix) {
    return RulesTopic.inKafka(
        Map.of("bootstrap.servers", broker.bootstrapServers()),
        Wire.of(prefix, Codecs.withoutRegistry()),
        Duration.ofSeconds(40));
  }

  private static void create(String topic, int partitions) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all().get();
    }
  }
}
