package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SECOND;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.message.NamedShare;
import io.quotaenforcer.core.message.Need;
import io.quotaenforcer.core.message.RateShare;
import io.quotaenforcer.core.message.RequestCost;
import java.util.ArrayList;
import java.util.List;

/** A holder that last reported a steady demand, with a share and leases. */
final class HolderBuilder {
  /** The beginning of a day. */
  static final long NOW = 20_000 * 24 * 3_600 * SECOND;

  static final long GENERATION = 1;
  static final long TERM = 30 * SECOND;

  private static final long LOOP = 100 * MILLI;

  private final String id;
  private SteadyDemand steady;
  private double demand;
  private long generation = GENERATION;
  private long reported = NOW;
  private Need need = Need.NONE;
  private long loop = LOOP;
  private long shareEnd = NOW + TERM;
  private List<ClassReport> classes = List.of();
  private final List<LedgerCell> cells = new ArrayList<>();

  HolderBuilder(String id, double steady) {
    this.id = id;
    this.steady = SteadyDemand.of(steady);
    this.demand = steady;
  }

  HolderBuilder asksForNothing() {
    return asksNow(0);
  }

  /** Permits per second of late, whatever it asks for steadily. */
  HolderBuilder asksNow(double perSecond) {
    demand = perSecond;
    return this;
  }

  /** Asks for nothing since so long ago, and asked for that before. */
  HolderBuilder paused(double before, long nanos) {
    steady = new SteadyDemand(0, before, nanos);
    return asksForNothing();
  }

  HolderBuilder needs(long permits) {
    need = Need.of(permits);
    return this;
  }

  /** Of the permits that its requests lack, one of them costs so many. */
  HolderBuilder needs(long permits, long costliest) {
    need = new Need(permits, costliest, RequestCost.ONE);
    return this;
  }

  /** Permits of each of its requests. */
  HolderBuilder costs(long permits) {
    need = need.withCost(new RequestCost(permits, permits));
    return this;
  }

  HolderBuilder loop(long nanos) {
    loop = nanos;
    return this;
  }

  /** For shares that are added after this. */
  HolderBuilder until(long enforcerNanos) {
    shareEnd = enforcerNanos;
    return this;
  }

  HolderBuilder classes(ClassReport... reports) {
    classes = List.of(reports);
    return this;
  }

  HolderBuilder generation(long of) {
    generation = of;
    return this;
  }

  HolderBuilder reportedAgo(long nanos) {
    reported = NOW - nanos;
    return this;
  }

  HolderBuilder shareOf(long permits) {
    return shareOf(permits, permits * 1_000);
  }

  HolderBuilder shareOf(long permits, long burstMillis) {
    return shareSince(0, permits, burstMillis);
  }

  HolderBuilder shareSince(long since, long permits, long burstMillis) {
    RateShare terms = new RateShare(1, permits, burstMillis, 0);
    LedgerShare share = new LedgerShare(terms, terms, 0, since, ShareTerm.first(shareEnd, 0));
    cells.add(LedgerCell.share(1, share, shareEnd));
    return this;
  }

  /** A share of which so much counts as used. */
  HolderBuilder shareUsed(long since, long permits, long used) {
    shareSince(since, permits, permits * 1_000);
    CellUsage usage = CellUsage.of(1, 0).ofShare(new NamedShare(1, used));
    cells.set(cells.size() - 1, cells.get(cells.size() - 1).withUsage(usage));
    return this;
  }

  /** What it used of a window by its share, which is added before. */
  HolderBuilder usedByShare(long window, long permits) {
    CellUsage usage = CellUsage.of(-1, window).withTaken(permits).ofShare(1);
    cells.add(0, LedgerCell.reportedOnly(-1, window, NOW).withUsage(usage));
    return this;
  }

  HolderBuilder leaseOf(long permits, long window) {
    cells.add(LedgerCell.granted(2, window, permits, NOW + SECOND));
    return this;
  }

  /** A ledger of these holders that has nothing else booked. */
  static WorkingLedger ledger(Limit limit, long now, List<Holder> holders) {
    return ledger(limit, limit.initial(now), now, holders);
  }

  static WorkingLedger ledger(Limit limit, LimitState state, long now, List<Holder> holders) {
    KeyLedger ledger =
        new KeyLedger(
            new Counting(GENERATION, limit, state, StateClock.ENFORCER),
            new KeyTimes(now, 0, 0, 0),
            Trust.WHOLE,
            List.of(),
            holders);
    return new WorkingLedger(ledger, limit, false, Tenure.first(1), now);
  }

  Holder get() {
    LastReport report =
        new LastReport(
            demand, steady, need, loop, ReportTime.came(reported), ClockBound.NONE, classes);
    HolderKey key = new HolderKey(HolderId.of(id), 1, generation);
    return new Holder(key, report, Settled.NONE, HolderCells.of(cells));
  }
}
