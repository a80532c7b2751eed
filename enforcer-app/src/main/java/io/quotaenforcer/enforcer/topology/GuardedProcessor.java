package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts aside a record that makes its processor fail again and again, so that the next ones are
 * read.
 */
final class GuardedProcessor implements Processor<byte[], byte[], byte[], Object> {
  private static final Logger log = LoggerFactory.getLogger(GuardedProcessor.class);

  private final Processor<byte[], byte[], byte[], Object> guarded;
  private final FailedRecords failed;
  private final EnforcerMetrics metrics;
  private final String deadLetters;
  private @Nullable ProcessorContext<byte[], Object> context;

  /**
   * @param deadLetters name of the sink for records put aside
   */
  GuardedProcessor(
      Processor<byte[], byte[], byte[], Object> guarded,
      FailedRecords failed,
      EnforcerMetrics metrics,
      String deadLetters) {
    this.guarded = guarded;
    this.failed = failed;
    this.metrics = metrics;
    this.deadLetters = deadLetters;
  }

  @Override
  public void init(ProcessorContext<byte[], Object> processorContext) {
    context = processorContext;
    guarded.init(processorContext);
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    ProcessorContext<byte[], Object> known = Objects.requireNonNull(context, "not initialised");
    RecordMetadata origin = known.recordMetadata().orElseThrow();
    Optional<FailedRecords.GivenUp> reason = failed.givenUp(origin);
    if (reason.isPresent()) {
      FailedRecords.GivenUp why = reason.get();
      failed.process(known.taskId(), origin, () -> putAside(known, record, origin, why));
      commitIfSuspect(known, origin);
      return;
    }
    failed.process(known.taskId(), origin, () -> guarded.process(record));
    commitIfSuspect(known, origin);
  }

  private void commitIfSuspect(ProcessorContext<byte[], Object> to, RecordMetadata origin) {
    if (failed.isSuspect(origin)) {
      to.commit();
    }
  }

  private void putAside(
      ProcessorContext<byte[], Object> to,
      Record<byte[], byte[]> record,
      RecordMetadata origin,
      FailedRecords.GivenUp reason) {
    log.error(
        "the record of {}-{} at offset {} is put aside: it {}",
        origin.topic(),
        origin.partition(),
        origin.offset(),
        reason.text());
    metrics.deadLettered(origin.topic());
    to.forward(
        DeadLetter.of(record, origin, reason.text(), reason.cause(), to.currentSystemTimeMs()),
        deadLetters);
  }

  @Override
  public void close() {
    guarded.close();
  }
}
