package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.AtRest;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.RenewalTerms;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.message.ExhaustedQuota;
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

  /** One of so many permits that nobody has used lately may be left in shares of few. */
  private static final long PER_LEFT = 2;

  private static final long MILLIS = 1_000;

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
        && limit.isDivisible()
        && (limit.renewal() instanceof RenewalTerms.Steady
            ? settings.validity().ofBuckets()
            : limit.periodNanos() >= SHORTEST_PERIOD_NANOS);
  }

  /**
   * The share that the holder at {@code index} is to have, for which it has asked or which is to be
   * at rest: a permit beside those that it used in this window, or that count as used in its share.
   *
   * @param steady what it is to have for what it asks for
   */
  ShareSize of(WorkingLedger ledger, int index, Rule rule, ShareSize steady) {
    Holder mine = ledger.holders().get(index);
    if (!lets(ledger.limit, rule, settings) || mine.isReplays()) {
      return steady;
    }
    LedgerShare share = mine.share();
    long whole = AtRest.whole(ledger.limit);
    if (mine.needed() > whole - Math.max(1, share.permits())) {
      // A share of its own would keep it from a request that costs about all of the limit.
      return ShareSize.NONE;
    }
    boolean hasComeBack = mine.settled().granted() > 0;
    boolean isWorthIt = hasComeBack || whole >= MANY;
    boolean mayBegin = share.isShare() || (mine.hasDemand() && isWorthIt);
    long left = Math.min(whole / PART, (whole - usedLately(ledger)) / PER_LEFT);
    long room = mayBegin && HolderBound.hasRoom(ledger) ? left - unusedBeside(ledger, mine) : 0;
    return bounded(ledger, index, steady.atLeast(rest(ledger, mine, Math.max(0, room))));
  }

  /** What is good for long may not grow beyond what may rest. */
  ShareSize bounded(WorkingLedger ledger, int index, ShareSize size) {
    Holder mine = ledger.holders().get(index);
    long half = AtRest.whole(ledger.limit) / PART - restingBeside(ledger, mine);
    return isLong(ledger, mine) ? size.atMost(Math.max(0, half)) : size;
  }

  /**
   * A permit, or as many as a request costs, beside those that were used in this window or count as
   * used in the share. One that has a few more left keeps them.
   *
   * @param room permits that may be left in it
   */
  private static long rest(WorkingLedger ledger, Holder holder, long room) {
    long most = AtRest.most(ledger.limit);
    if (most < holder.cost().mean()) {
      return 0;
    }
    // Those of a bucket are put in anew.
    long used = ledger.limit.isBucket() ? 0 : usedIn(ledger, holder);
    long wish = Math.min(most, used + holder.cost().mean());
    long has = holder.share().offered().permits();
    boolean keeps = has >= wish && has <= most && has - used <= AtRest.few(ledger.limit);
    long inUse = has <= most ? Math.min(Math.min(has, used), evenPart(ledger)) : 0;
    return inUse + Math.max(0, Math.min((keeps ? has : wish) - inUse, room));
  }

  /**
   * What counts as used of a small share is not cut, up to an even part of the limit: to cut it
   * frees nothing, since that would be missing until it had come back, and of some kinds for
   * longer.
   */
  private static long evenPart(WorkingLedger ledger) {
    long asking = ledger.holders().stream().filter(Holder::hasDemand).count();
    return AtRest.whole(ledger.limit) / Math.max(1, asking);
  }

  /** Permits that a holder's shares count as used now. */
  private static long usedIn(WorkingLedger ledger, Holder holder) {
    if (ledger.limit instanceof WindowedLimit limit) {
      return WindowShares.usedIn(holder, limit.cellWindow(ledger.now));
    }
    return SteadyShares.used(holder);
  }

  /**
   * Permits that were used lately: in this window, or one at least by each holder that was heard of
   * within a period.
   */
  private static long usedLately(WorkingLedger ledger) {
    long used = ledger.account.used();
    long heard = 0;
    for (Holder holder : ledger.holders()) {
      if (holder.generation() == ledger.generation) {
        boolean lately = ledger.now - holder.lastReportNanos() < ledger.limit.periodNanos();
        heard += lately ? 1 : 0;
        used += holder.cells().hasShareInUse() ? usedIn(ledger, holder) : 0;
      }
    }
    return Math.max(used, heard);
  }

  /** Permits that others have left in small shares. */
  private long unusedBeside(WorkingLedger ledger, Holder mine) {
    long most = AtRest.most(ledger.limit);
    long unused = 0;
    for (Holder holder : ledger.holders()) {
      if (holder != mine
          && holder.generation() == ledger.generation
          && holder.cells().hasShareInUse()
          && (holder.share().permits() <= most || isLong(ledger, holder))) {
        unused += Math.max(0, holder.share().permits() - usedIn(ledger, holder));
      }
    }
    return unused;
  }

  /** Permits of all others that are at rest, or may be without another word. */
  private long restingBeside(WorkingLedger ledger, Holder mine) {
    long few = AtRest.few(ledger.limit);
    long permits = 0;
    for (Holder holder : ledger.holders()) {
      if (holder != mine
          && holder.generation() == ledger.generation
          && holder.cells().hasShareInUse()) {
        long each = atOnce(holder.share());
        permits += each <= few || isLong(ledger, holder) ? each : 0;
      }
    }
    return permits;
  }

  /** Permits that a share keeps from others, of a bucket of its capacity or of its rate. */
  private static long atOnce(LedgerShare share) {
    return Math.max(share.permits(), (share.burstMillis() + MILLIS - 1) / MILLIS);
  }

  /**
   * Tokens that are missing from the small share of a bucket, which the bucket has: they are put in
   * while they are few, so that the share need not bring as many by itself.
   */
  long toPutIn(WorkingLedger ledger, int index, Rule rule) {
    Holder holder = ledger.holders().get(index);
    LedgerShare share = holder.share();
    boolean isSmall =
        lets(ledger.limit, rule, settings)
            && ledger.limit.isBucket()
            && !holder.isReplays()
            && share.isSettled()
            && share.permits() > 0
            && atOnce(share) <= AtRest.few(ledger.limit);
    if (!isSmall) {
      return 0;
    }
    long free = ledger.unused(ledger.now) - ledger.outstanding(0) - ledger.headroom(0).total();
    return Math.max(0, Math.min(SteadyShares.used(holder), free / PER_LEFT));
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
            && atOnce(share) <= AtRest.most(ledger.limit);
    if (!rests) {
      return 0;
    }
    long half = AtRest.whole(ledger.limit) / PART;
    long others = restingBeside(ledger, holder);
    if (half - others < atOnce(share)) {
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
