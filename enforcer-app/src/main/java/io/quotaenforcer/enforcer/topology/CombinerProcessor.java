package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.message.RequestEvent;
import io.quotaenforcer.core.message.RequestEvent.CountedBy;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import io.quotaenforcer.enforcer.store.NeverEmpty;
import io.quotaenforcer.enforcer.store.RegistryPatience;
import io.quotaenforcer.enforcer.store.Stores;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.errors.StreamsException;
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
  private static final long NANOS_PER_MILLI = 1_000_000L;

  private final Wire wire;
  private final RegistryPatience patience = new RegistryPatience();
  private final RuleBoard rules;
  private final TopologySettings settings;
  private final EnforcerMetrics metrics;
  private final UnsureEvents unsure;
  private final BeforeCommit beforeCommit;
  private @Nullable ProcessorContext<byte[], Object> context;
  private @Nullable EventIds ids;
  private @Nullable CombinerStore store;
  private CountedEvents counted = new CountedEvents();

  CombinerProcessor(Workplace place, UnsureEvents unsure, BeforeCommit beforeCommit) {
    this.beforeCommit = beforeCommit;
    this.wire = place.wire();
    this.rules = place.rules();
    this.settings = place.settings();
    this.metrics = place.metrics();
    this.unsure = unsure;
  }

  @Override
  public void init(ProcessorContext<byte[], Object> processorContext) {
    context = processorContext;
    WindowStore<Bytes, byte[]> seen = processorContext.getStateStore(Stores.EVENT_IDS);
    CombinerStore opened =
        new CombinerStore(
            processorContext.getStateStore(Stores.COMBINER), () -> singlyUntilMillis(seen));
    store = opened;
    ids =
        new EventIds(
            seen, this::epochMillis, settings.events().retention(), opened.singlyUntilMillis());
    counted = new CountedEvents();
    beforeCommit.begin(this, this::report);
    NeverEmpty.keep(processorContext, seen);
  }

  @Override
  public void close() {
    beforeCommit.end(this);
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    RequestEvent event;
    try {
      event = patience.read(() -> wire.decodeEvent(record.value()));
      checkTime(event);
    } catch (StreamsException e) {
      throw e;
    } catch (RuntimeException e) {
      putAside(record, "request event refused: " + e.getMessage(), e);
      return;
    }
    if (event.countedBy() == CountedBy.CLIENT) {
      metrics.requestEvent("kept");
      return;
    }
    store().begin(counted);
    if (isNew(event)) {
      metrics.requestEvent("counted");
      count(event, record);
    } else {
      metrics.requestEvent("repeated");
    }
  }

  private void checkTime(RequestEvent event) {
    long now = settings.clock().getAsLong() / NANOS_PER_MICRO;
    long ahead = event.timeMicros() - now;
    if (ahead > micros(settings.events().future())) {
      throw new IllegalArgumentException(
          "must be at most %s ahead of the enforcer's clock: aheadMicros=%d"
              .formatted(settings.events().future(), ahead));
    }
    if (ahead <= -micros(settings.events().retention())) {
      throw new IllegalArgumentException(
          "must be at most %s old, since older ids are not remembered: ageMicros=%d"
              .formatted(settings.events().retention(), -ahead));
    }
  }

  private boolean isNew(RequestEvent event) {
    return Objects.requireNonNull(ids).isNew(event.id(), event.timeMicros() / 1_000);
  }

  /** An older enforcer that saw any ids may have seen those of every event until now. */
  private long singlyUntilMillis(WindowStore<Bytes, byte[]> seen) {
    long latest = epochMillis() + settings.events().future().plus(EventIds.LONGER).toMillis();
    return NeverEmpty.isUnused(seen) ? Long.MIN_VALUE : latest;
  }

  private long epochMillis() {
    return settings.clock().getAsLong() / NANOS_PER_MILLI;
  }

  private void count(RequestEvent event, Record<byte[], byte[]> record) {
    long number = context().recordMetadata().orElseThrow().offset() + 1;
    EventsInTheClear clear = new EventsInTheClear(unsure);
    for (RuleSet.Match match : rules.rules().match(event.request(), clear)) {
      if (match.rule().count().counts(event.request().attributes())) {
        counted.add(match, event, number);
      }
    }
    clear.reason().ifPresent(reason -> putAsideWithout(clear, event, record, reason));
  }

  /** A rule that hashes could not count it; what others counted stays counted. */
  private void putAsideWithout(
      EventsInTheClear clear, RequestEvent event, Record<byte[], byte[]> record, String reason) {
    putAside(
        record.withValue(wire.encode(clear.without(event))),
        reason,
        new IllegalArgumentException(reason));
  }

  private void report(BeforeCommit.Outlet transaction) {
    Objects.requireNonNull(ids).write();
    if (counted.isEmpty()) {
      return;
    }
    HolderId.Combiner combiner = HolderId.Combiner.of(context().taskId().partition());
    byte[] key = combiner.text().getBytes(StandardCharsets.UTF_8);
    String topic = wire.topics().usageEvents().name();
    counted
        .take(combiner, store().epoch(), settings.partitions())
        .forEach(
            (partition, reports) ->
                reports.forEach(
                    report -> transaction.send(topic, partition, key, wire.encode(report))));
  }

  private CombinerStore store() {
    return Objects.requireNonNull(store, "init was not called");
  }

  private void putAside(Record<byte[], byte[]> record, String reason, Exception cause) {
    metrics.deadLettered(wire.topics().requestEvents().name());
    RecordMetadata origin = context().recordMetadata().orElseThrow();
    long now = context().currentSystemTimeMs();
    context()
        .forward(
            DeadLetter.of(record, origin, reason, cause, now), EnforcerTopology.EVENT_DEAD_LETTERS);
  }

  private ProcessorContext<byte[], Object> context() {
    return Objects.requireNonNull(context, "init was not called");
  }

  private static long micros(Duration duration) {
    return duration.toNanos() / NANOS_PER_MICRO;
  }
}
