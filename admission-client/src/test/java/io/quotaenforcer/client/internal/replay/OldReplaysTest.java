package io.quotaenforcer.client.internal.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.CapturedLog;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OldReplaysTest {
  private static final TopicPartition P0 = new TopicPartition("quota.replays", 0);
  private static final TopicPartition P1 = new TopicPartition("quota.replays", 1);

  @RegisterExtension final CapturedLog log = new CapturedLog(OldReplays.class);
  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
  private final OldReplays old = new OldReplays("quota.replays-posts");

  /** A group with these committed offsets takes up partitions with these ends. */
  private void takesUp(Map<TopicPartition, OffsetAndMetadata> committed, long end0, long end1) {
    consumer.assign(List.of(P0, P1));
    consumer.updateEndOffsets(Map.of(P0, end0, P1, end1));
    consumer.commitSync(new HashMap<>(committed));
    old.takeUp(consumer, Set.of(P0, P1));
  }

  @Test
  void partition_withoutOffset_isOldUpToItsEnd() {
    takesUp(Map.of(P0, new OffsetAndMetadata(2)), 9, 5);

    assertThat(old.isOld(1, 4)).isTrue();
    assertThat(old.isOld(1, 5)).as("came after it was taken up").isFalse();
    assertThat(old.isOld(0, 3)).as("the group knows how far it is").isFalse();
    assertThat(log.said())
        .singleElement()
        .asString()
        .startsWith("INFO group quota.replays-posts has no offsets of [quota.replays-1]");
  }

  @Test
  void partition_thatIsEmpty_hasNothingOld_andNobodyIsToldOfIt() {
    takesUp(Map.of(), 0, 0);

    assertThat(old.isOld(0, 0)).isFalse();
    assertThat(old.isOld(1, 0)).isFalse();
    assertThat(log.said()).isEmpty();
  }

  @Test
  void commit_amongOldReplays_namesTheirEnd_andALaterOneDoesNot() {
    takesUp(Map.of(), 7, 0);

    assertThat(old.toCommit(0, 3)).isEqualTo(new OffsetAndMetadata(3, "ask-until=7"));
    assertThat(old.toCommit(0, 7)).isEqualTo(new OffsetAndMetadata(7));
    assertThat(old.toCommit(1, 3)).isEqualTo(new OffsetAndMetadata(3));
  }

  @Test
  void member_thatReadsOn_asksUpToTheEndThatWasCommitted_whateverHasComeSince() {
    takesUp(Map.of(P0, new OffsetAndMetadata(3, "ask-until=7")), 50, 0);

    assertThat(old.isOld(0, 6)).isTrue();
    assertThat(old.isOld(0, 7)).isFalse();
    assertThat(log.said()).as("it was told when the group was new").isEmpty();
  }

  @Test
  void metadata_ofAnotherKind_isNoEnd() {
    takesUp(Map.of(P0, new OffsetAndMetadata(3, "by hand")), 50, 0);

    assertThat(old.isOld(0, 4)).isFalse();
  }

  @Test
  void partition_thatWentAway_isForgotten() {
    takesUp(Map.of(), 7, 7);
    old.forget(Set.of(0));

    assertThat(old.isOld(0, 3)).isFalse();
    assertThat(old.isOld(1, 3)).isTrue();
    assertThat(old.toCommit(0, 3)).isEqualTo(new OffsetAndMetadata(3));
  }
}
