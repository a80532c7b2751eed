package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class TakenPartitionsTest {
  private static final String TOPIC = "quota.usage";
  private static final long NOW = 1_000_000_000_000L;
  private static final long SECOND = 1_000_000_000L;

  private final Logger logger = (Logger) LoggerFactory.getLogger(TakenPartitions.class.getName());
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final TakenPartitions taken = new TakenPartitions(TOPIC);

  @BeforeEach
  void listen() {
    log.start();
    logger.addAppender(log);
    logger.setLevel(Level.INFO);
  }

  @AfterEach
  void stopListening() {
    logger.detachAppender(log);
    logger.setLevel(null);
  }

  private static List<TopicPartition> partitions(String topic, int... numbers) {
    return IntStream.of(numbers).mapToObj(each -> new TopicPartition(topic, each)).toList();
  }

  private List<String> said() {
    return log.list.stream()
        .map(line -> line.getLevel() + " " + line.getFormattedMessage())
        .toList();
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
    taken.begin(1, NOW);

    assertThat(taken.missing(NOW)).hasValue("restoring 2 of 3 partitions");
    assertThat(taken.count()).isEqualTo(3);
  }

  @Test
  void missing_storesRestoredAnew_saysSo() {
    taken.assigned(partitions(TOPIC, 0, 1));
    taken.begin(0, NOW);
    taken.begin(1, NOW);
    assertThat(taken.missing(NOW)).isEmpty();

    taken.end(1);
    assertThat(taken.missing(NOW)).hasValue("restoring 1 of 2 partitions");
  }

  @Test
  void missing_timeOfThePredecessorAhead_saysForHowLong_untilTheClockHasCaughtUp() {
    taken.assigned(partitions(TOPIC, 0, 1));
    taken.begin(0, NOW + 5 * SECOND / 2);
    taken.begin(1, NOW);

    assertThat(taken.missing(NOW)).hasValue("takeover: waiting for enforcer time, for 2.5 s more");
    assertThat(taken.missing(NOW + 5 * SECOND / 2)).isEmpty();
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

    assertThat(said())
        .containsExactly(
            "INFO taken over, to be restored: partitions [0, 2]",
            "INFO given up: partitions [0]",
            "WARN lost to another enforcer, or to be taken over anew: partitions [2]");
  }

  @Test
  void grants_onlyTheFirstIsSaid() {
    taken.granted();
    taken.granted();

    assertThat(said()).containsExactly("INFO first grant");
  }
}
