package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.Ledger;
import io.quotaenforcer.core.ledger.LedgerOutcome;
import io.quotaenforcer.core.ledger.Tenure;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.activity.ActivityBoard;
import io.quotaenforcer.enforcer.activity.PartitionRecorder;
import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import io.quotaenforcer.enforcer.metrics.LoopMetrics.RefusedReport;
import io.quotaenforcer.enforcer.store.RegistryPatience;
import io.quotaenforcer.schemas.topic.Topic;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.TaskId;
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

  private final Wire wire;
  private final RegistryPatience patience = new RegistryPatience();
  private final RuleBoard rules;
  private final TopologySettings settings;
  private final EnforcerMetrics metrics;
  private final SnapshotChannel channel;
  private final HandOver handOver;
  private final BeforeCommit beforeCommit;
  private final FailedRecords failed;
  private final ActivityBoard board;
  private final Ledger ledger;
  private final AnnouncementPace announcements = new AnnouncementPace();
  private final CountedPermits counted;
  private final WaitingReports waiting = new WaitingReports();
  private final LimitNews limitNews = new LimitNews((key, news) -> replies().announce(key, news));
  private @Nullable ProcessorContext<byte[], Object> context;
  private @Nullable LedgerStores stores;
  private @Nullable LedgerReplies replies;
  private final KeysInUse keysInUse = new KeysInUse();
  private @Nullable EntitlementStore entitlements;
  private @Nullable LimitsInForce limitsInForce;
  private @Nullable PartitionRecorder activity;
  private @Nullable Cancellable retries;
  private long commitOfNewestReport = -1;
  private boolean ended;

  LedgerProcessor(
      Workplace place, SnapshotChannel channel, HandOver handOver, BeforeCommit beforeCommit) {
    this.beforeCommit = beforeCommit;
    this.failed = place.failed();
    this.wire = place.wire();
    this.rules = place.rules();
    this.settings = place.settings();
    this.metrics = place.metrics();
    this.board = place.activity();
    this.counted = new CountedPermits(metrics);
    this.channel = channel;
    this.handOver = handOver;
    this.ledger = new Ledger(settings.ledger());
  }

  @Override
  public void init(ProcessorContext<byte[], Object> processorContext) {
    context = processorContext;
    LedgerStores opened = new LedgerStores(processorContext, settings);
    stores = opened;
    replies = new LedgerReplies(processorContext, wire, settings, metrics, channel, handOver);
    entitlements = new EntitlementStore(processorContext, wire, settings.partitions());
    limitsInForce = new LimitsInForce(processorContext, wire);
    beforeCommit.begin(
        this,
        new BeforeCommit.Work() {
          @Override
          public void finish(BeforeCommit.Outlet transaction) {
            opened.finish();
          }

          @Override
          public void finishLast() {
            opened.finishTime(channel.commits(), channel.transactionNanos());
          }
        });
    failed.schedule(
        processorContext,
        TIDY_EVERY,
        "deletion of old rows",
        timestamp -> {
          opened.tidy();
          limitNews.tellWaiting(opened.now());
        });
    ended = false;
    commitOfNewestReport = -1;
    handOver.begin(usagePartition(), this::tryEnd, opened.standsStillUntil());
    activity = board.begin(partition(), settings.clock().getAsLong());
    metrics.state().takenOver();
  }

  /** May be followed by another {@link #init} if the partition stays here after all. */
  @Override
  public void close() {
    beforeCommit.end(this);
    counted.waiting(0);
    if (context != null) {
      handOver.forget(usagePartition());
    }
    PartitionRecorder recorded = activity;
    if (recorded != null) {
      board.end(partition(), recorded);
      activity = null;
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
      stores().handOver();
      ended = true;
    }
    return ended;
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    commitOfNewestReport = channel.commits();
    if (isOf(wire.topics().entitlements())) {
      limitChanged(record);
      return;
    }
    if (isOf(wire.topics().limitsInForce())) {
      limitsChanged(record);
      return;
    }
    applyWaiting();
    UsageReport report;
    try {
      report = patience.read(() -> wire.decodeReport(record.value()));
    } catch (StreamsException e) {
      throw e;
    } catch (RuntimeException e) {
      metrics.loop().refused(RefusedReport.UNREADABLE);
      replies().putAside(record, "unreadable usage report: " + e.getMessage(), e);
      return;
    }
    if (isForged(report)) {
      String reason =
          "instance must not begin with %s: it is %s"
              .formatted(HolderId.Replays.PREFIX, report.holder().text());
      metrics.loop().refused(RefusedReport.FORGED);
      replies().putAside(record, reason, new IllegalArgumentException(reason));
      return;
    }
    if (report.holder().equals(HolderId.Reserved.OPERATOR) && isOfOurTopic()) {
      lift(report);
      return;
    }
    if (report.loopNanos() > 0) {
      metrics.loop().loop(report.loopNanos());
    }
    List<Refused> refused = apply(report, isOfCombiner(report));
    activity().heard(report, settings.clock().getAsLong());
    counted.waiting(waiting.size());
    metrics.reportApplied(report.quotas().size() - refused.size());
    if (!refused.isEmpty()) {
      String all = refused.stream().map(Refused::toString).collect(Collectors.joining("; "));
      replies().putAside(record, "invalid usage of " + all, refused.get(0).why());
    }
    retryWhileWaiting();
  }

  /** Ends the penalties of the quota keys that an operator names. */
  private void lift(UsageReport report) {
    long now = stores().now();
    long commit = channel.commits();
    stores().writeTime(commit);
    for (QuotaUsage usage : report.quotas()) {
      QuotaKey key = usage.quotaKey();
      Optional<Rule> rule = rules.rules().rule(key.rule());
      boolean isHere = key.partition(settings.partitions()) == partition();
      Optional<KeyLedger> known =
          isHere && rule.isPresent() ? stores().ledger(key) : Optional.empty();
      if (known.isPresent()) {
        Limit limit = entitlements().limitOf(rule.get(), key);
        LedgerOutcome outcome = ledger.lift(known.get(), limit, stores().tenure(commit), now);
        stores().write(key, outcome.ledger(), false);
        outcome.exhausted().ifPresent(news -> limitNews.tell(key, news, now));
      }
      stores().rest();
    }
  }

  /** The record is in the store already. */
  private void limitChanged(Record<byte[], byte[]> record) {
    QuotaKey key;
    try {
      key = entitlements().check(record, partition());
    } catch (StreamsException e) {
      throw e;
    } catch (RuntimeException e) {
      replies().putAside(record, "entitlement that is not followed: " + e.getMessage(), e);
      return;
    }
    rules
        .rules()
        .rule(key.rule())
        .filter(it -> it.entitlements().isPresent())
        .ifPresent(rule -> tellOf(key, rule));
  }

  /** Likewise. */
  private void limitsChanged(Record<byte[], byte[]> record) {
    RuleId id;
    try {
      id = Objects.requireNonNull(limitsInForce, "init was not called").check(record);
    } catch (StreamsException e) {
      throw e;
    } catch (RuntimeException e) {
      replies().putAside(record, "limit in force that is not followed: " + e.getMessage(), e);
      return;
    }
    Optional<Rule> rule = rules.rules().rule(id).filter(it -> it.adapt().isPresent());
    rule.ifPresent(it -> keysInUse.take(id).forEach(key -> tellOf(key, it)));
  }

  private void tellOf(QuotaKey key, Rule rule) {
    Optional<KeyLedger> known = stores().ledger(key);
    if (known.isPresent()) {
      long now = stores().now();
      ledger
          .tellOf(known.get(), rule, limitOf(rule, key).limit(), now)
          .ifPresent(news -> limitNews.tell(key, news, now));
      stores().rest();
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
    return isOf(wire.topics().usageEvents());
  }

  private boolean isOf(Topic<?, ?> topic) {
    return context().recordMetadata().orElseThrow().topic().equals(topic.name());
  }

  /**
   * Applies a report and answers it; keeps the part that waits for the next commit.
   *
   * @param once whether no part of it is ever reported again
   */
  private List<Refused> apply(UsageReport report, boolean once) {
    long now = stores().now();
    long commit = channel.commits();
    stores().writeTime(commit);
    boolean isAnswered = report.replyPartition() >= 0;
    boolean mayAnswer = isAnswered && stores().mayAnswer(commit);
    List<QuotaAnswer> answers = new ArrayList<>(report.quotas().size());
    List<Refused> refused = new ArrayList<>();
    for (QuotaUsage usage : report.quotas()) {
      LedgerUpdate event = new LedgerUpdate();
      event.begin();
      try {
        waiting.forget(report, usage);
        LedgerOutcome outcome = apply(report, usage, once, stores().tenure(commit), now);
        outcome.answer().ifPresent(answers::add);
        if (isAnswered && (outcome.mayGetMore() || !mayAnswer)) {
          boolean urgent = outcome.urgent() && !(report.holder() instanceof HolderId.Replays);
          waiting.add(report, usage, urgent || !mayAnswer, commit);
        }
      } catch (IllegalArgumentException e) {
        metrics.loop().refused(e instanceof WrongUsage wrong ? wrong.why() : RefusedReport.INVALID);
        refused.add(new Refused(usage.quotaKey(), e));
      }
      event.commit();
      stores().rest();
    }
    counted.flush();
    if (isAnswered) {
      if (mayAnswer) {
        handOver.taken().answered(partition());
        replies().answer(report, answers, now);
      } else {
        handOver.taken().waits(partition(), settings.clock().getAsLong());
        if (refused.size() == report.quotas().size()) {
          waiting.addUnanswered(report, commit);
        }
      }
    }
    return refused;
  }

  /**
   * Applies as much of the waiting reports as can be answered now: all at once could take so long
   * that none was ever answered.
   */
  private void applyWaiting() {
    long commit = channel.commits();
    if (waiting.areDue(commit)) {
      for (UsageReport report : waiting.take()) {
        stores().now();
        if (stores().mayAnswer(commit)) {
          apply(report, false);
        } else {
          waiting.putBack(report, commit);
        }
      }
    }
  }

  /** Makes the next commit keep the time even if nothing else was read before it. */
  private void keepTime() {
    if (!ended) {
      stores().now();
      stores().writeTime(channel.commits());
    }
  }

  /** Checks for a commit when no report comes; a permanent timer would itself cause commits. */
  private void retryWhileWaiting() {
    if (retries == null && !waiting.isEmpty()) {
      retries =
          failed.schedule(
              context(),
              RETRY_EVERY,
              "answers after a commit",
              timestamp -> {
                applyWaiting();
                counted.waiting(waiting.size());
                keepTime();
                if (waiting.areUrgent() && channel.isCommitDue()) {
                  context().commit();
                }
                if (waiting.isEmpty()) {
                  Objects.requireNonNull(retries).cancel();
                  retries = null;
                }
              });
    }
  }

  private LedgerOutcome apply(
      UsageReport report, QuotaUsage usage, boolean once, Tenure tenure, long now) {
    QuotaKey key = usage.quotaKey();
    if (key.partition(settings.partitions()) != partition()) {
      throw new WrongUsage(
          RefusedReport.WRONG_PARTITION,
          "must be reported to partition " + key.partition(settings.partitions()));
    }
    Optional<KeyLedger> known = stores().ledger(key);
    Optional<Rule> inForce = rules.rules().rule(key.rule());
    if (inForce.isEmpty() && known.isEmpty()) {
      throw new WrongUsage(RefusedReport.NO_SUCH_RULE, "no such rule: " + key.rule());
    }
    Rule rule = inForce.orElseGet(() -> deleted(key, known.orElseThrow()));
    LimitsInForce.Part part = limitOf(rule, key);
    Limit limit = part.limit();
    if (rule.adapt().isPresent()) {
      keysInUse.add(key);
    }
    KeyLedger before = known.orElseGet(() -> ledger.open(rule, limit, tenure, now));
    LedgerOutcome outcome =
        once
            ? ledger.count(before, rule, limit, report, usage, tenure, now)
            : ledger.apply(
                before,
                rule,
                limit,
                report,
                inForce.isPresent() ? usage : withoutDemand(usage),
                tenure,
                now);
    stores().write(key, outcome.ledger(), known.isEmpty());
    stores().add(key, outcome.counts());
    counted.add(rule, outcome.counts());
    activity().counted(key, outcome.counts(), now);
    counted.answered(rule, usage, outcome);
    if (outcome.startsPenalty(before)) {
      metrics.penaltyStarted(rule.id(), rule.mode());
      outcome.exhausted().ifPresent(news -> limitNews.tell(key, news, now));
    } else {
      announce(key, outcome);
    }
    return part.why().isEmpty()
        ? outcome
        : outcome.answering(answer -> answer.withInForce(part.why()));
  }

  /** Reports under a deleted rule are booked under its last version. */
  private static Rule deleted(QuotaKey key, KeyLedger known) {
    return Rule.of(key.rule(), List.of(), known.limit())
        .withVersion(known.generation(), known.generation());
  }

  private static QuotaUsage withoutDemand(QuotaUsage usage) {
    List<CellUsage> cells = usage.cells();
    return new QuotaUsage(usage.quotaKey(), usage.generation(), 0, 0, cells);
  }

  private void announce(QuotaKey key, LedgerOutcome outcome) {
    Optional<ExhaustedQuota> exhausted = outcome.exhausted();
    if (exhausted.isPresent() && announcements.mayAnnounce(outcome.ledger().timeNanos())) {
      replies().announce(key, exhausted.get());
    }
  }

  /** Usage that no correct instance reports. */
  private record Refused(QuotaKey quotaKey, IllegalArgumentException why) {
    @Override
    public String toString() {
      return quotaKey + ": " + why.getMessage();
    }
  }

  private TopicPartition usagePartition() {
    return new TopicPartition(wire.topics().usage().name(), partition());
  }

  private int partition() {
    TaskId task = context().taskId();
    return task.partition();
  }

  private ProcessorContext<byte[], Object> context() {
    return Objects.requireNonNull(context, "init was not called");
  }

  /** With what data gives the key, and so much of it as is in force by the load. */
  private LimitsInForce.Part limitOf(Rule rule, QuotaKey key) {
    return Objects.requireNonNull(limitsInForce, "init was not called")
        .of(rule, entitlements().limitOf(rule, key));
  }

  private PartitionRecorder activity() {
    return Objects.requireNonNull(activity, "init was not called");
  }

  private EntitlementStore entitlements() {
    return Objects.requireNonNull(entitlements, "init was not called");
  }

  private LedgerReplies replies() {
    return Objects.requireNonNull(replies, "init was not called");
  }

  private LedgerStores stores() {
    return Objects.requireNonNull(stores, "init was not called");
  }
}
