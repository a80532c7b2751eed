package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.Ledger;
import io.quotaenforcer.core.ledger.LedgerOutcome;
import io.quotaenforcer.core.ledger.Tenure;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.activity.PartitionRecorder;
import io.quotaenforcer.enforcer.metrics.LoopMetrics.RefusedReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Applies the reports of one partition to its rows, and answers them; keeps those that wait for a
 * commit.
 */
final class ReportWork {
  private final Workplace place;
  private final int partition;
  private final SnapshotChannel channel;
  private final HandOver handOver;
  private final Ledger ledger;
  private final LedgerStores stores;
  private final LedgerReplies replies;
  private final KeyLimits limits;
  private final PartitionRecorder activity;
  private final Lasting lasting;

  /**
   * State that lasts while the partition stays at this enforcer, even if it is closed in between.
   */
  record Lasting(WaitingReports waiting, CountedPermits counted, AnnouncementPace announcements) {}

  /** What rows, answers and limits there are for the partition. */
  record Tools(
      Ledger ledger,
      LedgerStores stores,
      LedgerReplies replies,
      KeyLimits limits,
      PartitionRecorder activity) {}

  ReportWork(
      Workplace place,
      int partition,
      SnapshotChannel channel,
      HandOver handOver,
      Tools tools,
      Lasting lasting) {
    this.place = place;
    this.partition = partition;
    this.channel = channel;
    this.handOver = handOver;
    this.ledger = tools.ledger;
    this.stores = tools.stores;
    this.replies = tools.replies;
    this.limits = tools.limits;
    this.activity = tools.activity;
    this.lasting = lasting;
  }

  /** Usage that no correct instance reports. */
  record Refused(QuotaKey quotaKey, IllegalArgumentException why) {
    @Override
    public String toString() {
      return quotaKey + ": " + why.getMessage();
    }
  }

  /**
   * Applies a report and answers it; keeps the part that waits for the next commit.
   *
   * @param once whether no part of it is ever reported again
   */
  List<Refused> apply(UsageReport report, boolean once) {
    WaitingReports waiting = lasting.waiting;
    long now = stores.now();
    long commit = channel.commits();
    stores.writeTime(commit);
    boolean isAnswered = report.replyPartition() >= 0;
    boolean mayAnswer = isAnswered && stores.mayAnswer(commit);
    List<QuotaAnswer> answers = new ArrayList<>(report.quotas().size());
    List<Refused> refused = new ArrayList<>();
    for (QuotaUsage usage : report.quotas()) {
      LedgerUpdate event = new LedgerUpdate();
      event.begin();
      try {
        waiting.forget(report, usage);
        LedgerOutcome outcome = apply(report, usage, once, stores.tenure(commit), now);
        outcome.answer().ifPresent(answers::add);
        if (isAnswered && (outcome.mayGetMore() || !mayAnswer)) {
          boolean urgent = outcome.urgent() && !(report.holder() instanceof HolderId.Replays);
          waiting.add(report, usage, urgent || !mayAnswer, commit);
        }
      } catch (IllegalArgumentException e) {
        RefusedReport why = e instanceof WrongUsage wrong ? wrong.why() : RefusedReport.INVALID;
        place.metrics().loop().refused(why);
        refused.add(new Refused(usage.quotaKey(), e));
      }
      event.commit();
      stores.rest();
    }
    lasting.counted.flush();
    if (isAnswered) {
      if (mayAnswer) {
        handOver.taken().answered(partition);
        replies.answer(report, answers, now);
      } else {
        handOver.taken().waits(partition, place.settings().clock().getAsLong());
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
  void applyWaiting() {
    long commit = channel.commits();
    if (lasting.waiting.areDue(commit)) {
      for (WaitingReports.Taken taken : lasting.waiting.take()) {
        stores.now();
        if (stores.mayAnswer(commit)) {
          apply(taken.report(), false);
        } else {
          lasting.waiting.putBack(taken, commit);
        }
      }
    }
    lasting.counted.waiting(lasting.waiting.size());
  }

  /** Ends the penalties of the quota keys that an operator names. */
  void lift(UsageReport report) {
    long now = stores.now();
    long commit = channel.commits();
    stores.writeTime(commit);
    for (QuotaUsage usage : report.quotas()) {
      QuotaKey key = usage.quotaKey();
      Optional<Rule> rule = place.rules().rules().rule(key.rule());
      boolean isHere = partitionOf(key) == partition;
      Optional<KeyLedger> known =
          isHere && rule.isPresent() ? stores.ledger(key) : Optional.empty();
      if (known.isPresent()) {
        Limit limit = limits.byData(rule.get(), key);
        LedgerOutcome outcome = ledger.lift(known.get(), limit, stores.tenure(commit), now);
        stores.write(key, outcome.ledger(), false);
        outcome.exhausted().ifPresent(news -> limits.tell(key, news, now));
      }
      stores.rest();
    }
  }

  private LedgerOutcome apply(
      UsageReport report, QuotaUsage usage, boolean once, Tenure tenure, long now) {
    QuotaKey key = usage.quotaKey();
    if (partitionOf(key) != partition) {
      throw new WrongUsage(
          RefusedReport.WRONG_PARTITION, "must be reported to partition " + partitionOf(key));
    }
    Optional<KeyLedger> known = stores.ledger(key);
    Optional<Rule> inForce = place.rules().rules().rule(key.rule());
    if (inForce.isEmpty() && known.isEmpty()) {
      throw new WrongUsage(RefusedReport.NO_SUCH_RULE, "no such rule: " + key.rule());
    }
    Rule rule = inForce.orElseGet(() -> deleted(key, known.orElseThrow()));
    LimitsInForce.Part part = limits.inForce(rule, key);
    Limit limit = part.limit();
    limits.used(rule, key);
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
    stores.write(key, outcome.ledger(), known.isEmpty());
    stores.add(key, outcome.counts());
    lasting.counted.add(rule, outcome.counts());
    activity.counted(key, outcome.counts(), now);
    lasting.counted.answered(rule, usage, outcome);
    tellAll(rule, key, before, outcome, now);
    return part.why().isEmpty()
        ? outcome
        : outcome.answering(answer -> answer.withInForce(part.why()));
  }

  private void tellAll(Rule rule, QuotaKey key, KeyLedger before, LedgerOutcome outcome, long now) {
    Optional<ExhaustedQuota> exhausted = outcome.exhausted();
    if (outcome.startsPenalty(before)) {
      place.metrics().penaltyStarted(rule.id(), rule.mode());
      exhausted.ifPresent(news -> limits.tell(key, news, now));
    } else if (exhausted.isPresent()
        && lasting.announcements.mayAnnounce(outcome.ledger().timeNanos())) {
      replies.announce(key, exhausted.get());
    }
  }

  /** Reports under a deleted rule are booked under its last version. */
  private static Rule deleted(QuotaKey key, KeyLedger known) {
    return Rule.of(key.rule(), List.of(), known.limit())
        .withVersion(known.generation(), known.generation());
  }

  private static QuotaUsage withoutDemand(QuotaUsage usage) {
    return new QuotaUsage(usage.quotaKey(), usage.generation(), 0, 0, usage.cells());
  }

  private int partitionOf(QuotaKey key) {
    return key.partition(place.settings().partitions());
  }
}
