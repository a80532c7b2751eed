package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.AtRest;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.RenewalTerms;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.message.RateShare;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;

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

  /** Whoever has just begun to ask may be as quick for a moment, against who asks steadily. */
  private static final double TIMES_AT_FIRST = 4;

  private final LedgerSettings settings;

  RestingShares(LedgerSettings settings) {
    this.settings = settings;
  }

  /** Whether permits of the rule's limit may rest for a term of their own. */
  static boolean lets(Limit limit, Rule rule, LedgerSettings settings) {
    return settings.restTermNanos() > settings.shareTermNanos()
        && mayBeKept(limit, rule)
        && (settings.validity().ofBuckets() || !(limit.renewal() instanceof RenewalTerms.Steady));
  }

  /** Whether an instance may keep a small share, while it is good, that nobody asks for. */
  static boolean mayBeKept(Limit limit, Rule rule) {
    return rule.enforcement() == Enforcement.STRICT
        // What rests is heard of seldom, and a limit that the load lowers is to hold at once.
        && rule.adapt().isEmpty()
        // Only the first class takes from a share.
        && rule.classes().isEmpty()
        && AtRest.lets(limit);
  }

  /**
   * The share that the holder at {@code index} is to have, for which it has asked or which is to be
   * at rest: a permit beside those that it used in this window, or that count as used in its share.
   *
   * @param steady what it is to have for what it asks for
   */
  ShareSize of(WorkingLedger ledger, int index, Rule rule, ShareSize steady) {
    Holder mine = ledger.holders().get(index);
    LedgerShare share = mine.share();
    boolean isAsleep =
        !mine.hasDemand()
            && !mine.isReplays()
            && mayBeKept(ledger.limit, rule)
            && atOnce(share) <= AtRest.most(ledger.limit)
            && share.permits() - SharesInUse.usedIn(ledger, mine) <= AtRest.mostLeft(ledger.limit);
    // It keeps what it has, or gives that back: of less it would hear, but not say so.
    ShareSize least = isAsleep ? share.size() : ShareSize.NONE;
    if (!lets(ledger.limit, rule, settings) || mine.isReplays()) {
      return steady.atLeast(least);
    }
    if (isSteady(ledger, mine)) {
      return atMostWhatMayRest(ledger, index, steady.atLeast(least));
    }
    long whole = AtRest.whole(ledger.limit);
    long used = SharesInUse.used(ledger);
    long ownLeft = Math.max(1, share.permits() - SharesInUse.usedIn(ledger, mine));
    long mostAtOnce = ledger.limit.capacity() - used - ownLeft;
    long cost = mine.cost().mean();
    if (mine.neededAtOnce() > Math.max(AtRest.few(ledger.limit), mostAtOnce)) {
      // A share of few would keep it from a request that costs about all that there is.
      return atMostWhatMayRest(ledger, index, steady.atLeast(least));
    }
    long unused = ledger.limit.capacity() - Math.max(used, SharesInUse.heardOfLately(ledger));
    boolean hasComeBack = mine.settled().granted() > 0;
    boolean isWorthIt = hasComeBack || whole >= MANY;
    boolean isBusy = mine.needed() >= unused || isBusy(ledger, mine);
    boolean mayBegin = !isBusy && (share.isShare() || (mine.hasDemand() && isWorthIt));
    long left = Math.min(whole / PART, unused / PER_LEFT);
    long room = mayBegin && HolderBound.hasRoom(ledger) ? left - unusedBeside(ledger, mine) : 0;
    ShareSize rest = ShareSize.of(rest(ledger, mine, Math.max(0, room)));
    return atMostWhatMayRest(ledger, index, steady.atLeast(rest).atLeast(least));
  }

  /** Whether it has a share for what it asks for all the time, of which nothing is to rest. */
  private static boolean isSteady(WorkingLedger ledger, Holder mine) {
    return asksOften(mine) && has(ledger, mine) > AtRest.most(ledger.limit);
  }

  private static boolean asksOften(Holder mine) {
    return mine.report().steadyPerSecond() > AtRest.SLOW_PER_SECOND * mine.cost().mean();
  }

  /**
   * Permits of its share. A steady share of a bucket is mostly rate, of which nothing is to rest.
   */
  private static long has(WorkingLedger ledger, Holder holder) {
    RateShare terms = holder.share().offered();
    return ledger.limit.isBucket()
        ? Math.min(terms.permits(), terms.burstMillis() / MILLIS)
        : terms.permits();
  }

  /**
   * Whether it asks so often, or all holders for so much, that what it has at rest would only keep
   * permits from others.
   */
  private boolean isBusy(WorkingLedger ledger, Holder mine) {
    double perSecond = AtRest.SLOW_PER_SECOND * mine.cost().mean();
    boolean isQuick =
        !ledger.limit.isBucket() && mine.demandPerSecond() > TIMES_AT_FIRST * perSecond;
    return isQuick || asksOften(mine) || SharesInUse.isAskedForInFull(ledger, settings);
  }

  /** Whether a share is good for long, which cannot be cut as soon as others need more. */
  boolean areAnyLong(WorkingLedger ledger) {
    return ledger.holders().stream().anyMatch(holder -> rests(ledger, holder));
  }

  /** A share that is good for long does not grow beyond what may rest. */
  private ShareSize atMostWhatMayRest(WorkingLedger ledger, int index, ShareSize size) {
    Holder mine = ledger.holders().get(index);
    if (!isLong(ledger, mine)) {
      return size;
    }
    long permits = ledger.limit.permits() / PART;
    long millis = ledger.limit.capacity() / PART * MILLIS;
    for (Holder holder : ledger.holders()) {
      if (holder != mine && rests(ledger, holder)) {
        permits -= holder.share().permits();
        millis -= holder.share().burstMillis();
      }
    }
    LedgerShare has = mine.share();
    return size.atMost(
        new ShareSize(
            Math.max(has.offered().permits(), permits),
            Math.max(has.offered().burstMillis(), millis)));
  }

  /**
   * A permit, or as many as a request costs, or a few for those that came together, beside those
   * that were used in this window or count as used in the share. One that has a few more left keeps
   * them. Of a bucket what was used is put in anew.
   *
   * @param room permits that may be left in it
   */
  private long rest(WorkingLedger ledger, Holder holder, long room) {
    long cost = holder.cost().mean();
    long most = AtRest.most(ledger.limit);
    if (AtRest.few(ledger.limit) < cost) {
      return 0;
    }
    long used = ledger.limit.isBucket() ? 0 : SharesInUse.usedIn(ledger, holder);
    long together = Math.min(ledger.asked(), AtRest.few(ledger.limit));
    long wish = Math.min(most, used + Math.max(cost, together));
    long has = has(ledger, holder);
    boolean keeps = has >= wish && has <= most && has - used <= AtRest.few(ledger.limit);
    long uncut = ledger.limit instanceof WindowedLimit ? AtRest.slow(ledger.limit) : most;
    // What fades is rounded up: each small share of a limit that slides loses half a permit.
    boolean loses =
        !(ledger.limit instanceof WindowedLimit) && SharesInUse.isAskedForInFull(ledger, settings);
    long inUse = has > uncut || loses ? 0 : Math.min(Math.min(has, used), evenPart(ledger));
    return inUse + Math.max(0, Math.min((keeps ? has : wish) - inUse, room));
  }

  /**
   * What counts as used of a small share is not cut, up to an even part of the limit, but where
   * windows turn quickly: to cut it frees nothing, since that would be missing until it had come
   * back, and of some kinds for longer.
   */
  private long evenPart(WorkingLedger ledger) {
    long asking =
        ledger.holders().stream()
            .filter(holder -> holder.generation() == ledger.generation)
            .filter(holder -> Needs.isAlive(ledger, holder, settings))
            .count();
    return AtRest.whole(ledger.limit) / Math.max(1, asking);
  }

  /** Permits that others have left in small shares. */
  private long unusedBeside(WorkingLedger ledger, Holder mine) {
    long unused = 0;
    for (Holder holder : ledger.holders()) {
      if (holder != mine
          && holder.generation() == ledger.generation
          && holder.cells().hasShareInUse()
          && (isLong(ledger, holder) || holder.share().permits() <= AtRest.most(ledger.limit))) {
        unused += Math.max(0, holder.share().permits() - SharesInUse.usedIn(ledger, holder));
      }
    }
    return unused;
  }

  /** Permits of all others that are at rest. */
  private long restingBeside(WorkingLedger ledger, Holder mine) {
    long permits = 0;
    for (Holder holder : ledger.holders()) {
      permits += holder != mine && rests(ledger, holder) ? atOnce(holder.share()) : 0;
    }
    return permits;
  }

  private boolean rests(WorkingLedger ledger, Holder holder) {
    return holder.generation() == ledger.generation
        && holder.cells().hasShareInUse()
        && isLong(ledger, holder);
  }

  /** Permits that a share keeps from others, of a bucket of its capacity or of its rate. */
  static long atOnce(LedgerShare share) {
    return Math.max(share.permits(), (share.burstMillis() + MILLIS - 1) / MILLIS);
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
    if (!rests || !HolderBound.hasRoom(ledger) || SharesInUse.isAskedForInFull(ledger, settings)) {
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
}
