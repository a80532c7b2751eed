package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Bound;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.Optional;

/**
 * The accounting of one quota key: {@code available = what the algorithm has left - what holders
 * may still take}, so that no permit is granted twice whatever becomes of its holder.
 *
 * <p>Pure: a report and the time in, the next ledger and what to publish out. Reports are
 * cumulative; one that is repeated, reordered or lost changes nothing that the next does not heal.
 */
public final class Ledger {
  private final LedgerSettings settings;
  private final Granting granting;
  private final Openings openings;
  private final Takeover takeover;

  public Ledger(LedgerSettings settings) {
    this.settings = settings;
    this.granting = new Granting(settings);
    this.openings = new Openings(settings);
    this.takeover =
        new Takeover(settings.aheadNanos(), settings.maxClockSkewNanos(), settings.borderNanos());
  }

  /**
   * The ledger of a key that has none yet. Nothing of it can be held: permits are granted only
   * under a ledger that is committed, and that is kept for longer than any lease.
   */
  public KeyLedger open(Rule rule, Limit limit, Tenure tenure, long now) {
    return KeyLedger.first(rule.generation(), limit, tenure.number(), now);
  }

  /**
   * Applies one instance's report on one quota key.
   *
   * @param kept the key's ledger
   * @param rule the rule in force
   * @param report the report that {@code reportedUsage} came in
   */
  public LedgerOutcome apply(
      KeyLedger kept,
      Rule rule,
      UsageReport report,
      QuotaUsage reportedUsage,
      Tenure tenure,
      long now) {
    Limit limit = rule.limitOf(reportedUsage.quotaKey());
    return apply(kept, rule, limit, report, reportedUsage, tenure, now);
  }

  /**
   * The same for a quota key whose limit data may give.
   *
   * @param limit of the algorithm and period of the rule's
   */
  public LedgerOutcome apply(
      KeyLedger kept,
      Rule rule,
      Limit limit,
      UsageReport report,
      QuotaUsage reportedUsage,
      Tenure tenure,
      long now) {
    QuotaUsage usage = UsageCheck.bounded(report, reportedUsage);
    KeyLedger before = Borders.align(takeover.of(kept, tenure, now), now);
    if (Math.max(usage.generation(), before.generation()) > rule.generation()) {
      // A newer rule than this enforcer knows is in use: nothing is lost by waiting for it.
      return new LedgerOutcome(before, Optional.empty(), List.of(), Optional.empty(), false, false);
    }
    KeyLedger current = ofGeneration(before, rule, limit, now);
    boolean balanced = rule.enforcement() == Enforcement.BALANCED;
    WorkingLedger ledger = begin(current, limit, balanced, tenure, now);
    int index = ledger.indexOf(report.holder(), report.epoch(), usage.generation());
    Holder known = ledger.holders().get(index);
    List<Long> settled = ReportBooking.book(ledger, index, usage, report);
    boolean upToDate = usage.generation() == ledger.generation;
    List<CellGrant> cells = List.of();
    Granting.Outcome granted = Granting.Outcome.NOTHING;
    boolean isDenied = rule.denies(usage.quotaKey());
    if (upToDate && !isDenied) {
      Penalties.judge(ledger, rule, known, report);
    }
    boolean penalized = ledger.penalty.isInForce(ledger.now);
    boolean denied = isDenied || penalized;
    if (upToDate) {
      granted =
          denied
              ? Granting.Outcome.NOTHING
              : granting.grant(ledger, index, rule, usage.quotaKey().hashCode());
      Holder holder = ledger.holders().get(index);
      cells =
          penalized
              ? SentGrants.ended(ledger, holder)
              : SentGrants.of(ledger, holder, granted.excess(), settings.allotmentTtlNanos());
    }
    if (upToDate && !denied) {
      openings.judge(ledger, rule, usage, granted.scarce());
    }
    Optional<ExhaustedQuota> exhausted = openings.announce(ledger, current.trust());
    if (exhausted.isEmpty() && upToDate && !denied) {
      exhausted = Recall.of(ledger, index, rule);
    }
    if (ledger.penalty.untilNanos() > current.penalty().untilNanos()) {
      exhausted = Optional.of(openings.penalized(ledger));
    }
    KeyLedger after = ledger.toLedger();
    boolean opens = upToDate && !denied;
    QuotaAnswer answer =
        new QuotaAnswer(
            usage.quotaKey(),
            usage.generation(),
            isDenied ? 0 : limit.permits(),
            after.used(ledger.now),
            denied ? 0 : Math.max(0, after.available(ledger.now) - granted.reserved()),
            penalized ? ledger.penalty.untilNanos() : after.resetAt(ledger.now),
            opens ? openings.of(ledger, ledger.holders().get(index), rule) : 0,
            opens ? openings.until(ledger) : penaltyEnd(ledger),
            bound(ledger, rule, report),
            granted.scarce(),
            ledger.holders().get(index).isReplays()
                ? List.of()
                : ClassKeeping.toSay(ledger, rule.classes(), settings),
            cells,
            settled,
            penaltyEnd(ledger),
            Optional.empty());
    return new LedgerOutcome(
        after,
        Optional.of(answer),
        ledger.counts(),
        exhausted,
        granted.mayGetMore(),
        granted.urgent());
  }

  /**
   * Counts use that is told of once and never again: of cells that are closed, however long ago
   * that was. Nothing of its reporter is remembered, which is granted nothing. Use of a generation
   * that this enforcer does not know yet is counted, and charged to nothing.
   */
  public LedgerOutcome count(
      KeyLedger kept,
      Rule rule,
      UsageReport report,
      QuotaUsage reportedUsage,
      Tenure tenure,
      long now) {
    Limit limit = rule.limitOf(reportedUsage.quotaKey());
    return count(kept, rule, limit, report, reportedUsage, tenure, now);
  }

