package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.RenewalTerms;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Decides what a reporting holder gets: enough for a few loops of its demand, no more than its
 * max-min fair share where that does not reach for all, and never more than is available.
 */
final class Granting {
  private final LedgerSettings settings;
  private final Sharing sharing;
  private final RestingShares resting;

  /**
   * The part of a holder's answer beside its cells.
   *
   * @param mayGetMore there is more to grant once the next transaction is committed
   * @param urgent and the holder has nothing to decide with before
   * @param scarce nothing is left, and other holders need more
   * @param reserved permits that are left, but not for it
   * @param excess slots that it has and others lack, or that are more than there are
   */
  record Outcome(boolean mayGetMore, boolean urgent, boolean scarce, long reserved, long excess) {
    static final Outcome NOTHING = new Outcome(false, false, false, 0, 0);
  }

  Granting(LedgerSettings settings) {
    this.settings = settings;
    this.sharing = new Sharing(settings);
    this.resting = new RestingShares(settings);
  }

  /**
   * Renews the leases of the holder at {@code index} and adds its grants.
   *
   * @param keyHash spreads the grants of the next window over time
   */
  Outcome grant(WorkingLedger ledger, int index, Rule rule, int keyHash) {
    Holder holder = renew(ledger, ledger.holders().get(index), rule);
    ledger.holders().set(index, holder);
    long window = ledger.limit.cellWindow(ledger.now);
    // An instance that keeps to a limit of its own has all of it already.
    boolean alone = rule.enforcement() == Enforcement.PER_INSTANCE;
    if (ledger.now < ledger.grantableFrom || alone || ledger.hasOlderShares()) {
      return Outcome.NOTHING;
    }
    ReplayQueue replays = ReplayQueue.of(ledger, index, rule, settings);
    // A limiter of its own would serve an instance's last class before the first one of others.
    SharePlan plan =
        rule.classes().isEmpty()
            ? SharePlan.of(ledger, index, replays, settings)
            : SharePlan.LEASES;
    if (plan.on() && resting.areAnyLong(ledger)) {
      plan = SharePlan.LEASES;
    }
    ShareSize size = plan.size();
    boolean isSteady = plan.on();
    long lackedByOthers = 0;
    if (!plan.on()) {
      SteadyShares steady = SteadyShares.of(ledger, index, replays.perPeriod(), settings);
      lackedByOthers = steady.lackedByOthers();
      isSteady = steady.size().permits() > 0;
      size = resting.of(ledger, index, rule, steady.size());
      // Before leases, which would take all that is there.
      sharing.offer(ledger, index, size);
    }
    long reserved = holder.isReplays() ? 0 : replays.reserved(window);
    long[] kept = ClassKeeping.of(ledger, rule.classes(), settings);
    // A queue takes what is spare like the last class.
    long keptFromQueue = rule.classes().isEmpty() ? 0 : kept[rule.classes().last()];
    if (rule.classes().isEmpty()) {
      kept[0] = lackedByOthers;
    }
    if (!isSteady) {
      long keptForOthers = PermitCount.plus(reserved, LongStream.of(kept).sum());
      Sharing.putIn(ledger, index, PutIn.tokens(ledger, index, rule, settings, keptForOthers));
    }
    Needs needs = Needs.of(ledger, index, window, plan, reserved, kept, settings);
    boolean ofSlots = ledger.limit instanceof ConcurrencyLimit;
    long ofLive = ofSlots ? needs.lacksOfSlots(index) : needs.lacks(index);
    long lacks = holder.isReplays() ? lacks(window, needs, plan, replays, keptFromQueue) : ofLive;
    boolean mayProvide = !plan.on() && rule.classes().isEmpty() && !ofSlots;
    if (mayProvide && !needs.isScarce(index, Math.max(0, lacks))) {
      lacks =
          Math.max(
              lacks, Provision.lacks(ledger, index, window, needs.available() - kept[0], settings));
    }
    boolean more = grant(ledger, index, window, lacks, plan);
    setAside(ledger, window, 0, plan, replays);
    boolean first = plan.on() && sharing.offer(ledger, index, size);
    if (ledger.limit instanceof WindowedLimit limit) {
      long next = limit.windowEnd(window);
      long loop = settings.loopOf(holder);
      long lead = Math.min(2 * loop + Math.floorMod((long) keyHash, loop), (next - window) / 2);
      if (ledger.now >= next - lead) {
        more |=
            grant(
                ledger, index, next, permitsOfNext(ledger, index, next, replays, size, rule), plan);
      }
      if (ledger.now >= next - lead - Math.max(lead, settings.aheadNanos() / 2)) {
        setAside(ledger, next, newcomers(limit), plan, replays);
      }
    }
    boolean hearsMore =
        resting.isToHear(ledger, ledger.holders().get(index), rule)
            || !plan.on() && hearsOfShare(ledger, index);
    boolean urgent = first || (more && isUrgent(ledger.holders().get(index)));
    boolean scarce = plan.scarce() || needs.isScarce(index, Math.max(0, lacks));
    long excess = ofSlots ? needs.excess(index, scarce) : 0;
    return new Outcome(more || first || hearsMore, urgent, scarce, reserved, excess);
  }

