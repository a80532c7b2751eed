package io.quotaenforcer.enforcer.rules;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The one partition of the rules topic. */
interface RulesLog extends AutoCloseable {

  /** A record to write; a null value deletes the key. */
  @SuppressWarnings("ArrayRecordComponent")
  record Write(String key, byte @Nullable [] value) {}

  /** A record as it was read; a null value means that the key was deleted. */
  @SuppressWarnings("ArrayRecordComponent")
  record Entry(long offset, String key, byte @Nullable [] value) {}

  /**
   * Some records in order.
   *
   * @param endOffset where the log ended when they were read
   */
  record Chunk(List<Entry> entries, long endOffset) {}

  /** What is in the log from {@code offset} on. */
  Chunk readFrom(long offset);

  /** Appends the records in order; their offsets. */
  List<Long> append(List<Write> writes);

  @Override
  void close();
}
