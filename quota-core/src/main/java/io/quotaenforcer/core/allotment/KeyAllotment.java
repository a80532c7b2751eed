package io.quotaenforcer.core.allotment;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.rule.OwnLimits;
import io.quotaenforcer.core.rule.RuleSet;
import org.jspecify.annotations.Nullable;

/**
 * One quota key as an instance has it: beside decisions, its life and its exchange with the
 * enforcer.
 *
 * <pre>
 *                    a request
 *                        |
 *                        v      sleepIfQuiet
 *                      awake --------------> asleep
 *                       | |  <--------------   | |
 *                       | |        wake        | |
 *    retire: the rule   | |                    | |  rest: it holds nothing,
 *    counts differently,| +--------------------+ |  and has nothing to say
 *    or the book closes |           |            v
 *                       |           |         dormant, a row in KeyMemory
 *                       |           |            |
 *                       | retire:   |            | a request: a new object
 *                       | evicted,  |            v
 *                       v as nobody v          awake
 *                      retired asks for it
 *                        |
 *                        | settle: the enforcer has booked all that was taken,
 *                        | or adopt: a new object of the key reports the rest
 *                        v
 *                      settled
 * </pre>
 *
 * Awake, the owner of the book looks at it from time to time, and may {@linkplain #doze look away}
 * between two looks; asleep, with permits at rest or without, it does not. Dormant and retired,
 * nothing is taken of this object: a request makes a new one. A retired one is reported until it is
 * settled.
 *
 * <p>Decisions, by any thread, are in {@link AskedKey}. Everything here belongs to the owner of the
 * book, but {@link #borrower} and {@link #borrowBy}.
 */
final class KeyAllotment extends AskedKey {
  private final KeyExchange exchange;

  /** {@code Long.MIN_VALUE} while it does not doze. */
  private long dozesUntilNanos = Long.MIN_VALUE;

  /** Whether its report is due, and waits for others to join it. */
  private boolean heldBack;

  /** How the key last borrowed; racing threads may each look it up. */
  private volatile @Nullable Borrower borrower;

  @GuardedBy("cells")
  private @Nullable DormantKey rest;

  /**
   * How a quota key borrows, kept so that not each request looks it up.
   *
   * @param rules by which it does; by others it is to be looked up anew
   * @param pool of which it borrows
   * @param key what that is counted under
   */
  record Borrower(RuleSet rules, RuleId pool, KeyAllotment key) {}

  KeyAllotment(BookContext context, QuotaKey quotaKey, KeyStart start) {
    super(context, quotaKey, start);
    this.exchange = new KeyExchange(context, cells, ungranted, answers, classes, start.now());
  }

  /** Follows a change of the rule within its generation; false when this object cannot. */
  boolean follow(KeyTerms after, long now) {
    if (!after.continues(terms)) {
      return false;
    }
    KeyTerms next = after.after(terms);
    terms = next;
    ungranted.follow(next, link.toEnforcer(now));
    mayHave();
    return true;
  }

  /** Follows the part of the limit that is in force by the load of this instance. */
  void follow(OwnLimits limits, long now) {
    KeyTerms next = terms.inForce(limits);
    KeyTerms before = terms;
    if (next == before) {
      return;
    }
    terms = next;
    if (next.limit() != before.limit()) {
      ungranted.follow(next, link.toEnforcer(now));
    }
  }

  /**
   * Follows the limit that an answer tells. Of a lower one nothing that was granted before is used
   * any more: it goes back, and is granted anew as far as the limit has it.
   */
  private void follow(QuotaAnswer answer, long now) {
    KeyTerms before = terms;
    KeyTerms told = before.told(answer.limit(), answer.inForce().orElse(null));
    if (told == before) {
      return;
    }
    terms = told;
    if (told.limit() == before.limit()) {
      return;
    }
    ungranted.follow(told, link.toEnforcer(now));
    if (told.limit().permits() < before.limit().permits()) {
      synchronized (cells) {
        cells.endGrantedBefore(answer, now);
      }
      exchange.urgent();
    }
  }