  /**
   * Whether an answer is due once what a share has other terms by is committed: others lack what is
   * cut, and of a bucket what lies between the old terms and the new comes to nobody.
   */
  private static boolean hearsOfShare(WorkingLedger ledger, int index) {
    Holder holder = ledger.holders().get(index);
    LedgerShare share = holder.share();
    boolean isCut = share.offered().permits() < share.held().permits();
    boolean isFilled = share.offered().filled() > share.held().filled();
    boolean isSteady = ledger.limit.renewal() instanceof RenewalTerms.Steady;
    // It may sleep then.
    return (isCut || isFilled || isSteady || !holder.hasDemand())
        && share.isOnItsWay(ledger.tenure.commit());
  }

  /**
   * Permits of the current window to grant to a replay queue.
   *
   * @param kept of what is spare, for classes of requests
   */
  private static long lacks(
      long window, Needs needs, SharePlan plan, ReplayQueue replays, long kept) {
    long spare = needs.spare(replays.liveDemandOf(window)) - kept;
    long lacks = replays.lacks(window, needs.available(), spare);
    return plan.mostToQueue(lacks, replays.held(window));
  }

  private boolean grant(
      WorkingLedger ledger, int index, long window, long permits, SharePlan plan) {
    Holder holder = ledger.holders().get(index);
    if (permits <= 0 || !holder.hasDemand()) {
      return false;
    }
    Headroom headroom = ledger.headroom(window);
    long granted = Math.min(permits, headroom.usable(ledger.tenure.commit()));
    ledger.headroom(headroom.spend(granted, ledger.tenure.commit()));
    ledger.holders().set(index, add(ledger, holder, window, granted));
    return granted < Math.min(permits, presses(ledger, holder, window, plan));
  }

  /**
   * Permits that are worth another answer after the commit: those that requests wait for, and one
   * where the holder has none and expects requests. Otherwise its next report asks again.
   */
  private long presses(WorkingLedger ledger, Holder holder, long window, SharePlan plan) {
    if (holder.isReplays()) {
      // What it expects comes with its own next report, and nothing is set aside for that.
      return holder.needed();
    }
    if (plan.on()) {
      return plan.toLease(holder);
    }
    Expected expected = Expected.of(ledger, holder, window, Double.MAX_VALUE, settings);
    boolean hasNone = holder.outstanding(ledger.limit, window) == 0 && !expected.hasRoom();
    boolean begins = hasNone && (isUrgent(holder) || expected.permits() >= 1);
    return Math.max(begins ? 1 : 0, holder.needed());
  }

  private static boolean isUrgent(Holder holder) {
    return holder.needed() > 0 || !holder.hasOpenCell();
  }

  /**
   * Sets aside what all holders are likely to be granted before the next commit and the one after:
   * where permits renew with time, those too that will have renewed by then. What is set aside may
   * be granted only once it is available.
   *
   * @param kept permits that are not to be touched
   */
  private void setAside(
      WorkingLedger ledger, long window, long kept, SharePlan plan, ReplayQueue replays) {
    long most = ledger.account.unusedSoon(window, settings.aheadNanos()) - kept;
    long wanted = plan.mostToQueue(replays.soon(), replays.held(window));
    for (Holder holder : ledger.holders()) {
      if (holder.generation() == ledger.generation) {
        most -= holder.outstanding(ledger.limit, window);
        long soon = plan.on() ? plan.toLease(holder) : Needs.soon(ledger, holder, window, settings);
        wanted += isLive(ledger, holder) ? soon : 0;
      }
    }
    long target = Math.max(0, Math.min(most, wanted));
    long commit = ledger.tenure.commit();
    Headroom headroom = ledger.headroom(window);
    if (headroom.total() < target) {
      ledger.headroom(headroom.raise(target - headroom.total(), commit));
    } else if (headroom.total() > Math.min(2 * target, Math.max(0, most))) {
      ledger.headroom(headroom.lower(target, commit));
    }
  }

