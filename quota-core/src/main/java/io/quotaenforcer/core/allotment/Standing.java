package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.ThrottleReason;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import org.jspecify.annotations.Nullable;

/**
 * How one quota key stands, as decisions tell it: by what is held, and what the enforcer last said.
 * Made when somebody asks.
 */
final class Standing {
  private final BookSettings settings;
  private final HeldCells cells;
  private final UngrantedPermits ungranted;
  private final @Nullable LocalLimiter limiter;
  private final Answers answers;
  private final UnmetDemand unmet;

  Standing(
      BookSettings settings,
      HeldCells cells,
      UngrantedPermits ungranted,
      Answers answers,
      UnmetDemand unmet) {
    this.settings = settings;
    this.cells = cells;
    this.ungranted = ungranted;
    this.limiter = ungranted.limiter();
    this.answers = answers;
    this.unmet = unmet;
  }

  /**
   * As it is after a request.
   *
   * @param from the cell that gave the request its permits; null if it was refused
   * @param permits what the request costs
   * @param demandClass index of its class; 0 where the rule has none
   */
  RuleDecision describe(
      QuotaKey quotaKey,
      KeyTerms terms,
      PartitionLink link,
      @Nullable Cell from,
      long permits,
      int demandClass,
      long now) {
    Limit limit = terms.limit();
    if (terms.denied()) {
      return RuleDecision.denied(quotaKey, limit.periodNanos(), terms.isShadow(), now);
    }
    KnownQuota known = answers.newest();
    if (from == null && known != null && known.isPenalized(link.toEnforcer(now))) {
      return penalized(quotaKey, terms, demandClass, known.penaltyUntilNanos(), link, now);
    }
    boolean alone = terms.isAlone();
    boolean knowsUse = limiter == null ? known != null : alone;
    long owed = unmet.debt().owed();
    long remaining = Math.max(0, remaining(terms, link, from, now) - owed);
    ThrottleReason reason =
        from != null ? ThrottleReason.NONE : reason(limit, link, permits + owed, now);
    // What was known of the rest of the limit is older than the refusal.
    boolean lacks = reason == ThrottleReason.OVER_LIMIT;
    return RuleDecision.builder(quotaKey, limit, now)
        .remaining(lacks ? Math.min(remaining, permits - 1) : remaining)
        .resetNanos(reset(limit, link, now))
        .retryAfterNanos(from != null ? 0 : retryAfter(limit, link, permits, now))
        .windowStartNanos(from == null ? 0 : from.windowStartNanos())
        .degraded(!alone && link.isAwayAt(now) && !ridesOut(link, now))
        .known(known != null || limiter != null)
        .shadow(terms.isShadow())
        .demandClass(terms.className(demandClass))
        .aboveNominal(knowsUse && remaining < terms.tolerated())
        .owed(owed)
        .source(source(terms, link, from, now))
        .adapted(terms.adapted())
        .reason(reason)
        .build();
  }

  /** Refused until a penalty is over: that is known whether the enforcer answers or not. */
  private RuleDecision penalized(
      QuotaKey quotaKey,
      KeyTerms terms,
      int demandClass,
      long untilNanos,
      PartitionLink link,
      long now) {
    long left = Math.max(1, untilNanos - link.toEnforcer(now));
    return RuleDecision.builder(quotaKey, terms.limit(), now)
        .resetNanos(left)
        .retryAfterNanos(left)
        .shadow(terms.isShadow())
        .demandClass(terms.className(demandClass))
        .owed(unmet.debt().owed())
        .reason(ThrottleReason.PENALTY)
        .adapted(terms.adapted())
        .build();
  }

  /** Whether the enforcer is away, and the instance goes on with its share as if it were not. */
  private boolean ridesOut(PartitionLink link, long now) {
    return link.isAwayAt(now) && cells.isCarried(now);
  }

  private ThrottleReason reason(Limit limit, PartitionLink link, long permits, long now) {
    boolean isOver =
        permits > limit.capacity()
            || limiter != null
            || (link.isAwayAt(now) && cells.shareFor(permits, now) != null)
            || answers.isUsedUp(link, permits, now);
    return isOver ? ThrottleReason.OVER_LIMIT : ThrottleReason.NOT_GRANTED_YET;
  }

  private static PermitSource source(
      KeyTerms terms, PartitionLink link, @Nullable Cell from, long now) {
    if (from == null) {
      return PermitSource.NONE;
    }
    if (!(from instanceof CountingCell) || terms.isAlone()) {
      return PermitSource.GRANTED;
    }
    return link.isAwayAt(now) ? PermitSource.DEGRADED : PermitSource.OPENING;
  }

  /** Nanoseconds until permits for a queue may be there that are not there now. */
  long queueRetryAfter(Limit limit, PartitionLink link, long permits, long now) {
    HeldShare share = cells.shareFor(permits, now);
    if (share != null && share.isRenewing()) {
      return Math.max(1, share.nanosUntil(permits, now));
    }
    long loop = link.answerNanos();
    boolean mustTurn = limit instanceof WindowedLimit && answers.lacks(limit, permits);
    return mustTurn ? answers.retryAfter(link, permits, loop, now) : loop;
  }

  private long remaining(KeyTerms terms, PartitionLink link, @Nullable Cell from, long now) {
    Limit limit = terms.limit();
    if (limiter != null) {
      return Math.min(limiter.available(link.toEnforcer(now)), limit.capacity());
    }
    if (ridesOut(link, now)) {
      return Math.min(cells.room(from, now), limit.capacity());
    }
    KnownQuota known = answers.newest();
    long left = known == null ? 0 : known.remaining();
    long open = ungranted.opening(terms, link, now);
    return Math.min(cells.room(from, now) + Math.max(left, open), limit.capacity());
  }

  private long reset(Limit limit, PartitionLink link, long now) {
    KnownQuota known = answers.newest();
    long enforcerNow = link.toEnforcer(now);
    if (limiter != null) {
      return Math.max(0, limiter.resetAt(enforcerNow) - enforcerNow);
    }
    if (limit instanceof WindowedLimit && ridesOut(link, now)) {
      return limit.windowEnd(limit.windowStart(enforcerNow)) - enforcerNow;
    }
    return known == null ? 0 : Math.max(0, known.resetNanos() - enforcerNow);
  }

  private long retryAfter(Limit limit, PartitionLink link, long permits, long now) {
    if (permits > limit.capacity()) {
      return RuleDecision.NEVER_NANOS;
    }
    if (limit instanceof ConcurrencyLimit) {
      // Slots may come back at any moment.
      return link.answerNanos();
    }
    long owed = unmet.debt().owed();
    long wanted = Math.min(permits + owed, limit.capacity());
    if (limiter != null) {
      long enforcerNow = link.toEnforcer(now);
      long at = limiter.availableAt(wanted, enforcerNow);
      // What is above its share of the limit it may have once the enforcer is back.
      return at == Long.MAX_VALUE ? settings.awayAfterNanos() : Math.max(1, at - enforcerNow);
    }
    HeldShare share = owed == 0 ? cells.shareFor(permits, now) : null;
    long leased = answers.retryAfter(link, wanted, link.answerNanos(), now);
    if (share == null) {
      return leased;
    }
    long renewed = Math.max(1, share.nanosUntil(permits, now));
    return link.isAwayAt(now) ? renewed : Math.min(renewed, leased);
  }
}
