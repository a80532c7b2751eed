package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.DeferralAnswer;
import io.quotaenforcer.core.message.DeferralInput;
import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import io.quotaenforcer.core.message.DeferralInput.Inquiry;
import io.quotaenforcer.core.message.DeferralInput.ReplyTo;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.enforcer.deferral.DeferralOutput;
import io.quotaenforcer.enforcer.deferral.DeferralQueues;
import io.quotaenforcer.enforcer.deferral.DeferralSettings;
import io.quotaenforcer.enforcer.deferral.IdleTick;
import io.quotaenforcer.enforcer.deferral.SnapshotInbox;
import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import io.quotaenforcer.enforcer.store.NeverEmpty;
import io.quotaenforcer.enforcer.store.RegistryPatience;
import io.quotaenforcer.enforcer.store.Stores;
import io.quotaenforcer.schemas.topic.Identity;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Objects;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.WindowStore;
import org.jspecify.annotations.Nullable;

/** Carries input to the queues of one partition, and their output. */
final class DeferralProcessor implements Processor<byte[], byte[], byte[], Object>, DeferralOutput {
  private static final Duration LOOK_AROUND_EVERY = Duration.ofSeconds(1);

  /** A replay is larger than its request, and must fit into a record, too. */
  private static final int MAX_INPUT_BYTES = Payload.MAX_BYTES + Payload.MAX_BYTES / 2;

  private final Wire wire;
  private final RegistryPatience patience = new RegistryPatience();
  private final RuleBoard rules;
  private final DeferralSettings settings;
  private final EnforcerMetrics metrics;
  private final SnapshotChannel channel;
  private final SnapshotInbox inbox;
  private final FailedRecords failed;
  private @Nullable ProcessorContext<byte[], Object> context;
  private @Nullable DeferralQueues queues;
  private @Nullable Cancellable care;
  private @Nullable Cancellable ticks;

  DeferralProcessor(Workplace place, SnapshotChannel channel, SnapshotInbox inbox) {
    this.wire = place.wire();
    this.rules = place.rules();
    this.settings = place.settings().deferral();
    this.metrics = place.metrics();
    this.failed = place.failed();
    this.channel = channel;
    this.inbox = inbox;
  }

  @Override
  public void init(ProcessorContext<byte[], Object> processorContext) {
    context = processorContext;
    WindowStore<Bytes, byte[]> deferredIds = processorContext.getStateStore(Stores.DEFERRED_IDS);
    NeverEmpty.keep(processorContext, deferredIds);
    queues =
        new DeferralQueues(
            wire,
            rules::rules,
            settings,
            new DeferralQueues.QueuePartition(
                partition(),
                new SecureRandom().nextLong(),
                processorContext.getStateStore(Stores.DEFERRAL),
                processorContext.getStateStore(Stores.DEFERRED_REQUESTS),
                deferredIds),
            inbox,
            this);
    care =
        failed.schedule(
            processorContext,
            LOOK_AROUND_EVERY,
            "care of deferred requests",
            timestamp -> lookAround());
  }

  @Override
  public void close() {
    if (queues != null) {
      metrics.forgetDeferred(partition());
      queues.close();
      queues = null;
    }
    // A task that is revived keeps its timers.
    if (care != null) {
      care.cancel();
      care = null;
    }
    if (ticks != null) {
      ticks.cancel();
      ticks = null;
    }
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    DeferralInput input;
    try {
      checkSize(record.value());
      input = patience.read(() -> wire.decodeDeferralInput(record.value()));
      check(input);
    } catch (StreamsException e) {
      throw e;
    } catch (RuntimeException e) {
      putAside(record, "deferral refused: " + e.getMessage(), e);
      return;
    }
    boolean redriven = record.headers().lastHeader(Topics.REDRIVEN_FROM) != null;
    queues().take(input, record.value(), redriven);
    tickWhileBusy();
  }

  private static void checkSize(byte[] value) {
    if (value != null && value.length > MAX_INPUT_BYTES) {
      throw new IllegalArgumentException(
          "must have at most %d bytes with attributes and headers: it has %d"
              .formatted(MAX_INPUT_BYTES, value.length));
    }
  }

