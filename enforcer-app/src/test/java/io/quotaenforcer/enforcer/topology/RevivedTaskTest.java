package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quotaenforcer.core.ledger.LedgerSettings;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.activity.ActivityBoard;
import io.quotaenforcer.enforcer.deferral.OpenBox;
import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import io.quotaenforcer.enforcer.store.MemoryStores;
import io.quotaenforcer.enforcer.store.Stores;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topic;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A task whose partition stays here after all is revived, with the timers that it had: those of the
 * turn before must have ended with it, or its work would be done twice as often from then on.
 */
class RevivedTaskTest {
  private static final long NANOS_PER_MILLI = 1_000_000L;
  private static final long NOW = TopologyFixture.START.toEpochMilli() * NANOS_PER_MILLI;

  /** Of work that is done once, soon after the begin. */
  private static final Duration ONCE = Duration.ofMillis(50);

  private final Wire wire = Wire.of(Topics.under("quota.", 1, Codecs.withoutRegistry()));
  private final RuleBoard rules = new RuleBoard();
  private final EnforcerMetrics metrics = new EnforcerMetrics(new SimpleMeterRegistry());
  private final FailedRecords failed = new FailedRecords();
  private final MockProcessorContext<byte[], Object> context = new MockProcessorContext<>();
  private final Workplace place =
      new Workplace(
          wire,
          rules,
          TopologySettings.defaults(1, LedgerSettings.defaults(10), () -> NOW),
          metrics,
          failed,
          new ActivityBoard());

  /** Nothing is committed, so that no answer may leave. */
  private static final class NoCommits implements SnapshotChannel {
    @Override
    public long commits() {
      return 0;
    }

    @Override
    public long transactionNanos() {
      return 0;
    }

    @Override
    public boolean isCommitDue() {
      return false;
    }

    @Override
    public void send(int partition, byte[] key, byte[] value) {}
  }

  @BeforeEach
  void open() {
    rules.post(RuleSet.of(List.of(DeferralSamples.RULE)));
    MemoryStores stores = new MemoryStores(context);
    List.of(
            Stores.LEDGER,
            Stores.ENTITLEMENTS,
            Stores.LIMITS_IN_FORCE,
            Stores.DEFERRAL,
            Stores.DEFERRED_REQUESTS)
        .forEach(stores::keyValue);
    stores.ids(Stores.DEFERRED_IDS);
  }

  private List<CapturedPunctuator> timers() {
    return context.scheduledPunctuators().stream().filter(timer -> !timer.cancelled()).toList();
  }

  private void reads(
      Processor<byte[], byte[], byte[], Object> processor, Topic<?, ?> topic, byte[] value) {
    context.setRecordMetadata(topic.name(), 0, 0);
    processor.process(new Record<>(new byte[] {1}, value, 0));
  }

  /** It has work for all its timers. */
  private void begins(Processor<byte[], byte[], byte[], Object> processor, Runnable work) {
    processor.init(context);
    timers().stream()
        .filter(timer -> timer.getInterval().equals(ONCE))
        .forEach(timer -> timer.getPunctuator().punctuate(NOW / NANOS_PER_MILLI));
    work.run();
  }

  private void assertTimersEndWithTheTurn(
      Processor<byte[], byte[], byte[], Object> bare, int expected, WorkOf work) {
    Processor<byte[], byte[], byte[], Object> processor =
        new GuardedProcessor(bare, failed, metrics, EnforcerTopology.REPORT_DEAD_LETTERS);
    begins(processor, () -> work.give(processor));
    assertThat(timers()).hasSize(expected);

    processor.close();
    assertThat(timers()).as("between two turns").isEmpty();

    begins(processor, () -> work.give(processor));
    assertThat(timers()).as("of the next turn").hasSize(expected);
    processor.close();
  }

  @FunctionalInterface
  private interface WorkOf {
    void give(Processor<byte[], byte[], byte[], Object> processor);
  }

  @Test
  void ledger_tidiesAndRetries_once() {
    QuotaUsage usage = new QuotaUsage(DeferralSamples.KEY, 1, 10, 0, List.of());
    byte[] report = wire.encode(new UsageReport("a", 1, NOW, 0, 0, List.of(usage)));

    assertTimersEndWithTheTurn(
        new LedgerProcessor(
            place, new NoCommits(), new HandOver(wire.topics().usage().name()), new BeforeCommit()),
        2,
        processor -> reads(processor, wire.topics().usage(), report));
  }

  @Test
  void queues_areCaredForAndReleased_once() {
    byte[] request = wire.encode(DeferralSamples.request("r"));

    assertTimersEndWithTheTurn(
        new DeferralProcessor(place, new NoCommits(), new OpenBox()),
        2,
        processor -> reads(processor, wire.topics().deferred(), request));
  }

  @Test
  void limitsByLoad_areDecided_once() {
    assertTimersEndWithTheTurn(new AdaptProcessor(place), 1, processor -> {});
  }
}