  /** Follows the penalty that an answer tells: what was granted before it goes back. */
  private void followPenalty(QuotaAnswer answer, long now) {
    long until = answer.penaltyUntilNanos();
    if (until == penaltyUntilNanos) {
      return;
    }
    penaltyUntilNanos = until;
    if (isPenalized(now)) {
      synchronized (cells) {
        cells.endGranted(now);
      }
      exchange.urgent();
    }
  }

  /**
   * Takes over the cells of an older, retired allotment of this key, since to the enforcer both are
   * one holder; false when they are not.
   */
  boolean adopt(KeyAllotment older) {
    if (older == this || older.terms.rule().generation() != terms.rule().generation()) {
      return false;
    }
    synchronized (cells) {
      cells.adopt(older.cells);
    }
    answers.adopt(older.answers);
    return true;
  }

  /** Lets the owner look away if nothing is asked for, and nothing is left to say. */
  boolean sleepIfQuiet(long now) {
    boolean forgotten = isIdleFor(2 * context.settings.idleAfterNanos(), now);
    if (!exchange.isSilent(view(now), forgotten)) {
      return false;
    }
    awake = false;
    // A decision may have come between the check and the line above; it saw the owner awake.
    return !exchange.hasNews(view(now)) || !wake();
  }

  /**
   * Has the owner look away until {@link #dozesUntilNanos}, or until a request comes; false where
   * it must look on.
   */
  boolean doze(long now) {
    long asked = lastAskedNanos;
    long news = exchange.news(view(now));
    long until = exchange.quietUntilNanos(view(now), asked);
    if (terms.isOfSlots() || until - now < 2 * context.settings.reportIntervalNanos()) {
      return false;
    }
    awake = false;
    // A decision may have come between the reads and the line above; it saw the owner awake.
    if ((lastAskedNanos != asked || exchange.news(view(now)) != news) && wake()) {
      return false;
    }
    dozesUntilNanos = until;
    return true;
  }

  long dozesUntilNanos() {
    return dozesUntilNanos;
  }

  boolean isDozing() {
    return dozesUntilNanos != Long.MIN_VALUE;
  }

  /** Returns whether it dozed. */
  boolean endDoze() {
    boolean dozed = isDozing();
    dozesUntilNanos = Long.MIN_VALUE;
    return dozed;
  }

  /** Whether the owner looks at it, since it may hold something or have something to say. */
  boolean isAwake() {
    return !isAsleep() && !retired;
  }

  private boolean isAsleep() {
    return !awake && !isDozing();
  }

  /** Whether it sleeps with its share. */
  boolean isAtRest(long now) {
    return isAsleep() && !retired && cells.keptShare(now) != null;
  }

  /** Whether it is about to be over: what was not given back by then would count as used. */
  boolean isRestEnding(long now) {
    if (!isAtRest(now)) {
      return false;
    }
    HeldShare share = cells.keptShare(now);
    return share != null && !share.isKeptFor(context.settings.leastRestNanos(), now);
  }

  /** Ends the share of a key at rest, which is to be reported then; false if it is not. */
  boolean giveBackAtRest(long now) {
    return isAtRest(now) && giveBackGranted(now);
  }

  /** The same of a share that is good for long, whether or not requests come for it. */
  boolean giveBackLong(long now) {
    return (isAtRest(now) || keepsLong(now)) && giveBackGranted(now);
  }

  private boolean keepsLong(long now) {
    HeldShare share = cells.keptShare(now);
    return share != null && share.isForLong();
  }

  /** Ends all that was granted, which is to be reported then; false if it is retired. */
  boolean giveBackGranted(long now) {
    synchronized (cells) {
      if (retired) {
        return false;
      }
      ungranted.givenBack(cells.endGranted(now));
    }
    return true;
  }

