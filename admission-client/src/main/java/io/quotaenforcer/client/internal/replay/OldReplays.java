package io.quotaenforcer.client.internal.replay;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which replays may be acknowledged though the group does not know: those that a partition held
 * when it was taken up without a committed offset, as of a new group or one that Kafka forgot. What
 * is committed names the end of them, for whoever reads on before it. Not safe for use by several
 * threads.
 */
final class OldReplays {
  private static final Logger log = LoggerFactory.getLogger(OldReplays.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final String UNTIL = "ask-until=";

  private final String group;
  private final Map<Integer, Long> ends = new HashMap<>();

  OldReplays(String group) {
    this.group = group;
  }

  /** Looks up how far the group has come in partitions that are to be read. */
  void takeUp(Consumer<byte[], byte[]> consumer, Collection<TopicPartition> assigned) {
    Map<TopicPartition, OffsetAndMetadata> committed =
        consumer.committed(Set.copyOf(assigned), TIMEOUT);
    Set<TopicPartition> unknown = new HashSet<>();
    for (TopicPartition partition : assigned) {
      OffsetAndMetadata known = committed.get(partition);
      if (known == null) {
        unknown.add(partition);
      } else if (known.metadata().startsWith(UNTIL)) {
        put(partition, Long.parseLong(known.metadata().substring(UNTIL.length())));
      }
    }
    if (!unknown.isEmpty()) {
      consumer.endOffsets(unknown, TIMEOUT).forEach(this::put);
      unknown.removeIf(partition -> !ends.containsKey(partition.partition()));
    }
    if (!unknown.isEmpty()) {
      log.info(
          "group {} has no offsets of {}: the enforcer is asked which of the replays there are"
              + " acknowledged, and these are not handled again",
          group,
          unknown);
    }
  }

  private void put(TopicPartition partition, long end) {
    if (end > 0) {
      ends.put(partition.partition(), end);
    }
  }

  boolean isOld(int partition, long offset) {
    Long end = ends.get(partition);
    return end != null && offset < end;
  }

  OffsetAndMetadata toCommit(int partition, long offset) {
    return isOld(partition, offset)
        ? new OffsetAndMetadata(offset, UNTIL + ends.get(partition))
        : new OffsetAndMetadata(offset);
  }

  void forget(Collection<Integer> partitions) {
    ends.keySet().removeAll(partitions);
  }
}
