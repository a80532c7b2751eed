package io.quotaenforcer.core.ledger;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.message.ExhaustedQuota;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.Rule;
import java.util.Optional;

/**
 * Permits of a key that instances may admit by their own count: those left of the limit, as long as
 * demand does not exceed it.
 */
final class Openings {
  private static final long MIN_EXHAUSTED_NANOS = 200_000_000L;
  private static final double NANOS_PER_SECOND = 1e9;

  /** Part of the limit that a short key must have free again before it may be opened. */
  private static final int FREE_AGAIN = 8;

  /** Part of the rate above which a short key stays so. */
  private static final double PRESSED = 0.9;

  /** Requests within a loop below which instances hear of each one before the next comes. */
  private static final double SELDOM = 0.5;

  private final LedgerSettings settings;

  Openings(LedgerSettings settings) {
    this.settings = settings;
  }

  /**
   * Learns from a report that was booked how far the key can be opened.
   *
   * @param scarce whether holders need more than there is to grant
   */
  void judge(WorkingLedger ledger, Rule rule, QuotaUsage usage, boolean scarce) {
    if (rule.enforcement() != Enforcement.BALANCED) {
      return;
    }
    long over = ledger.over();
    boolean asksMore = usage.needed() > 0 || ledger.throttled() > 0;
    boolean isAtLimit = asksMore && ledger.unused(ledger.now) <= 0;
    boolean isStillShort = ledger.trust.isShort(ledger.now) && (scarce || isPressed(ledger));
    if (over > 0) {
      boolean enforced = rule.mode() == Mode.ENFORCE;
      ledger.trust = ledger.trust.over(over, ledger.limit, enforced, ledger.now);
    }
    boolean isSeldom = over == 0 && requestsInALoop(ledger) < SELDOM;
    if (over > 0 || isAtLimit || isStillShort && !isSeldom) {
      long freeAgain = Math.max(1, ledger.limit.capacity() / FREE_AGAIN);
      long freeAt = ledger.unusedAt(freeAgain);
      ledger.trust =
          isSeldom
              ? ledger.trust.shortUntil(freeAt, ledger.limit, ledger.now)
              : ledger.trust.shortage(ledger.limit, freeAt, ledger.now);
    }
  }

  /**
   * Requests of all instances that come until an answer does: where a costly one lacks permits,
   * such as that one.
   */
  private double requestsInALoop(WorkingLedger ledger) {
    long lacking = 1;
    for (Holder holder : ledger.holders()) {
      lacking = Math.max(lacking, isInUse(ledger, holder) ? holder.neededAtOnce() : 1);
    }
    double requests = 0;
    for (Holder holder : ledger.holders()) {
      if (isInUse(ledger, holder)) {
        long cost = Math.max(lacking, holder.cost().mean());
        double perSecond = holder.report().steadyPerSecond() / cost;
        requests += perSecond * settings.loopOf(holder) / NANOS_PER_SECOND;
      }
    }
    return requests;
  }

  /** Whether clients ask for about as much as the limit gives, or more. */
  private boolean isPressed(WorkingLedger ledger) {
    double demand = 0;
    for (Holder holder : ledger.holders()) {
      demand += isInUse(ledger, holder) ? holder.demandPerSecond() : 0;
    }
    return demand * ledger.limit.periodNanos() / NANOS_PER_SECOND
        >= PRESSED * ledger.limit.permits();
  }

  /** Permits that a holder may admit beside what it was granted. */
  long of(WorkingLedger ledger, Holder holder, Rule rule) {
    if (rule.enforcement() != Enforcement.BALANCED || ledger.trust.isShort(ledger.now)) {
      return 0;
    }
    long most = rule.opening().atOnce(ledger.limit, settings.maxInstances());
    long allowed = ledger.trust.isAbused(ledger.now) ? Math.min(most, evenPart(ledger)) : most;
    long window = ledger.limit.cellWindow(ledger.now);
    long own = holder.outstanding(ledger.limit, window);
    return Math.max(0, Math.min(allowed, ledger.leftToOpen(holder, ledger.now) - own));
  }

