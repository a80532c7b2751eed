package io.quotaenforcer.cli;

import io.quotaenforcer.enforcer.deadletters.DeadLetter;
import io.quotaenforcer.enforcer.operations.LettersEnd;
import java.util.List;
import java.util.Map;

/** The topics of a prefix in Kafka. */
final class KafkaQueueTopics implements QueueTopics {
  private final PrefixTopics topics;
  private LettersEnd before = new LettersEnd(Map.of());

  private KafkaQueueTopics(PrefixTopics topics) {
    this.topics = topics;
  }

  /** Connects. */
  static KafkaQueueTopics open(CommonOptions options) {
    return new KafkaQueueTopics(PrefixTopics.open(options));
  }

  @Override
  public void tell(List<Told> all) {
    before = LettersEnd.now(topics.brokers(), topics.wire());
    topics.write(all.stream().map(it -> topics.records().to(it.key(), it.input())).toList());
  }

  @Override
  public List<DeadLetter> lettersSince() {
    return before.behind(topics.brokers(), topics.wire(), letter -> true);
  }

  @Override
  public void close() {
    topics.close();
  }
}
