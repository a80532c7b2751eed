package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.InstanceLoads;
import io.quotaenforcer.core.adapt.LimitInForce;
import io.quotaenforcer.core.adapt.RuleAdaptation;
import io.quotaenforcer.core.message.LoadReport;
import io.quotaenforcer.core.rule.OwnLimits;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import io.quotaenforcer.enforcer.store.RegistryPatience;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Hears what instances say of their load, and decides once a second how much of the limits is in
 * force that follow it: in the task of partition 0, which alone has a partition of loads, for all
 * partitions. What was decided is known from the topic that it is written to.
 */
final class AdaptProcessor implements Processor<byte[], byte[], byte[], Object> {
  private static final Duration EVERY = Duration.ofSeconds(1);

  private static final long NANOS_PER_MILLI = 1_000_000L;

  /** Nobody is silent before the instances had time to be heard. */
  private static final long LISTENS_NANOS = InstanceLoads.FRESH_NANOS;

  private final Wire wire;
  private final RegistryPatience patience = new RegistryPatience();
  private final RuleBoard rules;
  private final int partitions;
  private final LongSupplier clock;
  private final EnforcerMetrics metrics;
  private final FailedRecords failed;
  private final ServiceLoads loads = new ServiceLoads();
  private final Map<RuleId, RuleAdaptation> adaptations = new HashMap<>();

  /** What this task has written last. */
  private final Map<RuleId, LimitInForce> said = new HashMap<>();

  private @Nullable ProcessorContext<byte[], Object> context;
  private @Nullable LimitsInForce known;
  private @Nullable Cancellable ticks;
  private long listensUntilNanos;

  AdaptProcessor(Workplace place) {
    this.wire = place.wire();
    this.rules = place.rules();
    this.partitions = place.settings().partitions();
    this.clock = place.settings().clock();
    this.metrics = place.metrics();
    this.failed = place.failed();
  }

  @Override
  public void init(ProcessorContext<byte[], Object> processorContext) {
    context = processorContext;
    if (processorContext.taskId().partition() != 0) {
      return;
    }
    adaptations.clear();
    said.clear();
    known = new LimitsInForce(processorContext, wire);
    listensUntilNanos = clock.getAsLong() + LISTENS_NANOS;
    ticks =
        failed.schedule(
            processorContext, EVERY, "decision on limits in force", timestamp -> decide());
  }

  @Override
  public void close() {
    if (ticks != null) {
      ticks.cancel();
      ticks = null;
      metrics.limitsInForce(Map.of());
    }
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    LoadReport report;
    try {
      report = patience.read(() -> wire.decodeLoad(record.value()));
    } catch (StreamsException e) {
      throw e;
    } catch (RuntimeException e) {
      metrics.deadLettered(wire.topics().load().name());
      context()
          .forward(
              DeadLetter.of(
                  record,
                  context().recordMetadata().orElseThrow(),
                  "unreadable load: " + e.getMessage(),
                  e,
                  context().currentSystemTimeMs()),
              EnforcerTopology.LOAD_DEAD_LETTERS);
      return;
    }
    // From when brokers took it in: one that was read late, as after an outage, is no news.
    loads.heard(report, Math.min(clock.getAsLong(), record.timestamp() * NANOS_PER_MILLI));
  }

  private void decide() {
    Map<RuleId, Rule> adapting =
        rules.rules().declared().stream()
            .filter(rule -> rule.adapt().isPresent() && !OwnLimits.areFollowed(rule))
            .collect(Collectors.toMap(Rule::id, rule -> rule));
    loads.follow(
        adapting.keySet().stream().map(RuleId::domain).collect(Collectors.toUnmodifiableSet()));
    adaptations.keySet().retainAll(adapting.keySet());
    said.keySet().retainAll(adapting.keySet());
    known().rules().stream()
        .filter(rule -> !adapting.containsKey(rule))
        .forEach(rule -> tell(rule, null));
    long now = clock.getAsLong();
    adapting.forEach((id, rule) -> decide(rule, now));
    metrics.limitsInForce(said);
  }

  private void decide(Rule rule, long now) {
    RuleId id = rule.id();
    RuleAdaptation before = adaptations.get(id);
    RuleAdaptation after;
    Optional<LimitInForce> last = Optional.ofNullable(said.get(id)).or(() -> known().of(id));
    if (before == null) {
      OptionalInt inForce = last.stream().mapToInt(LimitInForce::basisPoints).findFirst();
      after = RuleAdaptation.begin(rule.adapt().orElseThrow(), inForce, now);
    } else if (now < listensUntilNanos) {
      return;
    } else {
      after = before.next(rule.adapt().orElseThrow(), loads.of(id.domain(), now), now);
    }
    adaptations.put(id, after);
    LimitInForce inForce = after.inForce();
    if (last.filter(inForce::saysTheSame).isEmpty()) {
      tell(id, inForce);
      last = Optional.of(inForce);
    }
    said.put(id, last.get());
  }

  /** Tells every partition; null takes back what was said. */
  private void tell(RuleId rule, @Nullable LimitInForce inForce) {
    byte[] key = rule.toString().getBytes(StandardCharsets.UTF_8);
    byte[] value = inForce == null ? null : wire.encode(inForce);
    for (int partition = 0; partition < partitions; partition++) {
      context()
          .forward(
              new Record<byte[], Object>(
                  key, new Routed(partition, value), context().currentSystemTimeMs()),
              EnforcerTopology.LIMITS_SINK);
    }
  }

  private LimitsInForce known() {
    return Objects.requireNonNull(known, "init was not called");
  }

  private ProcessorContext<byte[], Object> context() {
    return Objects.requireNonNull(context, "init was not called");
  }
}
