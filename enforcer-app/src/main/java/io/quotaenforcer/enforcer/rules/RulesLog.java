package io.quotaenforcer.enforcer.rules;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The one partition of the rules topic, and that of their history. */
interface RulesLog extends AutoCloseable {

  /** A record to write; a null value deletes the key. */
  @SuppressWarnings("ArrayRecordComponent")
  record Write(String key, byte @Nullable [] value) {}

  /**
   * A record as it was read; a null value means that the key was deleted.
   *
   * @param timestampMillis when it was written, in milliseconds since 1970
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Entry(long offset, long timestampMillis, String key, byte @Nullable [] value) {}

  /**
   * Some records in order.
   *
   * @param endOffset where the log ended when they were read
   */
  record Chunk(List<Entry> entries, long endOffset) {}

  /**
   * What became of writing.
   *
   * @param offsets of the rules, as far as they got any
   * @param isCertain false when another writer took its turn meanwhile: then all was written or
   *     nothing, and which of the two shows whether the offsets hold these records
   */
  record Appended(List<Long> offsets, boolean isCertain) {}

  /** What is committed of the rules from {@code offset} on. */
  Chunk readFrom(long offset);

  /** What is committed of the history from {@code offset} on. */
  Chunk readHistoryFrom(long offset);

  /**
   * From now on no other writer commits what it began before. What they committed can be read, and
   * nothing will be committed before this writer's next records, unless another takes its turn.
   */
  void takeTurn();

  /** Appends all of the records or none, those of each topic in order; once in a turn. */
  Appended append(List<Write> rules, List<Write> history);

  @Override
  void close();
}
