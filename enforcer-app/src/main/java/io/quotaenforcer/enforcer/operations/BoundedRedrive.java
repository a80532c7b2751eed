package io.quotaenforcer.enforcer.operations;

import io.quotaenforcer.enforcer.deadletters.DeadLetter;
import io.quotaenforcer.enforcer.deadletters.LetterFilter;
import io.quotaenforcer.enforcer.deadletters.Letters;
import io.quotaenforcer.enforcer.deadletters.Redrive;
import io.quotaenforcer.enforcer.deadletters.RedrivePlan;
import io.quotaenforcer.enforcer.deadletters.RedrivePlan.Step;
import io.quotaenforcer.enforcer.topics.Brokers;
import io.quotaenforcer.enforcer.topics.RecordWriter;
import io.quotaenforcer.enforcer.topics.TopicReader;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Redrives a few letters, with one more record, in one transaction. */
final class BoundedRedrive {
  /** Records from the oldest of the letters to the end, which may hold marks of them. */
  private static final long MOST_RECORDS = 20_000;

  private static final long MOST_BYTES = 8L << 20;
  private static final String INSTEAD = "quota dead-letters redrive has no such bound";

  private final Wire wire;
  private final Brokers brokers;
  private final TopicReader reader;

  BoundedRedrive(Brokers brokers, Wire wire) {
    this.brokers = brokers;
    this.wire = wire;
    this.reader = new TopicReader(brokers, System::nanoTime);
  }

  /**
   * Begins to write before it reads: whoever redrives at the same time is ended by it, or ends it.
   *
   * @param beside the record for a number of letters
   */
  RedrivePlan run(
      Set<String> places, boolean again, LongFunction<ProducerRecord<byte[], byte[]>> beside) {
    Topics topics = wire.topics();
    String topic = topics.deadLetters().name();
    Map<Integer, Long> oldest = oldest(places);
    try (RecordWriter writer = RecordWriter.inTransactions(brokers, topic)) {
      Letters letters = new Letters(wire, only(places), places.size());
      read(topic, oldest, letters);
      RedrivePlan plan =
          RedrivePlan.of(letters, topics.deferred().name(), Redrive.takingBack(topics), again);
      check(places, plan);
      List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
      Redrive redrive = new Redrive(plan, wire, topics.deferred().partitions(), records::addAll);
      read(topic, oldest, redrive);
      redrive.flush();
      records.add(beside.apply(plan.count(Step.WRITE)));
      KafkaOperations.write(writer, records);
      return plan;
    }
  }

  private void read(
      String topic, Map<Integer, Long> oldest, Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    if (!reader.readFrom(topic, oldest, MOST_RECORDS, sink)) {
      throw new OperationException(
          "nothing was redriven: more than %d records were put aside since; %s"
              .formatted(MOST_RECORDS, INSTEAD));
    }
  }

  private static void check(Set<String> places, RedrivePlan plan) {
    Map<DeadLetter, Step> steps = plan.steps();
    if (plan.count(Step.WRITE) == 0) {
      String why =
          steps.entrySet().stream()
              .map(it -> it.getKey().aside().place() + " " + it.getValue().text())
              .collect(Collectors.joining("; "));
      throw new OperationException(
          "nothing was redriven: "
              + (steps.isEmpty()
                  ? "there are no such letters: " + String.join(", ", places)
                  : why));
    }
    long bytes =
        steps.entrySet().stream()
            .filter(it -> it.getValue() == Step.WRITE)
            .mapToLong(it -> it.getKey().content().bytes())
            .sum();
    if (bytes > MOST_BYTES) {
      throw new OperationException(
          "nothing was redriven: these letters have %d bytes, at most %d go at once; %s"
              .formatted(bytes, MOST_BYTES, INSTEAD));
    }
  }

  private static LetterFilter only(Set<String> places) {
    return new LetterFilter(Optional.empty(), Optional.empty(), Optional.empty(), places);
  }

  /** By partition. */
  private static Map<Integer, Long> oldest(Set<String> places) {
    Map<Integer, Long> oldest = new HashMap<>();
    for (String place : places) {
      if (!place.matches("[0-9]{1,5}-[0-9]{1,18}")) {
        throw new IllegalArgumentException(
            "must be the place of a dead letter, such as 0-17: " + place);
      }
      int end = place.indexOf('-');
      oldest.merge(
          Integer.valueOf(place.substring(0, end)),
          Long.valueOf(place.substring(end + 1)),
          Math::min);
    }
    return oldest;
  }
}
