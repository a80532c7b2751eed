package io.quotaenforcer.enforcer;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.server.Health;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.streams.KafkaStreams.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GrantPathTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long INTERVAL = SECOND / 10;

  private Optional<String> rulesMissing = Optional.empty();
  private Optional<String> failing = Optional.empty();
  private Optional<State> state = Optional.of(State.RUNNING);
  private Optional<String> partitionsMissing = Optional.empty();
  private double heartbeatSeconds = 0.2;
  private long uncommittedNanos;
  private Optional<String> answersMissing = Optional.empty();

  private Health health() {
    return new GrantPath(
            new GrantPath.Missing(rulesMissing, partitionsMissing, answersMissing),
            failing,
            state,
            heartbeatSeconds,
            uncommittedNanos,
            INTERVAL)
        .health();
  }

  private record Known(MetricName metricName, Object metricValue) implements Metric {}

  private static Metric metric(String name, String client, Object value) {
    Map<String, String> tags = Map.of("client-id", client);
    return new Known(new MetricName(name, "consumer-coordinator-metrics", "", tags), value);
  }

  @Test
  void nothingMissing_isReady() {
    assertThat(health()).isEqualTo(new Health.Ready());
  }

  @Test
  void rules_notLoaded_saysSoBeforeAllElse() {
    rulesMissing = Optional.of("reading their topic");
    state = Optional.empty();

    assertThat(health()).isEqualTo(new Health.Starting("rules not loaded: reading their topic"));
  }

  @Test
  void topology_notStarted_saysSo() {
    state = Optional.empty();

    assertThat(health()).isEqualTo(new Health.Starting("topology not started yet"));
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"CREATED", "REBALANCING"})
  void partitions_notThereYet_saysWhatIsRestored(State moving) {
    state = Optional.of(moving);
    assertThat(health())
        .isEqualTo(new Health.Starting("waiting for its share of the partitions, or moving some"));

    partitionsMissing = Optional.of("restoring 3 of 16 partitions");
    assertThat(health()).isEqualTo(new Health.Starting("restoring 3 of 16 partitions"));
  }

  @Test
  void partitions_restoredAgainWhileAllThreadsRun_isNotReady() {
    partitionsMissing = Optional.of("restoring 1 of 16 partitions");

    assertThat(health()).isEqualTo(new Health.Starting("restoring 1 of 16 partitions"));
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"PENDING_SHUTDOWN", "NOT_RUNNING", "PENDING_ERROR", "ERROR"})
  void topology_stopped_asksForARestart(State stopped) {
    state = Optional.of(stopped);

    assertThat(health()).isEqualTo(new Health.Failed("the topology has stopped: " + stopped));
  }

  @Test
  void failure_thatComesAgain_isNamed() {
    failing = Optional.of("a task failed 3 times");

    assertThat(health()).isEqualTo(new Health.Failing("a task failed 3 times"));
  }

  @Test
  void commit_late_saysForHowLong_butNotOneThatWaitsForItsInterval() {
    uncommittedNanos = INTERVAL + 2 * SECOND;
    assertThat(health()).isEqualTo(new Health.Ready());

    uncommittedNanos = 2_140_000_000L;
    assertThat(health()).isEqualTo(new Health.Failing("no commit for 2.1 s"));
  }

  @Test
  void heartbeat_late_saysForHowLong() {
    heartbeatSeconds = 7;

    assertThat(health())
        .isEqualTo(new Health.Failing("no heartbeat to Kafka for 7.0 s: is it there?"));
  }

  @Test
  void answers_notSent_saysWhy() {
    answersMissing = Optional.of("no answer could be sent for 2.3 s: timeout");

    assertThat(health())
        .isEqualTo(new Health.Failing("no answer could be sent for 2.3 s: timeout"));
  }

  @Test
  void heartbeatSeconds_ofThreadsThatLive_isTheLongest() {
    assertThat(
            GrantPath.heartbeatSeconds(
                List.of(
                    metric("last-heartbeat-seconds-ago", "thread-1", 1.0),
                    metric("last-heartbeat-seconds-ago", "thread-2", 4.0),
                    metric("heartbeat-rate", "thread-1", 9.0),
                    metric("last-heartbeat-seconds-ago", "failed", 70.0)),
                Set.of("thread-1", "thread-2")))
        .isEqualTo(4);
    assertThat(GrantPath.heartbeatSeconds(List.of(), Set.of("thread-1"))).isNegative();
  }
}
