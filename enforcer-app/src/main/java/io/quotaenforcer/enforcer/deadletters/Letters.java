package io.quotaenforcer.enforcer.deadletters;

import io.quotaenforcer.schemas.topic.Wire;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Takes the records of the dead letters topic, and keeps the newest selected ones. */
public final class Letters implements Consumer<ConsumerRecord<byte[], byte[]>> {
  private final Wire wire;
  private final Predicate<DeadLetter> filter;
  private final int most;
  private final Deque<DeadLetter> newest = new ArrayDeque<>();
  private final Map<String, Long> redriven = new HashMap<>();
  private long found;

  /**
   * @param most letters that are kept
   */
  public Letters(Wire wire, Predicate<DeadLetter> filter, int most) {
    this.wire = wire;
    this.filter = filter;
    this.most = most;
  }

  @Override
  public void accept(ConsumerRecord<byte[], byte[]> record) {
    Optional<String> mark = RedriveMark.of(record);
    if (mark.isPresent()) {
      redriven.put(mark.get(), record.timestamp());
      return;
    }
    DeadLetter letter = DeadLetter.of(record, wire);
    if (filter.test(letter)) {
      found++;
      newest.add(letter);
      if (newest.size() > most) {
        newest.remove();
      }
    }
  }

  /** In the order in which they were put aside. */
  public List<DeadLetter> newest() {
    return new ArrayList<>(newest);
  }

  /** Total number; may exceed the letters kept. */
  public long found() {
    return found;
  }

  /** Time at which a letter was redriven, epoch milliseconds; empty if it was not. */
  public Optional<Long> redrivenMillis(DeadLetter letter) {
    return Optional.ofNullable(redriven.get(letter.aside().place()));
  }
}