  /**
   * Retires a key that holds nothing, and returns what is left to know of it; null if there is more
   * than that.
   */
  @Nullable DormantKey rest(long now) {
    synchronized (cells) {
      boolean isAside =
          !retired
              && isAsleep()
              && isIdleFor(context.settings.idleAfterNanos(), now)
              && cells.areSettled()
              && ungranted.limiter() == null
              && unmet.debt().owed() == 0;
      if (!isAside) {
        return null;
      }
      rest = dormant(now);
      retired = true;
      ungranted.end();
      return rest;
    }
  }

  /** Everything that must be remembered of the key without this object. */
  DormantKey dormant(long now) {
    Limit limit = terms.limit();
    OpeningState opening = ungranted.atRest(terms, link, now);
    long used = lastAskedNanos + ASKED_EVERY + limit.periodNanos();
    long neededUntil = opening == null ? 0 : opening.neededUntilNanos(limit);
    return new DormantKey(
        lastAskedNanos,
        isBalanced() ? used : Long.MIN_VALUE,
        opening,
        neededUntil == 0 ? Long.MIN_VALUE : link.toLocal(neededUntil),
        answers.newest());
  }

  /**
   * The result of {@link #rest}, from which a new object goes on; null if the key was not put to
   * rest.
   */
  @Nullable DormantKey rested() {
    synchronized (cells) {
      return rest;
    }
  }

  void link(PartitionLink newLink) {
    link = newLink;
  }

  /** How it last borrowed, if known. */
  @Nullable Borrower borrower() {
    return borrower;
  }

  void borrowBy(Borrower by) {
    borrower = by;
  }

  /** Keeps nothing of rules that are in force no more. */
  void forgetBorrower() {
    borrower = null;
  }

  boolean isHeldBack() {
    return heldBack;
  }

  void holdBack(boolean isReportDue) {
    heldBack = isReportDue;
  }

  boolean isLookDue(long now) {
    return exchange.isLookDue(view(now), lastAskedNanos);
  }

  /** Rotates windows, gives back what is idle, and measures the demand. */
  void maintain(long now) {
    exchange.turn(view(now));
    isPaid(now);
    exchange.giveBack(view(now));
  }

  boolean isNearBorder(long now) {
    return !exchange.isFarFromBorder(now) && exchange.isNearBorder(view(now));
  }

  void markUse(long now) {
    exchange.markUse(view(now));
  }

  boolean isReportDue(long now) {
    return exchange.isReportDue(view(now));
  }

  boolean mayJoinReport(long now) {
    return exchange.mayJoinReport(view(now));
  }

  boolean isRefused() {
    return exchange.isRefused();
  }

  QuotaUsage report(long now, boolean closing) {
    return exchange.report(quotaKey, view(now), closing);
  }

  void apply(QuotaAnswer newer, long enforcerNanos, long echoNanos, long now) {
    if (exchange.accept(view(now), newer, enforcerNanos, echoNanos)) {
      follow(newer, now);
      followPenalty(newer, now);
      exchange.apply(view(now), newer, enforcerNanos, echoNanos);
      mayHave();
      isPaid(now);
    }
  }

  /**
   * Ends every cell, and with them the use of this object; what was used is still reported.
   *
   * @return permits that are owed, and not paid by what was held
   */
  long retire(long now) {
    synchronized (cells) {
      isPaid(now);
      retired = true;
      ungranted.end();
      exchange.urgent();
      cells.endAll(now);
      return unmet.debt().handOver();
    }
  }

  /** Whether nothing is held, and everything ever held is settled. */
  boolean isSettled() {
    synchronized (cells) {
      return cells.areSettled();
    }
  }

  boolean isIdleFor(long nanos, long now) {
    return now - lastAskedNanos >= nanos && !unmet.isAwaited() && !isRunning();
  }

  /** Whether forgetting this key would give it permits that it has used up, or end its rest. */
  boolean mustBeKept(long now) {
    LocalLimiter limiter = ungranted.limiter();
    boolean isUsed = terms.isAlone() && limiter != null && !limiter.isWhole(link.toEnforcer(now));
    return isUsed || isAtRest(now) || keepsLong(now);
  }
}
