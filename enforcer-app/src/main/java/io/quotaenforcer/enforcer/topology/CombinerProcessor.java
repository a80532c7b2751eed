package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.message.RequestEvent;
import io.quotaenforcer.core.message.RequestEvent.CountedBy;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import io.quotaenforcer.enforcer.store.Stores;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.WindowStore;
import org.jspecify.annotations.Nullable;

/**
 * Counts request events that nobody has counted, each once, and reports them to the ledger like an
 * instance that was granted nothing: with each commit, as nobody could read a report before. One
 * per partition of the request event topic.
 */
final class CombinerProcessor implements Processor<byte[], byte[], byte[], Object> {
  private static final long NANOS_PER_MICRO = 1_000L;
  private static final byte[] SEEN = {1};

  private final Wire wire;
  private final RuleBoard rules;
  private final TopologySettings settings;
  private final EnforcerMetrics metrics;
  private final BeforeCommit beforeCommit;
  private @Nullable ProcessorContext<byte[], Object> context;
  private @Nullable WindowStore<Bytes, byte[]> seenIds;
  private @Nullable CombinerStore store;
  private CountedEvents counted = new CountedEvents();

  CombinerProcessor(
      Wire wire,
      RuleBoard rules,
      TopologySettings settings,
      EnforcerMetrics metrics,
      BeforeCommit beforeCommit) {
    this.beforeCommit = beforeCommit;
    this.wire = wire;
    this.rules = rules;
    this.settings = settings;
    this.metrics = metrics;
  }

  @Override
  public void init(ProcessorContext<byte[], Object> processorContext) {
    context = processorContext;
    seenIds = processorContext.getStateStore(Stores.EVENT_IDS);
    store = new CombinerStore(processorContext.getStateStore(Stores.COMBINER));
    counted = new CountedEvents();
    beforeCommit.begin(this, this::report);
  }

  @Override
  public void close() {
    beforeCommit.end(this);
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    RequestEvent event;
    try {
      event = wire.decodeEvent(record.value());
      checkTime(event);
    } catch (RuntimeException e) {
      putAside(record, "request event refused: " + e.getMessage());
      return;
    }
    if (event.countedBy() == CountedBy.CLIENT) {
      metrics.requestEvent("kept");
    } else if (isNew(event)) {
      metrics.requestEvent("counted");
      count(event);
    } else {
      metrics.requestEvent("repeated");
    }
  }

  private void checkTime(RequestEvent event) {
    long now = settings.epochNanos().getAsLong() / NANOS_PER_MICRO;
    long ahead = event.timeMicros() - now;
    if (ahead > micros(settings.eventFuture())) {
      throw new IllegalArgumentException(
          "must be at most %s ahead of the enforcer's clock: aheadMicros=%d"
              .formatted(settings.eventFuture(), ahead));
    }
    if (-ahead >= micros(settings.eventRetention())) {
      throw new IllegalArgumentException(
          "must be at most %s old, since older ids are not remembered: ageMicros=%d"
              .formatted(settings.eventRetention(), -ahead));
    }
  }

  /** Ids are remembered under the event's own time, which a repeated event has too. */
  private boolean isNew(RequestEvent event) {
    WindowStore<Bytes, byte[]> ids = Objects.requireNonNull(seenIds);
    Bytes id = Bytes.wrap(event.id().getBytes(StandardCharsets.UTF_8));
    long millis = event.timeMicros() / 1_000;
    if (ids.fetch(id, millis) != null) {
      return false;
    }
    ids.put(id, SEEN, millis);
    return true;
  }

  private void count(RequestEvent event) {
    long number = context().recordMetadata().orElseThrow().offset() + 1;
    for (RuleSet.Match match : rules.rules().match(event.request())) {
      if (counted.isEmpty()) {
        store().epoch(counted);
      }
      counted.add(match, event, number);
    }
  }

  private void report(BeforeCommit.Outlet transaction) {
    if (counted.isEmpty()) {
      return;
    }
    String instance = "combiner-" + context().taskId().partition();
    byte[] key = instance.getBytes(StandardCharsets.UTF_8);
    String topic = wire.topics().usageEvents().name();
    counted
        .take(instance, store().epoch(counted), settings.partitions())
        .forEach(
            (partition, reports) ->
                reports.forEach(
                    report -> transaction.send(topic, partition, key, wire.encode(report))));
  }

  private CombinerStore store() {
    return Objects.requireNonNull(store, "init was not called");
  }

  private void putAside(Record<byte[], byte[]> record, String reason) {
    metrics.deadLettered(wire.topics().requestEvents().name());
    RecordMetadata origin = context().recordMetadata().orElseThrow();
    Record<byte[], byte[]> letter = DeadLetter.of(record, origin, reason);
    context()
        .forward(
            new Record<byte[], Object>(
                letter.key(), letter.value(), letter.timestamp(), letter.headers()),
            EnforcerTopology.EVENT_DEAD_LETTERS);
  }

  private ProcessorContext<byte[], Object> context() {
    return Objects.requireNonNull(context, "init was not called");
  }

  private static long micros(Duration duration) {
    return duration.toNanos() / NANOS_PER_MICRO;
  }
}
