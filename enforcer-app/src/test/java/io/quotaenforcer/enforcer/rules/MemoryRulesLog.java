package io.quotaenforcer.enforcer.rules;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A rules log in memory, with other writers that can be made to write at any moment. */
final class MemoryRulesLog implements RulesLog {
  /** The state that all writers share. */
  private static final class Storage {
    final List<Entry> rules = new ArrayList<>();
    final List<Entry> history = new ArrayList<>();
    final List<Write> audit = new ArrayList<>();
    long endOffset;
    long historyEndOffset;
    int turn;
    long nowMillis = 1_000;
  }

  private final Storage storage;
  private int turn;
  private Runnable beforeAppend = () -> {};
  private Runnable afterAppend = () -> {};

  MemoryRulesLog() {
    this(new Storage());
  }

  private MemoryRulesLog(Storage storage) {
    this.storage = storage;
  }

  /** The same log, for another writer. */
  MemoryRulesLog another() {
    return new MemoryRulesLog(storage);
  }

  /**
   * Runs another writer's step once the caller has taken its turn and looked, before it appends.
   */
  void beforeNextAppend(Runnable other) {
    beforeAppend = other;
  }

  /** Runs another writer's step when the records are written, before the caller is told. */
  void afterNextAppend(Runnable other) {
    afterAppend = other;
  }

  /** Milliseconds since 1970; stands still until it is moved. */
  long nowMillis() {
    return storage.nowMillis;
  }

  void advance(long millis) {
    storage.nowMillis += millis;
  }

  /** A rule written by someone who knows of no history. */
  void write(String key, byte @Nullable [] value) {
    storage.rules.add(new Entry(storage.endOffset++, storage.nowMillis, key, value));
  }

  void writeHistory(String key, byte[] value) {
    storage.history.add(new Entry(storage.historyEndOffset++, storage.nowMillis, key, value));
  }

  /** Keeps only the last record of each key, and none of those that delete. */
  void compact() {
    Map<String, Entry> last = new LinkedHashMap<>();
    storage.rules.forEach(entry -> last.put(entry.key(), entry));
    storage.rules.removeIf(entry -> !entry.equals(last.get(entry.key())) || entry.value() == null);
  }

  /** Forgets the oldest records of the history. */
  void expireHistory(int records) {
    storage.history.subList(0, records).clear();
  }

  /** What was written beside the rules. */
  List<Write> audit() {
    return List.copyOf(storage.audit);
  }

  @Override
  public Chunk readFrom(long offset) {
    return new Chunk(
        storage.rules.stream().filter(entry -> entry.offset() >= offset).toList(),
        storage.endOffset);
  }

  @Override
  public Chunk readHistoryFrom(long offset) {
    return new Chunk(
        storage.history.stream().filter(entry -> entry.offset() >= offset).toList(),
        storage.historyEndOffset);
  }

  @Override
  public void takeTurn() {
    turn = ++storage.turn;
  }

  @Override
  public Appended append(List<Write> rules, List<Write> history, List<Write> audit) {
    Runnable before = beforeAppend;
    Runnable after = afterAppend;
    beforeAppend = () -> {};
    afterAppend = () -> {};
    before.run();
    boolean overtaken = turn != storage.turn;
    List<Long> offsets = new ArrayList<>();
    for (Write write : rules) {
      offsets.add(storage.endOffset);
      if (overtaken) {
        // What is given up takes its place all the same.
        storage.endOffset++;
      } else {
        write(write.key(), write.value());
      }
    }
    if (!overtaken) {
      history.forEach(write -> writeHistory(write.key(), write.value()));
      storage.audit.addAll(audit);
    }
    after.run();
    return new Appended(offsets, turn == storage.turn);
  }

  @Override
  public void close() {}
}
