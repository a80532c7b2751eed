package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.RateShare;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import java.util.Optional;

/**
 * Permits at rest: small shares of strict limits, for a term of their own, so that somebody who
 * asks seldom finds a permit at the instance that admitted the request before.
 *
 * <p>All that may rest takes at most half of a limit, so that holders which crash keep no more from
 * others. The more of that is taken, the shorter a term is that begins: the oldest end first, and
 * the newest find room.
 */
final class RestingShares {
  /** Part of the limit that may rest. */
  private static final long PART = 2;

  /** Permits that are left alone for each one that was used lately. */
  private static final long PER_USED = 2;

  /** Below this many permits in total, some rest only where somebody has come back before. */
  private static final long MANY = 32;

  /** Shorter windows turn while a successor's time stands still. */
  private static final long SHORTEST_PERIOD_NANOS = 1_000_000_000L;

  /** Between two recalls of a key: within it what rests comes back, if its holders are there. */
  private static final long RECALLED_EVERY_NANOS = 500_000_000L;

  private final LedgerSettings settings;

  RestingShares(LedgerSettings settings) {
    this.settings = settings;
  }

  /** Whether permits of the rule's limit may rest. */
  static boolean lets(Limit limit, Rule rule, LedgerSettings settings) {
    return settings.restTermNanos() > settings.shareTermNanos()
        && rule.enforcement() == Enforcement.STRICT
        // What rests is heard of seldom, and a limit that the load lowers is to hold at once.
        && rule.adapt().isEmpty()
        && limit instanceof WindowedLimit
        && limit.periodNanos() >= SHORTEST_PERIOD_NANOS;
  }

  /**
   * The share that the holder at {@code index} is to have, for which it has asked or which is to be
   * at rest: a permit beside those that it used in this window.
   *
   * @param steady what it is to have for what it asks for
   */
  ShareSize of(WorkingLedger ledger, int index, Rule rule, ShareSize steady) {
    Holder mine = ledger.holders().get(index);
    if (!lets(ledger.limit, rule, settings) || mine.isReplays()) {
      return steady;
    }
    LedgerShare share = mine.share();
    if (mine.needed() > ledger.limit.permits() - Math.max(1, share.permits())) {
      // A share of its own would keep it from a request that costs about all of the limit.
      return ShareSize.NONE;
    }
    long half = ledger.limit.permits() / PART - restingBeside(ledger, mine);
    // What is good for long may not grow beyond what may rest.
    long most = isLong(ledger, mine) ? Math.max(0, half) : Long.MAX_VALUE;
    boolean hasComeBack = mine.settled().granted() > 0;
    boolean isWorthIt = hasComeBack || ledger.limit.permits() >= MANY;
    boolean mayBegin = share.isShare() || (mine.hasDemand() && isWorthIt);
    long unasked = ledger.limit.permits() - PER_USED * usedLately(ledger);
    long room = mayBegin && HolderBound.hasRoom(ledger) ? Math.min(half, unasked) : 0;
    long rest = Math.min(wish(ledger, mine), Math.max(0, room));
    return ShareSize.of(Math.max(Math.min(steady.permits(), most), rest));
  }

  private static long wish(WorkingLedger ledger, Holder holder) {
    long most = RateShare.mostAtRest(ledger.limit.permits());
    if (most < holder.cost().mean()) {
      return 0;
    }
    long window = ledger.limit.cellWindow(ledger.now);
    long wish = Math.min(most, WindowShares.usedIn(holder, window) + holder.cost().mean());
    long has = holder.share().offered().permits();
    return has >= wish && has <= most ? has : wish;
  }

