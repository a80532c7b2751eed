package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.RateShare;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Bound;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import java.util.ArrayList;
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
    List<Long> settled = book(ledger, index, usage, report);
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
      cells = penalized ? ended(ledger, holder) : grants(ledger, holder, granted.excess());
    }
    if (upToDate && !denied) {
      openings.judge(ledger, rule, usage, granted.scarce());
    }
    Optional<ExhaustedQuota> exhausted = openings.announce(ledger, current.trust());
    if (exhausted.isEmpty() && upToDate && !denied) {
      exhausted = granting.recall(ledger, index, rule);
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
            ClassKeeping.toSay(ledger, rule.classes(), settings),
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
      countOnce(ledger, told, charged);
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

  /** Ends all that was granted: what is not used comes back. */
  private static List<CellGrant> ended(WorkingLedger ledger, Holder holder) {
    long commit = ledger.tenure.commit();
    List<CellGrant> ended = new ArrayList<>(2);
    for (LedgerCell cell : holder.cells()) {
      if (cell.isGranted() && !cell.usage().closed()) {
        RateShare share = cell.share().toSend(commit);
        long window = cell.usage().windowStartNanos();
        ended.add(new CellGrant(cell.id(), window, cell.granted(), 0, 0, share));
      }
    }
    return ended;
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

  /**
   * Counts use in the window that it was in, and charges it to that; of kinds without windows, as
   * late as it can have been, and to nothing once that is so long ago that no holder would be
   * remembered. Use that is ahead of the next window is taken for use of now.
   */
  private void countOnce(WorkingLedger ledger, CellUsage told, boolean charged) {
    Limit limit = ledger.limit;
    long current = limit.windowStart(ledger.now);
    long from = told.windowStartNanos();
    boolean dated = isDated(limit, from, current);
    long window = window(limit, from, ledger.now);
    long latest = dated ? Math.min(ledger.now, from + limit.borderNanos() - 1) : ledger.now;
    ledger.countOnce(told, window);
    if (charged) {
      ledger.account.chargeOnce(told, window, latest, oldestWindow(limit, current));
    }
  }

  /** Permits that were asked for of a cell, given or refused. */
  private static long newlyAsked(CellUsage before, CellUsage after) {
    return Math.max(0, after.used() - before.used())
        + Math.max(0, after.throttled() - before.throttled());
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

  /** Books every reported cell; the ids of those that are closed and done with. */
  private List<Long> book(WorkingLedger ledger, int index, QuotaUsage usage, UsageReport report) {
    Holder holder = ledger.holders().get(index);
    List<LedgerCell> cells = new ArrayList<>(holder.cells());
    List<Long> settled = new ArrayList<>();
    boolean current = usage.generation() == ledger.generation;
    long asked = 0;
    for (CellUsage reported : usage.cells()) {
      int at = indexOf(cells, reported.id());
      if (at < 0 && (holder.hasSettled(reported.id()) || isFolded(ledger, holder, reported))) {
        settled.add(reported.id());
        continue;
      }
      if (at < 0) {
        cells.add(LedgerCell.reportedOnly(reported.id(), window(ledger, reported), ledger.now));
        at = cells.size() - 1;
      }
      LedgerCell known = current ? ledger.recall(cells.get(at), reported) : cells.get(at);
      LedgerCell booked = ledger.book(known, reported, current, holder);
      cells.set(at, booked);
      asked = PermitCount.plus(asked, newlyAsked(known.usage(), booked.usage()));
      if (booked.usage().closed()) {
        settled.add(booked.id());
      }
    }
    Holder booked = holder.withCells(cells);
    Holder charged = current ? ledger.account.chargeShares(booked) : booked;
    ReportTime time = new ReportTime(ledger.now, report.sentNanos());
    LastReport newest =
        holder
            .report()
            .then(
                usage.demandPerSecond(),
                asked,
                usage.needed(),
                report.loopNanos(),
                time,
                clockBound(ledger, holder, report),
                ClassReport.then(
                    holder.report().classes(),
                    usage.classes(),
                    holder.report().time().until(time),
                    ledger.limit.periodNanos()),
                LastReport.cutCostsNanos(ledger.limit, !usage.classes().isEmpty()));
    LastReport steady = FallenDemand.steadyOf(newest, holder, booked, ledger.limit);
    ledger.holders().set(index, withoutSettled(ledger, charged).withReport(steady));
    HolderBound.check(ledger, ledger.holders().get(index));
    ledger.lend();
    return settled;
  }

  /** Whether a cell is of a holder that was folded, and comes back. */
  private static boolean isFolded(WorkingLedger ledger, Holder holder, CellUsage reported) {
    return reported.id() > 0
        && holder.newestGrantedId() == 0
        && reported.id() <= ledger.foldedUntil();
  }

  /** Kept only where borders matter, as with sliding windows. */
  private static ClockBound clockBound(WorkingLedger ledger, Holder holder, UsageReport report) {
    return ledger.limit.bordersMatter()
        ? holder.clockBound().seen(ledger.stateTime(ledger.now), report.sentNanos())
        : ClockBound.NONE;
  }

  /**
   * Drops closed cells, but only those below every open one that is not a share, which may be in
   * use for ever: what is dropped is remembered by id, and what a queue of replays got of a window
   * that is not over yet.
   */
  private static Holder withoutSettled(WorkingLedger ledger, Holder holder) {
    List<LedgerCell> cells = holder.cells();
    long lowestOpenGrant = Long.MAX_VALUE;
    long highestOpenOpened = Long.MIN_VALUE;
    for (LedgerCell cell : cells) {
      if (!cell.usage().closed() && cell.isGranted()) {
        boolean stays = cell.isShareInUse();
        lowestOpenGrant = stays ? lowestOpenGrant : Math.min(lowestOpenGrant, cell.id());
      } else if (!cell.usage().closed() || isOfWindowNotOver(ledger, cell)) {
        highestOpenOpened = Math.max(highestOpenOpened, cell.id());
      }
    }
    long settledGranted = holder.settled().granted();
    long settledOpened = holder.settled().opened();
    List<LedgerCell> rest = new ArrayList<>(cells.size());
    ReplayMemory replays = new ReplayMemory(ledger, holder);
    for (LedgerCell cell : cells) {
      if (cell.isShareInUse()) {
        rest.add(cell);
      } else if (cell.isGranted() && cell.id() < lowestOpenGrant) {
        settledGranted = Math.max(settledGranted, cell.id());
        replays.settled(cell);
      } else if (!cell.isGranted() && cell.id() > highestOpenOpened) {
        settledOpened = Math.min(settledOpened, cell.id());
      } else {
        rest.add(cell);
      }
    }
    replays.addTo(rest);
    return holder.withSettled(new Settled(settledGranted, settledOpened), rest);
  }

  /**
   * Whether its holder has ended a window before the ledger has, which stands still after a
   * takeover: what it used by its share is still to be charged if that is cut or ends.
   */
  private static boolean isOfWindowNotOver(WorkingLedger ledger, LedgerCell cell) {
    return cell.isOfShare()
        && cell.usage().windowStartNanos() >= ledger.limit.windowStart(ledger.now);
  }

  private static int indexOf(List<LedgerCell> cells, long id) {
    for (int i = 0; i < cells.size(); i++) {
      if (cells.get(i).id() == id) {
        return i;
      }
    }
    return -1;
  }

  /**
   * The window of a cell that the instance opened; one that cannot be right becomes the current.
   */
  private long window(WorkingLedger ledger, CellUsage reported) {
    long window = window(ledger.limit, reported.windowStartNanos(), ledger.now);
    return ledger.limit.cellWindow(window);
  }

  /**
   * One that is long over stays what it is: an outage may be longer, and reports wait for its end.
   */
  private static long window(Limit limit, long from, long now) {
    long current = limit.windowStart(now);
    return isDated(limit, from, current) ? limit.windowStart(from) : current;
  }

  private static boolean isDated(Limit limit, long from, long current) {
    return from > 0 && limit.windowStart(from) <= limit.windowEnd(current);
  }

  private long oldestWindow(Limit limit, long current) {
    return current - settings.retentionNanos() - limit.periodNanos();
  }

  private static boolean both(Limit before, Limit limit) {
    return before instanceof ConcurrencyLimit && limit instanceof ConcurrencyLimit;
  }

  /**
   * @param excess slots of its leases that the holder is to give back as they come free
   */
  private List<CellGrant> grants(WorkingLedger ledger, Holder holder, long excess) {
    long latest = ledger.now + settings.allotmentTtlNanos();
    long commit = ledger.tenure.commit();
    List<CellGrant> grants = new ArrayList<>(2);
    for (LedgerCell cell : holder.cells()) {
      long window = cell.usage().windowStartNanos();
      RateShare share = cell.share().toSend(commit);
      if (!Granting.isUsable(ledger, cell)) {
        if (cell.isGranted() && !cell.usage().closed()) {
          grants.add(new CellGrant(cell.id(), window, cell.granted(), 0, 0, share));
        }
      } else if (!cell.share().isShare()) {
        long until = cell.validUntilNanos();
        long from = Math.min(Math.max(window, 0), until);
        // It gives back what it knows of.
        boolean isKnown = cell.usage().granted() >= cell.granted();
        long keeps = isKnown ? Math.max(0, cell.granted() - excess) : cell.granted();
        grants.add(new CellGrant(cell.id(), window, keeps, from, Math.min(latest, until), share));
      } else if (share.isShare()) {
        long until = cell.share().term().toSend(commit);
        grants.add(new CellGrant(cell.id(), window, 0, 0, until, share));
      }
    }
    return grants;
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
