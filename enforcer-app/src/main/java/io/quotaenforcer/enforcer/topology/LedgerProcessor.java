package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.ledger.Ledger;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.enforcer.activity.PartitionRecorder;
import io.quotaenforcer.enforcer.metrics.LoopMetrics.RefusedReport;
import io.quotaenforcer.enforcer.store.RegistryPatience;
import io.quotaenforcer.schemas.topic.Topic;
import io.quotaenforcer.schemas.topic.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Carries usage reports to the ledger, and its answers to the instances; and tells them of limits
 * that change by data or by the load. One per partition of the usage topics.
 */
final class LedgerProcessor implements Processor<byte[], byte[], byte[], Object> {
  private static final Duration TIDY_EVERY = Duration.ofSeconds(1);
  private static final Duration RETRY_EVERY = Duration.ofMillis(2);

  private final Workplace place;
  private final RegistryPatience patience = new RegistryPatience();
  private final SnapshotChannel channel;
  private final HandOver handOver;
  private final BeforeCommit beforeCommit;
  private final Ledger ledger;
  private final WaitingReports waiting = new WaitingReports();
  private final CountedPermits counted;
  private final AnnouncementPace announcements = new AnnouncementPace();
  private final KeysInUse keysInUse = new KeysInUse();
  private final LimitNews limitNews;
  private @Nullable Turn turn;
  private @Nullable Cancellable tidying;
  private @Nullable Cancellable retries;
  private long commitOfNewestReport = -1;
  private boolean ended;

  LedgerProcessor(
      Workplace place, SnapshotChannel channel, HandOver handOver, BeforeCommit beforeCommit) {
    this.place = place;
    this.beforeCommit = beforeCommit;
    this.counted = new CountedPermits(place.metrics());
    this.channel = channel;
    this.handOver = handOver;
    this.ledger = new Ledger(place.settings().ledger());
    this.limitNews = new LimitNews((key, news) -> turn().replies.announce(key, news));
  }

  /** The partition's tools, from {@link #init} on. */
  private record Turn(
      ProcessorContext<byte[], Object> context,
      LedgerStores stores,
      LedgerReplies replies,
      KeyLimits limits,
      PartitionRecorder activity,
      ReportWork work) {}

  @Override
  public void init(ProcessorContext<byte[], Object> context) {
    LedgerStores stores = new LedgerStores(context, place.settings());
    LedgerReplies replies =
        new LedgerReplies(
            context, place.wire(), place.settings(), place.metrics(), channel, handOver);
    KeyLimits limits = new KeyLimits(place, context, ledger, stores, replies, keysInUse, limitNews);
    beforeCommit.begin(
        this,
        new BeforeCommit.Work() {
          @Override
          public void finish(BeforeCommit.Outlet transaction) {
            stores.finish();
          }

          @Override
          public void finishLast() {
            stores.finishTime(channel.commits(), channel.transactionNanos());
          }
        });
    tidying =
        place
            .failed()
            .schedule(
                context,
                TIDY_EVERY,
                "deletion of old rows",
                timestamp -> {
                  stores.tidy();
                  limitNews.tellWaiting(stores.now());
                });
    ended = false;
    commitOfNewestReport = -1;
    int partition = context.taskId().partition();
    PartitionRecorder activity =
        place.activity().begin(partition, place.settings().clock().getAsLong());
    ReportWork work =
        new ReportWork(
            place,
            partition,
            channel,
            handOver,
            new ReportWork.Tools(ledger, stores, replies, limits, activity),
            new ReportWork.Lasting(waiting, counted, announcements));
    turn = new Turn(context, stores, replies, limits, activity, work);
    handOver.begin(usagePartition(partition), this::tryEnd, stores.standsStillUntil());
    place.metrics().state().takenOver();
  }

  /** May be followed by another {@link #init} if the partition stays here after all. */
  @Override
  public void close() {
    beforeCommit.end(this);
    counted.waiting(0);
    Turn ending = turn;
    if (ending != null) {
      int partition = ending.context.taskId().partition();
      handOver.forget(usagePartition(partition));
      place.activity().end(partition, ending.activity);
      turn = null;
    }
    // A task that is revived keeps its timers.
    if (tidying != null) {
      tidying.cancel();
      tidying = null;
    }
    if (retries != null) {
      retries.cancel();
      retries = null;
    }
  }