  /**
   * Permits that were used lately: in this window, or one at least by each holder that was heard of
   * within a period.
   */
  private static long usedLately(WorkingLedger ledger) {
    long window = ledger.limit.cellWindow(ledger.now);
    long used = ledger.limit.permits() - ledger.account.unusedBesideShares(ledger.now);
    long heard = 0;
    for (Holder holder : ledger.holders()) {
      if (holder.generation() == ledger.generation) {
        boolean lately = ledger.now - holder.lastReportNanos() < ledger.limit.periodNanos();
        heard += lately ? 1 : 0;
        used += holder.cells().hasShareInUse() ? WindowShares.usedIn(holder, window) : 0;
      }
    }
    return Math.max(used, heard);
  }

  /** Permits of all others that are at rest, or may be without another word. */
  private long restingBeside(WorkingLedger ledger, Holder mine) {
    long few = RateShare.mostAtRest(ledger.limit.permits());
    long permits = 0;
    for (Holder holder : ledger.holders()) {
      if (holder != mine
          && holder.generation() == ledger.generation
          && holder.cells().hasShareInUse()) {
        long each = holder.share().permits();
        permits += each <= few || isLong(ledger, holder) ? each : 0;
      }
    }
    return permits;
  }

  /** Whether its share may be good for longer than one that was renewed as others are. */
  private boolean isLong(WorkingLedger ledger, Holder holder) {
    return holder.share().isShare()
        && holder.share().term().endNanos() > ledger.now + settings.shareTermNanos();
  }

  /**
   * Enforcer time until which the holder may keep its share, if it rests; 0 if not: then it has
   * told that it asks for nothing, and has the share still.
   */
  long termEnd(WorkingLedger ledger, Holder holder, Rule rule) {
    LedgerShare share = holder.share();
    boolean rests =
        lets(ledger.limit, rule, settings)
            && !holder.isReplays()
            && !holder.hasDemand()
            && share.isSettled()
            && share.permits() > 0
            && share.permits() <= RateShare.mostAtRest(ledger.limit.permits());
    if (!rests) {
      return 0;
    }
    long half = ledger.limit.permits() / PART;
    long others = restingBeside(ledger, holder);
    if (half - others < share.permits()) {
      return 0;
    }
    double free = (double) (half - others) / half;
    return ledger.now + (long) (settings.restTermNanos() * free);
  }

  /** Whether a holder is to hear that it may rest, once that is committed. */
  boolean isToHear(WorkingLedger ledger, Holder holder, Rule rule) {
    long end = termEnd(ledger, holder, rule);
    long told = holder.share().term().toSend(ledger.tenure.commit());
    return end > 0 && told - ledger.now < (end - ledger.now) / 2;
  }

  /**
   * Asks all instances for what rests of a key, if the one that reports lacks permits. It is told
   * as an exhaustion that is over: who keeps nothing has nothing to do with it.
   */
  Optional<ExhaustedQuota> recall(WorkingLedger ledger, int index, Rule rule) {
    Holder mine = ledger.holders().get(index);
    long window = ledger.limit.cellWindow(ledger.now);
    long waited = mine.needed() - mine.outstanding(ledger.limit, window);
    long lacks = Math.max(waited, ledger.throttled() > 0 ? 1 : 0);
    long free = ledger.unused(ledger.now) - ledger.outstanding(window);
    boolean isDue = lacks > Math.max(0, free) && ledger.now >= ledger.exhaustedUntil;
    if (!isDue || !lets(ledger.limit, rule, settings) || !isKeptFrom(ledger, mine)) {
      return Optional.empty();
    }
    ledger.exhaustedUntil = ledger.now + RECALLED_EVERY_NANOS;
    return Optional.of(new ExhaustedQuota(ledger.generation, ledger.now, 0, 0));
  }

  /** Whether another holder has something at rest. */
  private boolean isKeptFrom(WorkingLedger ledger, Holder mine) {
    for (Holder holder : ledger.holders()) {
      if (holder != mine
          && holder.generation() == ledger.generation
          && !holder.hasDemand()
          && holder.share().permits() > 0) {
        return true;
      }
    }
    return false;
  }
}
