package io.quotaenforcer.enforcer.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Properties;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;

class StreamsSettingsTest {
  @Test
  void properties_byDefault_areForExactCountsAndShortLoops() {
    StreamsConfig config = new StreamsConfig(StreamsSettings.of(EnforcerConfig.of(Map.of())));

    assertThat(config.getString("processing.guarantee")).isEqualTo("exactly_once_v2");
    assertThat(config.getLong("commit.interval.ms")).isEqualTo(100);
    assertThat(config.getLong("poll.ms")).isEqualTo(5);
    assertThat(config.getInt("replication.factor")).isEqualTo(-1);
    assertThat(config.getLong("probing.rebalance.interval.ms")).isEqualTo(60_000);
    assertThat(config.getBoolean("ensure.explicit.internal.resource.naming")).isTrue();
    assertThat(config.getProducerConfigs("client"))
        .containsEntry("linger.ms", 100)
        .containsEntry("batch.size", 65_536)
        .containsEntry("transaction.timeout.ms", 5000);
    assertThat(config.getMainConsumerConfigs("group", "client", 0))
        .containsEntry("session.timeout.ms", 6000)
        .containsEntry("heartbeat.interval.ms", 100)
        .containsEntry("fetch.max.wait.ms", 50)
        .containsEntry("max.poll.records", 100)
        .containsEntry("isolation.level", "read_committed");
    assertThat(config.getRestoreConsumerConfigs("client")).containsEntry("fetch.max.wait.ms", 50);
  }

  @Test
  void brokersThatStandStill_areNoticedBeforeASessionEnds() {
    StreamsConfig config = new StreamsConfig(StreamsSettings.of(EnforcerConfig.of(Map.of())));

    assertThat(config.getProducerConfigs("client"))
        .containsEntry("metadata.max.age.ms", 1000)
        .containsEntry("socket.connection.setup.timeout.ms", 2000)
        .containsEntry("request.timeout.ms", 2000);
    assertThat(config.getMainConsumerConfigs("group", "client", 0))
        .containsEntry("metadata.max.age.ms", 1000)
        .containsEntry("request.timeout.ms", 10_000);
    assertThat(config.getRestoreConsumerConfigs("client"))
        .containsEntry("metadata.max.age.ms", 1000);
    assertThat(config.getAdminConfigs("client")).containsEntry("request.timeout.ms", 5000);
  }

  @Test
  void timeoutsOfTheUser_goBeforeOurs() {
    StreamsConfig config =
        new StreamsConfig(
            StreamsSettings.of(
                EnforcerConfig.of(
                    Map.of(
                        "producer.request.timeout.ms", "7000",
                        "consumer.metadata.max.age.ms", "9000",
                        "admin.request.timeout.ms", "8000"))));

    assertThat(config.getProducerConfigs("client"))
        .containsEntry("request.timeout.ms", "7000")
        .containsEntry("metadata.max.age.ms", 1000);
    assertThat(config.getMainConsumerConfigs("group", "client", 0))
        .containsEntry("metadata.max.age.ms", "9000");
    assertThat(config.getAdminConfigs("client")).containsEntry("request.timeout.ms", "8000");
  }

  @Test
  void changelogs_areStampedByBrokers() {
    assertThat(StreamsSettings.of(EnforcerConfig.of(Map.of())))
        .containsEntry("topic.message.timestamp.type", "LogAppendTime");
  }

  @Test
  void properties_ofTheLongestCommitInterval_areAccepted() {
    Properties properties = StreamsSettings.of(EnforcerConfig.of(Map.of("commit.interval", "1s")));

    assertThat(new StreamsConfig(properties).getLong("commit.interval.ms")).isEqualTo(1000);
  }

  @Test
  void overrides_reachTheClientsOfStreams() {
    StreamsConfig config =
        new StreamsConfig(
            StreamsSettings.of(
                EnforcerConfig.of(
                    Map.of(
                        "producer.linger.ms", "5",
                        "consumer.max.poll.records", "17",
                        "admin.retry.backoff.ms", "19",
                        "streams.replication.factor", "3",
                        "security.protocol", "SSL"))));

    assertThat(config.getProducerConfigs("client")).containsEntry("linger.ms", "5");
    assertThat(config.getMainConsumerConfigs("group", "client", 0))
        .containsEntry("max.poll.records", "17")
        .containsEntry("security.protocol", "SSL");
    assertThat(config.getAdminConfigs("client")).containsEntry("retry.backoff.ms", "19");
    assertThat(config.getInt("replication.factor")).isEqualTo(3);
  }
}