  /** Enforcer time until which {@link #of} does not renew with time; 0 where it does. */
  long until(WorkingLedger ledger) {
    Trust trust = ledger.trust;
    if (trust.isShort(ledger.now)) {
      return trust.shortUntilNanos();
    }
    return trust.isAbused(ledger.now) ? trust.abusedUntilNanos() : 0;
  }

  /** Permits that each instance may open on an abused key. */
  private long evenPart(WorkingLedger ledger) {
    return ledger.limit.permits() / Math.max(1, users(ledger));
  }

  /**
   * Tells of a key that is used up or abused. The former only if several instances use it: a single
   * one learns it from its own answer. Permits that are held count as left: those that are not used
   * come back. So do what shares of a window have left, and a bucket that is let to shares, which
   * give permits all the time.
   */
  Optional<ExhaustedQuota> announce(WorkingLedger ledger, Trust before) {
    long until = exhaustedUntil(ledger);
    boolean isNews = until > 0 || ledger.trust.abusedUntilNanos() > before.abusedUntilNanos();
    if (!isNews) {
      return Optional.empty();
    }
    ledger.exhaustedUntil = Math.max(ledger.exhaustedUntil, until);
    long abusedUntil = ledger.trust.isAbused(ledger.now) ? ledger.trust.abusedUntilNanos() : 0;
    return Optional.of(
        new ExhaustedQuota(
            ledger.generation, ledger.exhaustedUntil, evenPart(ledger), abusedUntil));
  }

  /** Tells of a key that has no permits before its penalty is over, whatever is left. */
  ExhaustedQuota penalized(WorkingLedger ledger) {
    ledger.exhaustedUntil = Math.max(ledger.exhaustedUntil, ledger.penalty.untilNanos());
    long abusedUntil = ledger.trust.isAbused(ledger.now) ? ledger.trust.abusedUntilNanos() : 0;
    return new ExhaustedQuota(
        ledger.generation, ledger.exhaustedUntil, evenPart(ledger), abusedUntil);
  }

  /** Tells of a key that it may have permits, and what was known of abuse. */
  ExhaustedQuota unexhausted(KeyLedger ledger, Limit limit, long now) {
    long at = Math.max(now, ledger.timeNanos());
    Trust trust = ledger.trust();
    long users = ledger.holders().stream().filter(it -> isInUse(it, at)).count();
    return new ExhaustedQuota(
        ledger.generation(),
        at,
        limit.permits() / Math.max(1, users),
        trust.isAbused(at) ? trust.abusedUntilNanos() : 0);
  }

  /** 0 where there is nothing new. */
  private long exhaustedUntil(WorkingLedger ledger) {
    if (ledger.unused(ledger.now) > 0 || ledger.now < ledger.exhaustedUntil || sharesGive(ledger)) {
      return 0;
    }
    long until = ledger.account.renewsAt();
    return users(ledger) < 2 || until - ledger.now < MIN_EXHAUSTED_NANOS ? 0 : until;
  }

  private static boolean sharesGive(WorkingLedger ledger) {
    return ledger.limit instanceof WindowedLimit
        ? ledger.leftInShares(ledger.limit.cellWindow(ledger.now)) > 0
        : ledger.account.lent().permitsOfWhole(ledger.limit) > 0;
  }

  private int users(WorkingLedger ledger) {
    int users = 0;
    for (Holder holder : ledger.holders()) {
      users += isInUse(ledger, holder) ? 1 : 0;
    }
    return users;
  }

  private boolean isInUse(WorkingLedger ledger, Holder holder) {
    return isInUse(holder, ledger.now);
  }

  private boolean isInUse(Holder holder, long now) {
    return now - holder.lastReportNanos() <= settings.allotmentTtlNanos();
  }
}