  /**
   * Tells a successor that everything is recorded, unless nothing was read since the last commit:
   * then there may be no further commit, and this would be committed when the partition is no
   * longer this enforcer's.
   */
  private boolean tryEnd() {
    if (!ended && commitOfNewestReport == channel.commits()) {
      turn().stores.handOver();
      ended = true;
    }
    return ended;
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    commitOfNewestReport = channel.commits();
    Topics topics = place.wire().topics();
    if (isOf(topics.entitlements())) {
      turn().limits.changedByData(record);
    } else if (isOf(topics.limitsInForce())) {
      turn().limits.changedByLoad(record);
    } else {
      turn().work.applyWaiting();
      report(record);
    }
  }

  private void report(Record<byte[], byte[]> record) {
    UsageReport report;
    try {
      report = patience.read(() -> place.wire().decodeReport(record.value()));
    } catch (StreamsException e) {
      throw e;
    } catch (RuntimeException e) {
      place.metrics().loop().refused(RefusedReport.UNREADABLE);
      turn().replies.putAside(record, "unreadable usage report: " + e.getMessage(), e);
      return;
    }
    if (isForged(report)) {
      String reason =
          "instance must not begin with %s: it is %s"
              .formatted(HolderId.Replays.PREFIX, report.holder().text());
      place.metrics().loop().refused(RefusedReport.FORGED);
      turn().replies.putAside(record, reason, new IllegalArgumentException(reason));
      return;
    }
    if (report.holder().equals(HolderId.Reserved.OPERATOR) && isOfOurTopic()) {
      turn().work.lift(report);
      return;
    }
    if (report.loopNanos() > 0) {
      place.metrics().loop().loop(report.loopNanos());
    }
    apply(record, report);
    retryWhileWaiting();
  }

  private void apply(Record<byte[], byte[]> record, UsageReport report) {
    List<ReportWork.Refused> refused = turn().work.apply(report, isOfCombiner(report));
    turn().activity.heard(report, place.settings().clock().getAsLong());
    counted.waiting(waiting.size());
    place.metrics().reportApplied(report.quotas().size() - refused.size());
    if (!refused.isEmpty()) {
      String all =
          refused.stream().map(ReportWork.Refused::toString).collect(Collectors.joining("; "));
      turn().replies.putAside(record, "invalid usage of " + all, refused.get(0).why());
    }
  }

  /**
   * Queues of deferred requests, which have a share of the limit, report through a topic of ours.
   */
  private boolean isForged(UsageReport report) {
    return report.holder() instanceof HolderId.Replays && !isOfOurTopic();
  }

  /** Reports of a combiner are written, and read, exactly once. */
  private boolean isOfCombiner(UsageReport report) {
    return report.holder() instanceof HolderId.Combiner && isOfOurTopic();
  }

  private boolean isOfOurTopic() {
    return isOf(place.wire().topics().usageEvents());
  }

  private boolean isOf(Topic<?, ?> topic) {
    return turn().context.recordMetadata().orElseThrow().topic().equals(topic.name());
  }

  /** Checks for a commit when no report comes; a permanent timer would itself cause commits. */
  private void retryWhileWaiting() {
    if (retries == null && !waiting.isEmpty()) {
      retries =
          place
              .failed()
              .schedule(
                  turn().context, RETRY_EVERY, "answers after a commit", timestamp -> retry());
    }
  }

  private void retry() {
    turn().work.applyWaiting();
    keepTime();
    if (waiting.areUrgent() && channel.isCommitDue()) {
      turn().context.commit();
    }
    if (waiting.isEmpty()) {
      Objects.requireNonNull(retries).cancel();
      retries = null;
    }
  }

  /** Makes the next commit keep the time even if nothing else was read before it. */
  private void keepTime() {
    if (!ended) {
      turn().stores.now();
      turn().stores.writeTime(channel.commits());
    }
  }

  private TopicPartition usagePartition(int partition) {
    return new TopicPartition(place.wire().topics().usage().name(), partition);
  }

  private Turn turn() {
    return Objects.requireNonNull(turn, "init was not called");
  }
}
