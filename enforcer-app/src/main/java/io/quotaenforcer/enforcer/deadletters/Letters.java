package io.quotaenforcer.enforcer.deadletters;

import io.quotaenforcer.schemas.topic.Wire;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Takes the records of the dead letters topic, and keeps the newest selected ones, as far as their
 * number and their texts may take memory. In its partition a letter comes before the marks that say
 * when it was redriven; those of letters that are not kept are passed over.
 */
public final class Letters implements Consumer<ConsumerRecord<byte[], byte[]>> {
  /** Most letters of which one redrive decides. */
  public static final int MOST_PLANNED = 50_000;

  /** Of all letters that are kept: anyone may write long texts. */
  private static final long MOST_BYTES = 64L << 20;

  private final Wire wire;
  private final Predicate<DeadLetter> filter;
  private final int most;
  private final UnaryOperator<DeadLetter> kept;
  private final Map<String, DeadLetter> newest = new LinkedHashMap<>();
  private final Map<String, Long> redriven = new HashMap<>();
  private long bytes;
  private long found;

  /**
   * Keeps letters with all of their texts.
   *
   * @param most letters that are kept
   */
  public Letters(Wire wire, Predicate<DeadLetter> filter, int most) {
    this(wire, filter, most, UnaryOperator.identity());
  }

  private Letters(
      Wire wire, Predicate<DeadLetter> filter, int most, UnaryOperator<DeadLetter> kept) {
    this.wire = wire;
    this.filter = filter;
    this.most = most;
    this.kept = kept;
  }

  /** Keeps what a redrive needs to know of {@value #MOST_PLANNED} letters at most. */
  public static Letters toPlan(Wire wire, Predicate<DeadLetter> filter) {
    return new Letters(wire, filter, MOST_PLANNED, DeadLetter::brief);
  }

  @Override
  public void accept(ConsumerRecord<byte[], byte[]> record) {
    Optional<String> mark = RedriveMark.of(record);
    if (mark.isPresent()) {
      if (newest.containsKey(mark.get())) {
        redriven.put(mark.get(), record.timestamp());
      }
      return;
    }
    DeadLetter letter = DeadLetter.of(record, wire);
    if (filter.test(letter)) {
      found++;
      keep(kept.apply(letter));
    }
  }

  private void keep(DeadLetter letter) {
    newest.put(letter.aside().place(), letter);
    bytes += letter.heapBytes();
    Iterator<DeadLetter> oldest = newest.values().iterator();
    while (newest.size() > most || bytes > MOST_BYTES) {
      DeadLetter left = oldest.next();
      oldest.remove();
      redriven.remove(left.aside().place());
      bytes -= left.heapBytes();
    }
  }

  /** In the order in which they were put aside. */
  public List<DeadLetter> newest() {
    return new ArrayList<>(newest.values());
  }

  /** Total number; may exceed the letters kept. */
  public long found() {
    return found;
  }

  /** Whether all that were found are kept. */
  public boolean isWhole() {
    return found == newest.size();
  }

  /** Time at which a letter that is kept was redriven, epoch milliseconds; empty if it was not. */
  public Optional<Long> redrivenMillis(DeadLetter letter) {
    return Optional.ofNullable(redriven.get(letter.aside().place()));
  }
}
