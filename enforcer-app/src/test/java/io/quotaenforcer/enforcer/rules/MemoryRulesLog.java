package io.quotaenforcer.enforcer.rules;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A rules log in memory, with other writers that can be made to write at any moment. */
final class MemoryRulesLog implements RulesLog {
  private final List<Entry> entries = new ArrayList<>();
  private long endOffset;
  private Runnable beforeAppend = () -> {};
  private Runnable afterAppend = () -> {};

  /** What someone else does right before the next append, after the caller last looked. */
  void beforeNextAppend(Runnable other) {
    beforeAppend = other;
  }

  /** What someone else does right after the next append, before the caller looks again. */
  void afterNextAppend(Runnable other) {
    afterAppend = other;
  }

  /** A record of another writer. */
  void write(String key, byte @Nullable [] value) {
    entries.add(new Entry(endOffset++, key, value));
  }

  /** Keeps only the last record of each key, and none of those that delete. */
  void compact() {
    Map<String, Entry> last = new LinkedHashMap<>();
    entries.forEach(entry -> last.put(entry.key(), entry));
    entries.removeIf(entry -> !entry.equals(last.get(entry.key())) || entry.value() == null);
  }

  @Override
  public Chunk readFrom(long offset) {
    return new Chunk(
        entries.stream().filter(entry -> entry.offset() >= offset).toList(), endOffset);
  }

  @Override
  public List<Long> append(List<Write> writes) {
    Runnable before = beforeAppend;
    Runnable after = afterAppend;
    beforeAppend = () -> {};
    afterAppend = () -> {};
    before.run();
    List<Long> offsets = new ArrayList<>();
    for (Write write : writes) {
      offsets.add(endOffset);
      write(write.key(), write.value());
    }
    after.run();
    return offsets;
  }

  @Override
  public void close() {}
}
