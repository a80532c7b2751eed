package io.quotaenforcer.enforcer.operations;

import io.quotaenforcer.enforcer.deadletters.DeadLetter;
import io.quotaenforcer.enforcer.deadletters.RedriveMark;
import io.quotaenforcer.enforcer.topics.Brokers;
import io.quotaenforcer.enforcer.topics.TopicReader;
import io.quotaenforcer.schemas.topic.Wire;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/**
 * Where the dead letters end at some moment: what is put aside later stands behind.
 *
 * @param offsets by partition
 */
public record LettersEnd(Map<Integer, Long> offsets) {
  /** So many may be put aside until they are looked at. */
  private static final long MOST_RECORDS = 20_000;

  public LettersEnd {
    offsets = Map.copyOf(offsets);
  }

  /**
   * The end now.
   *
   * @throws io.quotaenforcer.enforcer.topics.BrokersException when the brokers do not tell
   */
  public static LettersEnd now(Brokers brokers, Wire wire) {
    String topic = wire.topics().deadLetters().name();
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    for (int i = 0; i < wire.topics().deadLetters().partitions(); i++) {
      asked.put(new TopicPartition(topic, i), OffsetSpec.latest());
    }
    Map<TopicPartition, ListOffsetsResultInfo> told =
        brokers.get("read topic " + topic, brokers.admin().listOffsets(asked).all());
    Map<Integer, Long> offsets = new HashMap<>();
    told.forEach((partition, end) -> offsets.put(partition.partition(), end.offset()));
    return new LettersEnd(offsets);
  }

  /**
   * The wanted ones of the letters behind, as far as they are committed; none where there are too
   * many to look at.
   *
   * @throws io.quotaenforcer.enforcer.topics.BrokersException when the brokers do not answer
   */
  public List<DeadLetter> behind(Brokers brokers, Wire wire, Predicate<DeadLetter> wanted) {
    List<DeadLetter> found = new ArrayList<>();
    new TopicReader(brokers, System::nanoTime)
        .readFrom(
            wire.topics().deadLetters().name(),
            offsets,
            MOST_RECORDS,
            record -> {
              DeadLetter letter = DeadLetter.of(record, wire);
              if (RedriveMark.of(record).isEmpty() && wanted.test(letter)) {
                found.add(letter.brief());
              }
            });
    return found;
  }
}
