package io.quotaenforcer.enforcer.topology;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.Punctuator;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Readable records that could not be processed: each time, the transaction was aborted and the
 * thread replaced. A record that fails again and again would block its partition forever, so it is
 * given up.
 *
 * <p>A record is to blame when its processor fails, and when Kafka refuses what it writes. If a
 * thread fails otherwise, as in the work before a commit, everything that it had read since its
 * last commit is <em>suspect</em>: it is read again one record at a time, each with a commit of its
 * own, until one is found that makes the thread fail alone.
 *
 * <p>Failures of Kafka, the stores or the network say nothing of a record and are {@linkplain Fault
 * not counted}. Kept only in memory. Safe for use by any number of threads.
 */
public final class FailedRecords {
  /** Times that a record is tried. */
  static final int MOST_TRIES = 3;

  /** Ticks that are rarer may be late by what an idle thread waits. */
  private static final Duration FREQUENT = Duration.ofMillis(200);

  /** Time after a transaction in which its consequences are drawn, such as answers. */
  private static final Duration AFTERMATH = Duration.ofMillis(10);

  /** Most records remembered, the latest ones. */
  private static final int MOST_RECORDS = 1_000;

  private final Map<Place, Failure> failures =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Place, Failure> eldest) {
          return size() > MOST_RECORDS;
        }
      };

  /** The last offset of each partition up to which records are suspect. */
  private final Map<TopicPartition, Long> suspects = new ConcurrentHashMap<>();

  private final Map<Thread, ThreadWork> byThread = new ConcurrentHashMap<>();
  private final ThreadLocal<ThreadWork> works = ThreadLocal.withInitial(this::begun);
  private final LongSupplier clock;
  private final FailedTicks ticks;
  private final StuckTasks tasks;

  private record Place(String topic, int partition, long offset) {
    static Place of(RecordMetadata record) {
      return new Place(record.topic(), record.partition(), record.offset());
    }
  }

  private record Failure(int times, Throwable cause) {}

  /** Why a record is not tried any more. */
  record GivenUp(String text, Throwable cause) {}

  public FailedRecords() {
    this(System::nanoTime);
  }

  /**
   * @param clock monotonic nanoseconds
   */
  FailedRecords(LongSupplier clock) {
    this.clock = clock;
    ticks = new FailedTicks(clock);
    tasks = new StuckTasks(clock);
  }

  private ThreadWork begun() {
    ThreadWork work = new ThreadWork(clock);
    byThread.put(Thread.currentThread(), work);
    return work;
  }

  /** Processes a record; a failure may be its fault. */
  void process(TaskId task, RecordMetadata record, Runnable step) {
    works.get().read(task, record);
    guard(cause -> add(record, cause), step);
  }

  /** Does work driven by the clock; see {@link FailedTicks}. */
  Cancellable schedule(
      ProcessorContext<?, ?> context, Duration every, String what, Punctuator tick) {
    String name = "%s of partition %d".formatted(what, context.taskId().partition());
    Runnable due = every.compareTo(FREQUENT) < 0 ? () -> isDueAgain(every) : () -> {};
    due.run();
    return context.schedule(
        every,
        PunctuationType.WALL_CLOCK_TIME,
        timestamp -> {
          due.run();
          tick(name, tick, timestamp);
        });
  }

  /** A tick that is late twice is taken for cancelled. */
  private void isDueAgain(Duration every) {
    works.get().busyFor(every.multipliedBy(2).plus(AFTERMATH));
  }

  private void tick(String name, Punctuator tick, long timestamp) {
    if (!ticks.rests(name)) {
      works.get().ticked(name);
      guard(cause -> ticks.add(name, cause), () -> tick.punctuate(timestamp));
    }
  }

  private void guard(Consumer<Throwable> blame, Runnable step) {
    ThreadWork work = works.get();
    work.begin(blame);
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      // Kafka's refusal of an earlier record may surface only now; that record was already blamed.
      if (!work.isBlamed() && Fault.mayBeOfInput(e)) {
        work.blame();
        blame.accept(e);
      }
      throw e;
    } finally {
      work.end();
    }
  }

  private synchronized void add(RecordMetadata record, Throwable cause) {
    failures.merge(
        Place.of(record),
        new Failure(1, cause),
        (before, now) -> new Failure(before.times + 1, now.cause));
  }

  /** Reason not to try a record any more; empty if there is none. */
  synchronized Optional<GivenUp> givenUp(RecordMetadata record) {
    Failure known = failures.isEmpty() ? null : failures.get(Place.of(record));
    return known == null || known.times < MOST_TRIES
        ? Optional.empty()
        : Optional.of(
            new GivenUp("failed %d times: %s".formatted(known.times, known.cause), known.cause));
  }

  /** Whether a commit must follow before another record is read. */
  boolean isSuspect(RecordMetadata record) {
    return isSuspect(new TopicPartition(record.topic(), record.partition()), record.offset());
  }

  private boolean isSuspect(TopicPartition partition, long offset) {
    return !suspects.isEmpty() && offset <= suspects.getOrDefault(partition, -1L);
  }

  /**
   * The first suspect alone, if there is one among the polled records; the rest is polled again.
   *
   * @param seek sets the position to continue a partition from
   */
  ConsumerRecords<byte[], byte[]> alone(
      ConsumerRecords<byte[], byte[]> polled, BiConsumer<TopicPartition, Long> seek) {
    if (suspects.isEmpty()) {
      return polled;
    }
    for (TopicPartition partition : polled.partitions()) {
      ConsumerRecord<byte[], byte[]> first = polled.records(partition).get(0);
      if (isSuspect(partition, first.offset())) {
        polled
            .partitions()
            .forEach(each -> seek.accept(each, polled.records(each).get(0).offset()));
        long next = first.offset() + 1;
        seek.accept(partition, next);
        return new ConsumerRecords<>(
            Map.of(partition, List.of(first)),
            Map.of(partition, new OffsetAndMetadata(next, first.leaderEpoch(), "")));
      }
    }
    return polled;
  }

  /** Names the step to blame if Kafka refuses what is written now. */
  @Nullable Callback watching(String topic, @Nullable Callback callback) {
    ThreadWork work = works.get();
    Consumer<Throwable> blame = work.step();
    if (blame == null) {
      return callback;
    }
    return (metadata, failure) -> {
      if (failure != null && Fault.isOfRecord(failure) && !work.isBlamed()) {
        work.blame();
        blame.accept(new StreamsException("written to " + topic + ": " + failure, failure));
      }
      if (callback != null) {
        callback.onCompletion(metadata, failure);
      }
    };
  }

  /**
   * The calling thread's work is committed.
   *
   * @return how long its first input waited for that; 0 if there was none
   */
  long committed() {
    ThreadWork work = works.get();
    long waited = work.uncommittedNanos();
    if (!suspects.isEmpty()) {
      work.lastOffsets()
          .forEach(
              (partition, last) ->
                  suspects.computeIfPresent(partition, (key, to) -> to <= last ? null : to));
    }
    ticks.succeeded(work.ticks());
    tasks.committed(work.tasks());
    work.clear();
    work.busyFor(AFTERMATH);
    return waited;
  }

  /** The calling thread's work since its last commit is void, by no fault of its own. */
  void aborted() {
    works.get().clear();
  }

  /** The calling thread ends by a failure. */
  public void threadFailed(Throwable failure) {
    ThreadWork work = works.get();
    works.remove();
    byThread.remove(Thread.currentThread());
    Optional<TaskId> task =
        failure instanceof StreamsException known ? known.taskId() : Optional.empty();
    tasks.failed(task.map(Set::of).orElse(work.tasks()), failure);
    if (work.isBlamed() || !Fault.mayBeOfInput(failure)) {
      return;
    }
    RecordMetadata only = work.onlyRecord();
    if (only != null) {
      add(only, failure);
    }
    work.lastOffsets().forEach((partition, last) -> suspects.merge(partition, last, Math::max));
  }

  /** Whether a thread failed because of brokers, the network or a registry. */
  public static boolean isOfOthers(Throwable failure) {
    return Fault.isOfOthers(failure);
  }

  /** The calling thread has lost its partitions. */
  void partitionsLost() {
    works.get().partitionsLost();
  }

  /**
   * Whether the calling thread has nothing to do for some milliseconds unless a record comes: it
   * has committed what it read, and no frequent tick is due.
   */
  boolean isIdle() {
    return works.get().isIdle();
  }

  /** Longest wait of any input for its commit; 0 if nothing waits. */
  public long uncommittedNanos() {
    byThread.keySet().removeIf(thread -> !thread.isAlive());
    return byThread.values().stream().mapToLong(ThreadWork::uncommittedNanos).max().orElse(0);
  }

  /** A description of stuck records; empty if there are none. */
  public Optional<String> stuck() {
    return tasks.many().or(ticks::many);
  }
}
