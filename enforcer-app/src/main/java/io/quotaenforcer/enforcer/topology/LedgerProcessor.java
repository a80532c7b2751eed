package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.client.kafka.Identity;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.Ledger;
import io.quotaenforcer.core.ledger.LedgerOutcome;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Carries usage reports to the ledger, and its answers to the instances. One per partition of the
 * usage topics.
 */
final class LedgerProcessor implements Processor<byte[], byte[], byte[], Object> {
  private static final Duration TIDY_EVERY = Duration.ofSeconds(1);

  private final Wire wire;
  private final RuleBoard rules;
  private final TopologySettings settings;
  private final EnforcerMetrics metrics;
  private final Ledger ledger;
  private @Nullable ProcessorContext<byte[], Object> context;
  private @Nullable LedgerStores stores;

  LedgerProcessor(Wire wire, RuleBoard rules, TopologySettings settings, EnforcerMetrics metrics) {
    this.wire = wire;
    this.rules = rules;
    this.settings = settings;
    this.metrics = metrics;
    this.ledger = new Ledger(settings.ledger());
  }

  @Override
  public void init(ProcessorContext<byte[], Object> processorContext) {
    context = processorContext;
    LedgerStores opened = new LedgerStores(processorContext, settings);
    stores = opened;
    processorContext.schedule(
        TIDY_EVERY, PunctuationType.WALL_CLOCK_TIME, timestamp -> opened.tidy());
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    UsageReport report;
    try {
      report = wire.decodeReport(record.value());
    } catch (RuntimeException e) {
      putAside(record, "unreadable usage report: " + e.getMessage());
      return;
    }
    long now = stores().now();
    List<QuotaAnswer> answers = new ArrayList<>(report.quotas().size());
    List<String> refused = new ArrayList<>();
    for (QuotaUsage usage : report.quotas()) {
      try {
        apply(report, usage, now).ifPresent(answers::add);
      } catch (IllegalArgumentException e) {
        refused.add(usage.quotaKey() + ": " + e.getMessage());
      }
    }
    metrics.reportApplied(report.quotas().size() - refused.size());
    if (!refused.isEmpty()) {
      putAside(record, "invalid usage of " + String.join("; ", refused));
    }
    if (report.replyPartition() >= 0) {
      answer(report, answers, now, record.timestamp());
    }
  }

  private Optional<QuotaAnswer> apply(UsageReport report, QuotaUsage usage, long now) {
    QuotaKey key = usage.quotaKey();
    if (key.partition(settings.partitions()) != partition()) {
      throw new IllegalArgumentException(
          "must be reported to partition " + key.partition(settings.partitions()));
    }
    Optional<KeyLedger> known = stores().ledger(key);
    Optional<Rule> inForce = rules.rules().rule(key.rule());
    if (inForce.isEmpty() && known.isEmpty()) {
      throw new IllegalArgumentException("no such rule: " + key.rule());
    }
    Rule rule = inForce.orElseGet(() -> deleted(key, known.orElseThrow()));
    long generationSince = rules.generationSinceNanos(rule);
    KeyLedger before =
        known.orElseGet(() -> ledger.open(rule, rule.limitOf(key), generationSince, now));
    LedgerOutcome outcome =
        ledger.apply(
            before,
            rule,
            report,
            inForce.isPresent() ? usage : withoutDemand(usage),
            generationSince,
            now);
    stores().write(key, outcome.ledger(), known.isEmpty());
    stores().add(key, outcome.counts());
    metrics.counted(key.rule(), outcome.counts());
    announce(key, outcome);
    return outcome.answer();
  }

  /** What is still reported under a rule that is gone is booked under what it last said. */
  private static Rule deleted(QuotaKey key, KeyLedger known) {
    return Rule.of(key.rule(), List.of(), known.limit())
        .withVersion(known.generation(), known.generation());
  }

  private static QuotaUsage withoutDemand(QuotaUsage usage) {
    List<CellUsage> cells = usage.cells();
    return new QuotaUsage(usage.quotaKey(), usage.generation(), 0, 0, cells);
  }

  private void announce(QuotaKey key, LedgerOutcome outcome) {
    OptionalLong until = outcome.exhaustedUntil();
    if (until.isPresent()) {
      byte[] value =
          wire.encode(new ExhaustedQuota(outcome.ledger().generation(), until.getAsLong()));
      context()
          .forward(
              new Record<byte[], Object>(
                  key.toString().getBytes(StandardCharsets.UTF_8),
                  value,
                  context().currentSystemTimeMs()),
              EnforcerTopology.EXHAUSTED_SINK);
    }
  }

  private void answer(UsageReport report, List<QuotaAnswer> answers, long now, long timestamp) {
    QuotaSnapshot snapshot =
        new QuotaSnapshot(
            report.instance(), report.epoch(), partition(), report.sentNanos(), now, answers);
    context()
        .forward(
            new Record<byte[], Object>(
                Identity.snapshotKey(report.instance(), report.epoch()),
                new Routed(report.replyPartition(), wire.encode(snapshot)),
                timestamp),
            EnforcerTopology.SNAPSHOT_SINK);
  }

  private void putAside(Record<byte[], byte[]> record, String reason) {
    metrics.deadLettered(wire.topics().usage().name());
    RecordMetadata origin = context().recordMetadata().orElseThrow();
    Record<byte[], byte[]> letter = DeadLetter.of(record, origin, reason);
    context()
        .forward(
            new Record<byte[], Object>(
                letter.key(), letter.value(), letter.timestamp(), letter.headers()),
            EnforcerTopology.DEAD_LETTER_SINK);
  }

  private int partition() {
    TaskId task = context().taskId();
    return task.partition();
  }

  private ProcessorContext<byte[], Object> context() {
    return Objects.requireNonNull(context, "init was not called");
  }

  private LedgerStores stores() {
    return Objects.requireNonNull(stores, "init was not called");
  }
}