  private boolean isLive(WorkingLedger ledger, Holder holder) {
    return !holder.isReplays() && Needs.isAlive(ledger, holder, settings);
  }

  private static long newcomers(Limit limit) {
    return (limit.permits() + 9) / 10;
  }

  /** Whether the instance may take permits from the cell, now or in the next window. */
  static boolean isUsable(WorkingLedger ledger, LedgerCell cell) {
    if (!cell.isGranted() || cell.usage().closed() || cell.isWrittenOff()) {
      return false;
    }
    return cell.share().isShare()
        || ledger.limit.voidAt(cell.usage().windowStartNanos()) > ledger.now;
  }

  private Holder renew(WorkingLedger ledger, Holder holder, Rule rule) {
    long shareEnd = Math.max(sharing.termEnd(ledger), resting.termEnd(ledger, holder, rule));
    List<LedgerCell> cells = new ArrayList<>(holder.cells());
    cells.replaceAll(cell -> isUsable(ledger, cell) ? renew(ledger, cell, shareEnd) : cell);
    return holder.withCells(cells);
  }

  private LedgerCell renew(WorkingLedger ledger, LedgerCell cell, long shareEnd) {
    if (cell.share().isShare()) {
      return cell.withShareUntil(shareEnd, ledger.tenure.commit());
    }
    long end = leaseEnd(ledger, cell.usage().windowStartNanos());
    return cell.withValidUntil(Math.max(cell.validUntilNanos(), end));
  }

  /**
   * Permits that the holder is likely to need at the start of the next window; a tenth of the limit
   * stays for newcomers.
   *
   * @param size that its share is to have
   */
  private long permitsOfNext(
      WorkingLedger ledger, int index, long next, ReplayQueue replays, ShareSize size, Rule rule) {
    double[] parts = ClassKeeping.servedParts(ledger, rule.classes(), settings);
    Limit limit = ledger.limit;
    Holder holder = ledger.holders().get(index);
    double demandOfAll = 0;
    long available = ledger.unused(next);
    for (Holder other : ledger.holders()) {
      if (other.generation() == ledger.generation) {
        available -= other.outstanding(limit, next);
        demandOfAll += isLive(ledger, other) ? served(other, parts) : 0;
      }
    }
    long newcomers = newcomers(limit);
    if (holder.isReplays()) {
      long spare = available - newcomers - replays.liveDemand(limit.windowEnd(next) - next);
      return replays.lacks(next, available - newcomers, spare);
    }
    double share = Math.min(1, served(holder, parts) / Math.max(demandOfAll, 1e-9));
    double want =
        Needs.want(ledger, holder, next, settings) * ClassKeeping.servedPart(holder, parts);
    long wanted = (long) Math.min((limit.permits() - newcomers) * share, want);
    long whole = holder.cost().isEven() && holder.needed() == 0 ? holder.cost().mean() : 0;
    if (wanted < Math.max(holder.neededAtOnce(), whole)) {
      // Once the window has begun, one holder has all that its request costs, and then the next.
      return 0;
    }
    // What its share is to grow by must be left when the window begins.
    wanted -= Math.max(0, size.permits() - holder.share().offered().permits());
    long left = available - newcomers - replays.reserved(next);
    return Math.min(wanted - holder.outstanding(limit, next), left);
  }

  /** The part of a holder's demand per second that its classes are served. */
  private static double served(Holder holder, double[] parts) {
    return holder.demandPerSecond() * ClassKeeping.servedPart(holder, parts);
  }

  private Holder add(WorkingLedger ledger, Holder holder, long window, long permits) {
    if (permits <= 0) {
      return holder;
    }
    List<LedgerCell> cells = new ArrayList<>(holder.cells());
    for (int i = 0; i < cells.size(); i++) {
      LedgerCell cell = cells.get(i);
      boolean leased = isUsable(ledger, cell) && !cell.share().isShare();
      if (leased && cell.usage().windowStartNanos() == window) {
        cells.set(i, cell.withGranted(permits));
        return holder.withCells(cells);
      }
    }
    long id = holder.nextGrantedId(ledger.now);
    cells.add(LedgerCell.granted(id, window, permits, leaseEnd(ledger, window)));
    return holder.withCells(cells);
  }

  private long leaseEnd(WorkingLedger ledger, long window) {
    long end = ledger.now + settings.allotmentTtlNanos();
    return LedgerCell.leaseEnd(ledger.limit, window, end, settings.borderNanos());
  }
}
