package io.quotaenforcer.schemas.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quotaenforcer.schemas.ExhaustedQuota;
import io.quotaenforcer.schemas.PrefixInfo;
import io.quotaenforcer.schemas.avro.WireRecord;
import io.quotaenforcer.schemas.codec.Codecs;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.serialization.Serde;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopicsTest {
  private final Topics topics =
      Topics.under(Topics.DEFAULT_PREFIX, Topics.DEFAULT_PARTITIONS, Codecs.withoutRegistry());

  @Test
  void names_startWithThePrefix() {
    assertThat(topics.all())
        .extracting(Topic::name)
        .containsExactly(
            "quota.rules",
            "quota.rule-history",
            "quota.entitlements",
            "quota.usage",
            "quota.usage-events",
            "quota.snapshots",
            "quota.deferred",
            "quota.replays",
            "quota.request-events",
            "quota.exhausted",
            "quota.load",
            "quota.limits-in-force",
            "quota.audit",
            "quota.dead-letters");
  }

  @Test
  void partitions_areSharedByWhatGoesTogether() {
    assertThat(topics.all())
        .extracting(Topic::partitions)
        .containsExactly(1, 1, 16, 16, 16, 16, 16, 16, 16, 1, 1, 16, 1, 1);
  }

  @Test
  void topicsWithPayloads_takeLargeRecords() {
    assertThat(List.of(topics.deferred(), topics.replays()))
        .allSatisfy(
            topic -> assertThat(topic.config()).containsEntry("max.message.bytes", "2097152"));
    assertThat(topics.deadLetters().config())
        .as("the largest record, and the headers of a letter")
        .containsEntry("max.message.bytes", "2162688");
  }

  @Test
  void reports_outlastAnOutage_andWhatIsToldOnceOutlastsDays() {
    assertThat(topics.usage().config()).containsEntry("retention.ms", "7200000");
    assertThat(topics.usageEvents().config()).containsEntry("retention.ms", "604800000");
    assertThat(topics.snapshots().config()).containsEntry("retention.ms", "600000");
  }

  @Test
  void rules_areCompactedForGood() {
    assertThat(topics.rules().config())
        .containsEntry("cleanup.policy", "compact")
        .doesNotContainKey("retention.ms");
  }

  @Test
  void ruleHistory_isKeptForAYearAndNeverCompacted() {
    assertThat(topics.ruleHistory().config())
        .containsEntry("cleanup.policy", "delete")
        .containsEntry("retention.ms", "34560000000");
  }

  @Test
  void exhausted_isCompactedAndKeptAsLongAsAbuseIsRemembered() {
    assertThat(topics.exhausted().config())
        .containsEntry("cleanup.policy", "compact,delete")
        .containsEntry("retention.ms", "604800000");
  }

  @Test
  void creation_hasAllOfIt() {
    assertThat(topics.usage().creation((short) 3))
        .satisfies(
            creation -> {
              assertThat(creation.name()).isEqualTo("quota.usage");
              assertThat(creation.numPartitions()).isEqualTo(16);
              assertThat(creation.replicationFactor()).isEqualTo((short) 3);
              assertThat(creation.configs())
                  .isEqualTo(
                      Map.of(
                          "cleanup.policy", "delete",
                          "message.timestamp.type", "LogAppendTime",
                          "retention.ms", "7200000",
                          "segment.ms", "3600000"));
            });
  }

  @Test
  void serdes_carryTheTopicsRecords() {
    ExhaustedQuota quota = new ExhaustedQuota(1L, 2L, 0L, 0L);
    PrefixInfo info = new PrefixInfo(16, 1, 100, 3L);
    Serde<ExhaustedQuota> exhausted = topics.exhausted().valueSerde();
    Serde<WireRecord> rules = topics.rules().valueSerde();

    assertThat(
            exhausted.deserializer().deserialize("", exhausted.serializer().serialize("", quota)))
        .isEqualTo(quota);
    assertThat(rules.deserializer().deserialize("", rules.serializer().serialize("", info)))
        .isEqualTo(info);
  }

  @Test
  void schemasWithoutRegistry_needNoRegistration() {
    topics.all().forEach(Topic::registerSchemas);
  }

  @Test
  void ruleKey_isDomainAndRule() {
    assertThat(Topics.ruleKey("posts", "posts-per-user")).isEqualTo("posts/posts-per-user");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "quota/", "ü"})
  void prefixThatKafkaWouldRefuse_isRefused(String prefix) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Topics.under(prefix, 16, Codecs.withoutRegistry()))
        .withMessageEndingWith("prefix=" + prefix);
  }

  @Test
  void noPartitions_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Topics.under("quota.", 0, Codecs.withoutRegistry()))
        .withMessage("must be >= 1: partitions=0");
  }
}
