package io.quotaenforcer.enforcer.topology;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** A stream thread's work since its last commit. Used by that thread, except for blame. */
final class ThreadWork {
  private static final long NOTHING = Long.MIN_VALUE;

  private final Map<TopicPartition, Long> lastOffsets = new HashMap<>();
  private final Set<TaskId> tasks = new HashSet<>();
  private final Set<String> ticks = new HashSet<>();
  private final LongSupplier clock;
  private long busyUntilNanos;
  private long records;
  private @Nullable RecordMetadata newest;
  private @Nullable Consumer<Throwable> step;
  private volatile boolean blamed;
  private volatile long readNanos = NOTHING;

  /**
   * @param clock monotonic nanoseconds
   */
  ThreadWork(LongSupplier clock) {
    this.clock = clock;
    this.busyUntilNanos = clock.getAsLong();
  }

  /**
   * A step begins.
   *
   * @param blame receives a failure that the step is to blame for, on any thread
   */
  void begin(Consumer<Throwable> blame) {
    step = blame;
  }

  void end() {
    step = null;
  }

  /** The step to blame for what is written now; null between steps. */
  @Nullable Consumer<Throwable> step() {
    return step;
  }

  void read(TaskId task, RecordMetadata record) {
    records++;
    if (readNanos == NOTHING) {
      readNanos = clock.getAsLong();
    }
    newest = record;
    tasks.add(task);
    lastOffsets.put(new TopicPartition(record.topic(), record.partition()), record.offset());
  }

  void ticked(String tick) {
    ticks.add(tick);
  }

  /** Something has to be looked at before so long. */
  void busyFor(Duration time) {
    long until = clock.getAsLong() + time.toNanos();
    if (until - busyUntilNanos > 0) {
      busyUntilNanos = until;
    }
  }

  /** Whether there is nothing to do for a while unless a record comes. */
  boolean isIdle() {
    return readNanos == NOTHING && clock.getAsLong() - busyUntilNanos >= 0;
  }

  /** A failure has exactly one culprit. */
  void blame() {
    blamed = true;
  }

  boolean isBlamed() {
    return blamed;
  }

  /** The record, if exactly one was read; else null. */
  @Nullable RecordMetadata onlyRecord() {
    return records == 1 ? newest : null;
  }

  /** All partitions were lost: whatever was read of them is read again, here or elsewhere. */
  void partitionsLost() {
    readNanos = NOTHING;
  }

  /** Longest wait of any input for its commit; safe for any thread. */
  long uncommittedNanos() {
    long since = readNanos;
    return since == NOTHING ? 0 : clock.getAsLong() - since;
  }

  Map<TopicPartition, Long> lastOffsets() {
    return lastOffsets;
  }

  Set<TaskId> tasks() {
    return tasks;
  }

  Set<String> ticks() {
    return ticks;
  }

  void clear() {
    lastOffsets.clear();
    tasks.clear();
    ticks.clear();
    records = 0;
    readNanos = NOTHING;
    newest = null;
    step = null;
    blamed = false;
  }
}
