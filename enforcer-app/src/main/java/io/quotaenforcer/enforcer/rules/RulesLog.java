package io.quotaenforcer.enforcer.rules;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The single partition of the rules topic, and that of their history. */
interface RulesLog extends AutoCloseable {

  /** A record to write; a null value deletes the key. */
  @SuppressWarnings("ArrayRecordComponent")
  record Write(String key, byte @Nullable [] value) {}

  /**
   * A record that was read; a null value means that the key was deleted.
   *
   * @param timestampMillis when it was written, epoch milliseconds
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Entry(long offset, long timestampMillis, String key, byte @Nullable [] value) {}

  /**
   * Records in order.
   *
   * @param endOffset end of the log when they were read
   */
  record Chunk(List<Entry> entries, long endOffset) {}

  /**
   * Outcome of writing.
   *
   * @param offsets of the rules, as far as known
   * @param isCertain false if another writer took its turn meanwhile: then all was written or
   *     nothing, and the records at these offsets tell which
   */
  record Appended(List<Long> offsets, boolean isCertain) {}

  /** Committed rules from {@code offset} on. */
  Chunk readFrom(long offset);

  /** Committed history from {@code offset} on. */
  Chunk readHistoryFrom(long offset);

  /**
   * From now on no other writer commits what it began earlier. Committed records can be read, and
   * nothing is committed before this writer's next records, unless another writer takes its turn.
   */
  void takeTurn();

  /**
   * Appends all of the records or none, those of each topic in order; once in a turn.
   *
   * @param audit of the change; may be empty
   */
  Appended append(List<Write> rules, List<Write> history, List<Write> audit);

  @Override
  void close();
}