  /** The same for a quota key whose limit data may give. */
  public LedgerOutcome count(
      KeyLedger kept,
      Rule rule,
      Limit ofKey,
      UsageReport report,
      QuotaUsage reportedUsage,
      Tenure tenure,
      long now) {
    QuotaUsage usage = UsageCheck.bounded(report, reportedUsage);
    KeyLedger before = Borders.align(takeover.of(kept, tenure, now), now);
    boolean newer = before.generation() > rule.generation();
    Limit limit = newer ? before.limit() : ofKey;
    KeyLedger current = newer ? before : ofGeneration(before, rule, limit, now);
    WorkingLedger ledger = begin(current, limit, false, tenure, now);
    boolean charged = usage.generation() == ledger.generation;
    for (CellUsage told : usage.cells()) {
      UseOnce.count(ledger, told, charged, settings.retentionNanos());
    }
    ledger.lend();
    Optional<ExhaustedQuota> exhausted = openings.announce(ledger, current.trust());
    return new LedgerOutcome(
        ledger.toLedger(), Optional.empty(), ledger.counts(), exhausted, false, false);
  }

  /** Enforcer time; 0 where no penalty is in force. */
  private static long penaltyEnd(WorkingLedger ledger) {
    return ledger.penalty.isInForce(ledger.now) ? ledger.penalty.untilNanos() : 0;
  }

  /** Ends a key's penalty, as an operator wants it, and tells all instances. */
  public LedgerOutcome lift(KeyLedger kept, Limit limit, Tenure tenure, long now) {
    KeyLedger before = Borders.align(takeover.of(kept, tenure, now), now);
    long at = Math.max(now, before.timeNanos());
    KeyLedger after = before.withPenaltyLifted(at);
    Optional<ExhaustedQuota> news =
        before.penalty().isInForce(at)
            ? Optional.of(openings.unexhausted(after, limit, at))
            : Optional.empty();
    return new LedgerOutcome(after, Optional.empty(), List.of(), news, false, false);
  }

  /**
   * Tells all instances that a key's limit is another than it was when one of them last reported:
   * those that hold something of it ask how it stands. Empty where nobody does, or nothing changed.
   *
   * @param limit of now
   */
  public Optional<ExhaustedQuota> tellOf(KeyLedger kept, Rule rule, Limit limit, long now) {
    boolean isChanged =
        kept.generation() == rule.generation()
            && limit.permits() != kept.limit().permits()
            && (kept.exhaustedUntilNanos() > now
                || kept.holders().stream().anyMatch(Holder::hasOpenCell));
    return isChanged ? Optional.of(openings.unexhausted(kept, limit, now)) : Optional.empty();
  }

  private KeyLedger ofGeneration(KeyLedger before, Rule rule, Limit limit, long now) {
    // A rule that was deleted and made anew may count otherwise in a generation of the same number.
    return before.generation() == rule.generation() && limit.countsAlike(before.limit())
        ? before
        : nextGeneration(before, rule, limit, now);
  }

  private WorkingLedger begin(
      KeyLedger current, Limit limit, boolean chargesOnlyWhatIsLeft, Tenure tenure, long now) {
    WorkingLedger ledger = new WorkingLedger(current, limit, chargesOnlyWhatIsLeft, tenure, now);
    ledger.forgetHolders(settings.retentionNanos());
    ledger.writeOffEndedLeases();
    ledger.advance();
    HolderBound.keep(ledger, settings);
    return ledger;
  }

  private DeclaredBound bound(WorkingLedger ledger, Rule rule, UsageReport report) {
    double demandPerSecond = 0;
    for (Holder holder : ledger.holders()) {
      boolean lately = ledger.now - holder.lastReportNanos() <= settings.allotmentTtlNanos();
      demandPerSecond += lately ? holder.demandPerSecond() : 0;
    }
    int instances = settings.maxInstances();
    return Bound.of(rule, ledger.limit, instances, instances, demandPerSecond, report.loopNanos());
  }

  private static boolean both(Limit before, Limit limit) {
    return before instanceof ConcurrencyLimit && limit instanceof ConcurrencyLimit;
  }

  /**
   * Grants once the leases of the generation before have ended. The ledger knows all of them, so
   * that the time at which the rule was published does not matter. Shares of it may last longer,
   * and count as long as their holder is not known to have ended them ({@link
   * WorkingLedger#hasOlderShares}).
   */
  private KeyLedger nextGeneration(KeyLedger before, Rule rule, Limit limit, long now) {
    boolean anew = before.generation() == rule.generation();
    long from = before.grantableFromNanos();
    for (Holder holder : before.holders()) {
      for (LedgerCell cell : holder.cells()) {
        boolean counts = anew || !cell.share().isShare();
        if (cell.isGranted() && !cell.usage().closed() && counts) {
          long end = cell.validUntilNanos();
          boolean stays = both(before.limit(), limit);
          from = Math.max(from, stays ? SlotAccount.freeFrom(before.limit(), holder, cell) : end);
        }
      }
    }
    List<Holder> holders =
        anew ? before.holders().stream().map(Holder::ended).toList() : before.holders();
    return new KeyLedger(
        new Counting(rule.generation(), limit, limit.initial(now), StateClock.ENFORCER),
        new KeyTimes(now, from, 0, before.tenure()),
        Trust.WHOLE,
        before.penalty(),
        List.of(),
        holders);
  }
}
