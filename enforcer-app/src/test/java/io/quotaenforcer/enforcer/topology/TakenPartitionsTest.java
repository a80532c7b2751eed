package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.enforcer.logging.CapturedLog;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TakenPartitionsTest {
  private static final String TOPIC = "quota.usage";
  private static final long NOW = 1_000_000_000_000L;
  private static final long SECOND = 1_000_000_000L;

  @RegisterExtension final CapturedLog log = new CapturedLog(TakenPartitions.class);
  private final TakenPartitions taken = new TakenPartitions(TOPIC);

  private static List<TopicPartition> partitions(String topic, int... numbers) {
    return IntStream.of(numbers).mapToObj(each -> new TopicPartition(topic, each)).toList();
  }

  /** Begins a turn in which there is nothing to read. */
  private void begin(int partition, long untilNanos) {
    taken.begin(partition, untilNanos);
    TopicPartition begun = new TopicPartition(TOPIC, partition);
    taken.behind(each -> each.equals(begun) ? OptionalLong.of(0) : OptionalLong.empty());
  }

  @Test
  void missing_noPartition_isNothing() {
    assertThat(taken.missing(NOW)).isEmpty();
    assertThat(taken.count()).isZero();
  }

  @Test
  void missing_stores_saysHowManyAreStillRestored() {
    taken.assigned(partitions(TOPIC, 0, 1, 2));
    taken.assigned(partitions("quota.deferred", 0, 1, 2));
    begin(1, NOW);

    assertThat(taken.missing(NOW)).hasValue("restoring 2 of 3 partitions");
    assertThat(taken.count()).isEqualTo(3);
  }

  @Test
  void partitions_areAtWork_onceEachLedgerOfTheThreadIs() {
    assertThat(taken.areMineAtWork()).isTrue();
    taken.assigned(partitions(TOPIC, 0, 1));
    begin(0, NOW);
    assertThat(taken.areMineAtWork()).isFalse();

    begin(1, NOW);
    assertThat(taken.areMineAtWork()).isTrue();
    taken.revoked(partitions(TOPIC, 0, 1));
    assertThat(taken.areMineAtWork()).isTrue();
  }

  @Test
  void missing_storesRestoredAnew_saysSo() {
    taken.assigned(partitions(TOPIC, 0, 1));
    begin(0, NOW);
    begin(1, NOW);
    assertThat(taken.missing(NOW)).isEmpty();

    taken.end(1);
    assertThat(taken.missing(NOW)).hasValue("restoring 1 of 2 partitions");
  }

  @Test
  void missing_timeOfThePredecessorAhead_saysForHowLong_untilTheClockHasCaughtUp() {
    taken.assigned(partitions(TOPIC, 0, 1));
    begin(0, NOW + 5 * SECOND / 2);
    begin(1, NOW);

    assertThat(taken.missing(NOW)).hasValue("takeover: waiting for enforcer time, for 2.5 s more");
    assertThat(taken.missing(NOW + 5 * SECOND / 2)).isEmpty();
  }

  @Test
  void missing_firstReportOfATurnThatWaitsForACommit_isSaidAtOnce() {
    taken.assigned(partitions(TOPIC, 0, 1));
    begin(0, NOW);
    begin(1, NOW);
    taken.answered(1);
    taken.waits(0, NOW);
    taken.waits(1, NOW);

    assertThat(taken.missing(NOW + SECOND / 2))
        .hasValue("reports of 1 of 2 partitions wait for a commit to be answered, for 0.5 s");
    taken.answered(0);
    assertThat(taken.missing(NOW + SECOND / 2)).isEmpty();
  }

  @Test
  void missing_reportsOfATurnThatAnsweredBefore_areSaidOnceTheyWaitForLong() {
    taken.assigned(partitions(TOPIC, 0));
    begin(0, NOW);
    taken.answered(0);
    taken.waits(0, NOW);
    taken.waits(0, NOW + SECOND);

    assertThat(taken.missing(NOW + 2 * SECOND)).isEmpty();
    assertThat(taken.missing(NOW + 5 * SECOND / 2))
        .hasValue("reports of 1 of 1 partitions wait for a commit to be answered, for 2.5 s");
  }

  @Test
  void missing_reportsThatCameBeforeATurn_areReadFirst() {
    taken.assigned(partitions(TOPIC, 0, 1));
    taken.begin(0, NOW);
    taken.begin(1, NOW);
    Map<TopicPartition, OptionalLong> lag = new HashMap<>();
    lag.put(new TopicPartition(TOPIC, 0), OptionalLong.of(700));
    lag.put(new TopicPartition(TOPIC, 1), OptionalLong.empty());
    taken.behind(lag::get);
    assertThat(taken.missing(NOW))
        .as("an offset that a transaction holds back is never told")
        .hasValue("takeover: brokers have not said yet from where on to read 1 of 2 partitions");

    lag.put(new TopicPartition(TOPIC, 1), OptionalLong.of(0));
    taken.behind(lag::get);
    assertThat(taken.missing(NOW))
        .hasValue("takeover: reading what came meanwhile, 700 reports are left");

    lag.replaceAll((partition, before) -> OptionalLong.of(3));
    taken.behind(lag::get);
    assertThat(taken.missing(NOW)).isEmpty();
    lag.replaceAll((partition, before) -> OptionalLong.of(900));
    taken.behind(lag::get);
    assertThat(taken.missing(NOW)).as("a busy enforcer that has caught up once").isEmpty();
  }

  @Test
  void missing_partitionsOfAThreadThatIsGone_areNotWaitedFor() throws Exception {
    Thread thread = new Thread(() -> taken.assigned(partitions(TOPIC, 7)));
    thread.start();
    thread.join();

    assertThat(taken.missing(NOW)).isEmpty();
    assertThat(taken.count()).isZero();
  }

  @Test
  void changes_ofUsagePartitions_areSaidOnceEach() {
    taken.assigned(partitions(TOPIC, 2, 0));
    taken.assigned(partitions("quota.deferred", 1));
    taken.revoked(partitions(TOPIC, 0));
    taken.lost(partitions(TOPIC, 2));
    taken.lost(partitions(TOPIC));

    assertThat(log.said())
        .containsExactly(
            "INFO taken over, to be restored: partitions [0, 2]",
            "INFO given up: partitions [0]",
            "WARN lost to another enforcer, or to be taken over anew: partitions [2]");
  }

  @Test
  void grants_onlyTheFirstIsSaid() {
    taken.granted();
    taken.granted();

    assertThat(log.said()).containsExactly("INFO first grant");
  }

  @Test
  void partitions_areInThePhaseOfTheirTakeover() {
    taken.assigned(partitions(TOPIC, 0, 1, 2, 3));
    begin(1, NOW + SECOND);
    taken.begin(2, NOW);
    begin(3, NOW);

    for (TakenPartitions.Phase phase : TakenPartitions.Phase.values()) {
      assertThat(taken.in(phase, NOW)).as("%s", phase).isOne();
    }
    assertThat(taken.in(TakenPartitions.Phase.GRANTING, NOW + SECOND)).isEqualTo(2);
  }
}