  private void check(DeferralInput input) {
    if (input instanceof Inquiry inquiry) {
      check(inquiry.replyTo());
    } else if (input instanceof DeferredRequest request) {
      check(request.replyTo());
      int size = request.payload().size();
      if (size > Payload.MAX_BYTES) {
        throw new IllegalArgumentException(
            "payload must have at most %d bytes: it has %d".formatted(Payload.MAX_BYTES, size));
      }
      QuotaKey key = request.quotaKey();
      if (key.partition(settings.fleet().partitions()) != partition()) {
        throw new IllegalArgumentException(
            "must be written to partition " + key.partition(settings.fleet().partitions()));
      }
    }
  }

  /** Ids that begin with # are reserved, and get other answers. */
  private static void check(ReplyTo replyTo) {
    HolderId sender = HolderId.of(replyTo.instance());
    boolean ours = sender instanceof HolderId.Replays || sender instanceof HolderId.Reserved;
    if (ours || sender.text().length() > HolderId.Instance.MAX_CHARS) {
      throw new IllegalArgumentException(
          "must be told to an instance whose id has at most %d characters and does not begin with #"
              .formatted(HolderId.Instance.MAX_CHARS));
    }
  }

  /**
   * Ticks are frequent only while there is work: each makes the thread commit, even if nothing
   * happens.
   */
  private void tickWhileBusy() {
    if (ticks == null && queues().isBusy()) {
      ticks =
          failed.schedule(
              context(),
              settings.pace().tick(),
              "release of deferred requests",
              timestamp -> {
                queues().tick();
                if (!queues().isBusy()) {
                  Objects.requireNonNull(ticks).cancel();
                  ticks = null;
                }
              });
    }
  }

  private void lookAround() {
    IdleTick event = new IdleTick(partition());
    event.begin();
    boolean idle = ticks == null;
    if (idle) {
      queues().tick();
    }
    queues().lookAround();
    metrics.deferred(partition(), queues().waitingByRule(), queues().oldestMillis());
    if (idle && !queues().isBusy()) {
      event.commit();
    }
    tickWhileBusy();
  }

  @Override
  public void release(Replay replay) {
    metrics.released(replay.quotaKey().rule());
    forward(
        replay.quotaKey().toString(),
        new Routed(partition(), wire.encode(replay)),
        EnforcerTopology.REPLAYS_SINK);
  }

  @Override
  public void report(UsageReport report) {
    forward(
        report.instance(),
        new Routed(partition(), wire.encode(report)),
        EnforcerTopology.REPLAY_USAGE_SINK);
  }

  @Override
  public void deadLetter(String id, String quotaKey, byte[] request, String reason) {
    metrics.deadLettered(wire.topics().deferred().name());
    Headers headers = new RecordHeaders();
    DeadLetter.describe(headers, wire.topics().deferred().name(), partition(), reason);
    DeadLetter.add(headers, "deferred-id", id);
    context()
        .forward(
            new Record<byte[], Object>(
                bytes(quotaKey), request, context().currentSystemTimeMs(), headers),
            EnforcerTopology.DEFERRAL_DEAD_LETTERS);
  }

  @Override
  public void answer(ReplyTo to, DeferralAnswer answer) {
    channel.send(
        Math.floorMod(to.partition(), settings.fleet().partitions()),
        Identity.snapshotKey(to.instance(), to.epoch()),
        wire.encode(answer));
  }

  @Override
  public long commits() {
    return channel.commits();
  }

  private void putAside(Record<byte[], byte[]> record, String reason, Exception cause) {
    metrics.deadLettered(wire.topics().deferred().name());
    RecordMetadata origin = context().recordMetadata().orElseThrow();
    long now = context().currentSystemTimeMs();
    context()
        .forward(
            DeadLetter.of(record, origin, reason, cause, now),
            EnforcerTopology.DEFERRAL_DEAD_LETTERS);
  }

  private void forward(String key, Object value, String to) {
    context().forward(new Record<>(bytes(key), value, context().currentSystemTimeMs()), to);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private int partition() {
    return context().taskId().partition();
  }

  private ProcessorContext<byte[], Object> context() {
    return Objects.requireNonNull(context, "init was not called");
  }

  private DeferralQueues queues() {
    return Objects.requireNonNull(queues, "init was not called");
  }
}
