package io.quotaenforcer.enforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.RandomRules;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.embedded.EmbeddedBroker;
import io.quotaenforcer.enforcer.rules.RuleChange.Added;
import io.quotaenforcer.enforcer.rules.RuleChange.Deleted;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RulesTopicIT {
  private static final Rule RULE = RuleFiles.rule(RuleFiles.withLines()).withVersion(1, 1);
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
      writer.publish(writer.read(), changes);
      assertThat(reader.read().rules().values())
          .containsExactlyInAnyOrderElementsOf(
              changes.stream().map(change -> ((Added) change).rule()).toList());
      writer.publish(
          writer.read(),
          changes.stream()
              .<RuleChange>map(change -> new Deleted(change.id(), Optional.empty()))
              .toList());
      assertThat(reader.read().rules()).isEmpty();
    }
  }

  @Test
  void publish_changedByAnotherSinceItWasRead_isRefused() throws Exception {
    try (RulesTopic first = created("conflict.");
        RulesTopic second = open("conflict.")) {
      PublishedRules basis = second.read();
      first.publish(first.read(), List.of(new Added(RULE)));
      assertThatThrownBy(() -> second.publish(basis, List.of(new Added(RULE.withVersion(2, 2)))))
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
                  + " does not exist; start the enforcer, which creates it, or check the prefix");
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

  private static RulesTopic created(String prefix) throws Exception {
    create(prefix + "rules", 1);
    return open(prefix);
  }

  private static RulesTopic open(String prefix) {
    return RulesTopic.inKafka(
        Map.of("bootstrap.servers", broker.bootstrapServers()),
        Wire.of(prefix, Codecs.withoutRegistry()),
        Duration.ofSeconds(10));
  }

  private static void create(String topic, int partitions) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1))).all().get();
    }
  }
}
