package io.quotaenforcer.core.allotment;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.AtRest;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.Need;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides what the enforcer is told of one quota key and when, and applies its answers to the
 * cells. Belongs to the owner of the book, who locks the cells, since decisions may open some
 * meanwhile.
 */
final class KeyExchange {
  /** Loops within which the enforcer has said that a share may rest, if it ever does. */
  private static final int ANSWERS_TO_REST = 4;

  private final BookContext context;
  private final HeldCells cells;
  private final UngrantedPermits ungranted;
  private final Answers answers;
  private final @Nullable ClassDemands classes;
  private final OpenedCell opened;
  private final KeyDemand demand;
  private final KeyPace pace;
  private long markedNanos = Long.MIN_VALUE;

  /** Before this no border is near, as far as the newest answer says. */
  private long borderFromNanos = Long.MIN_VALUE;

  KeyExchange(
      BookContext context,
      HeldCells cells,
      UngrantedPermits ungranted,
      Answers answers,
      @Nullable ClassDemands classes,
      long now) {
    this.context = context;
    this.cells = cells;
    this.ungranted = ungranted;
    this.answers = answers;
    this.classes = classes;
    this.opened = new OpenedCell(cells);
    this.demand = new KeyDemand(context, now);
    this.pace = new KeyPace(context.settings, demand);
  }

  /** Whether the key is to be looked at: not at each pass while no requests come. */
  boolean isLookDue(KeyView key, long lastAskedNanos) {
    return cells.share(key.now()) != null || nextLookNanos(key, lastAskedNanos) <= key.now();
  }

  /** Until when nothing is to be done unless a request comes; {@code key.now()} or earlier: now. */
  long quietUntilNanos(KeyView key, long lastAskedNanos) {
    if (cells.share(key.now()) != null || (!isFarFromBorder(key.now()) && isNearBorder(key))) {
      return key.now();
    }
    return Math.min(nextLookNanos(key, lastAskedNanos), borderFromNanos);
  }

  private long nextLookNanos(KeyView key, long lastAskedNanos) {
    return pace.nextLookNanos(key, lastAskedNanos);
  }

  /** Ends what is over: the cells of a window that is, worn ones, and what was opened and idle. */
  void turn(KeyView key) {
    long now = key.now();
    synchronized (cells) {
      cells.turn(now);
      beginWindows(key);
      cells.endWorn(now);
      if (UngrantedPermits.isPast(key.limit(), key.link(), cells.current(), now)) {
        cells.endCurrent(now);
      }
      boolean isOver = UngrantedPermits.isOfAnother(key.limit(), key.link(), cells.opened(), now);
      if (cells.mayEndOpened() && (isOver || key.isIdle())) {
        cells.open(null, now);
      }
    }
  }

  /** None while nothing is asked for and the share may stay as it is: a request makes its own. */
  @GuardedBy("cells")
  private void beginWindows(KeyView key) {
    if (key.isIdle() && mayRest(key)) {
      cells.turnWindows(key);
    } else {
      cells.beginWindows(context, key);
    }
  }

  /**
   * Whether the share may be kept while nothing is asked for: it is small, and good for a while, or
   * the enforcer may still say so.
   */
  @GuardedBy("cells")
  private boolean mayRest(KeyView key) {
    HeldShare share = cells.keptShare(key.now());
    Rule rule = key.terms().rule();
    boolean lets =
        !key.retired()
            && key.terms().isStrict()
            && rule.adapt().isEmpty()
            && rule.classes().isEmpty()
            && AtRest.lets(key.limit())
            && context.mayRest();
    if (share == null || !lets || !share.isFewLeft(key.limit(), key.now())) {
      return false;
    }
    long patience =
        Math.max(context.settings.idleAfterNanos() / 2, ANSWERS_TO_REST * key.link().answerNanos());
    long untilHeard = key.idleFromNanos() + context.settings.closeGraceNanos() + patience;
    return isForLong(share, key) || key.now() < untilHeard;
  }

  /** Whether what the share brings is hardly more than a request in a second, as what rests is. */
  private static boolean isSlow(@Nullable HeldShare share, KeyView key) {
    return share != null && share.cell().permitsPerNano() * 1e9 <= key.cost().mean();
  }

  /** Whether the share is kept, and the enforcer knows that nothing is asked for. */
  @GuardedBy("cells")
  private boolean rests(KeyView key) {
    HeldShare share = cells.keptShare(key.now());
    return share != null && mayRest(key) && isForLong(share, key) && isAnsweredIdle(key);
  }

  private boolean isForLong(HeldShare share, KeyView key) {
    return share.isKeptFor(context.settings.leastRestNanos(), key.now());
  }

  private boolean isAnsweredIdle(KeyView key) {
    return answers.answers(key.idleFromNanos());
  }

  /** Measures the demand, and gives back what is not likely to be asked for. */
  void giveBack(KeyView key) {
    synchronized (cells) {
      demand.measure(key, cells.asked() + key.unmet().borrowed());
      if (key.terms().isOfSlots()) {
        demand.measureSlots(cells.running(), key.unmet().takeRefusedSlots(), key);
      }
      if (classes != null) {
        classes.measure(pace.untilGrantNanos(key.link()), key.now());
      }
      // While the enforcer is away nobody else gets the share, which may be asked for again.
      boolean keepsShare = key.link().isAwayAt(key.now()) && cells.keptShare(key.now()) != null;
      if (key.isIdle() && !keepsShare) {
        boolean rests = mayRest(key);
        ungranted.givenBack(cells.endIdle(rests, key.now()));
      } else {
        if (!isSlow(cells.share(key.now()), key) && pace.leavesShareOfBucket(judged(key))) {
          cells.endShare(key.now());
        }
        HeldShare share = cells.share(key.now());
        cells.keepForCostly(share == null ? 0 : key.unmet().costlyFor(share.cell(), key.now()));
        ungranted.givenBack(new Excess(demand, judged(key)).giveBack());
        cells.spread(context.settings.spreading());
      }
    }
  }

  /** Whether {@link #isNearBorder} need not be asked yet. */
  boolean isFarFromBorder(long now) {
    return now < borderFromNanos;
  }

  /** Whether {@link #markUse} is to be called at each pass. */
  boolean isNearBorder(KeyView key) {
    long border = nextBorder(key);
    boolean near = BorderMark.isNear(context.settings, border, key.now());
    borderFromNanos = near ? key.now() : BorderMark.nearFrom(context.settings, border);
    return near;
  }

  /** Has it known how much was taken before the next border, as near to it as passes come. */
  void markUse(KeyView key) {
    synchronized (cells) {
      if (key.now() <= markedNanos) {
        cells.confirmMark(key.now());
      }
      long border = nextBorder(key);
      if (BorderMark.isNear(context.settings, border, key.now())) {
        markedNanos = border;
        cells.mark();
      }
    }
  }

  private long nextBorder(KeyView key) {
    return BorderMark.next(key.limit(), key.link(), answers.newest(), key.now());
  }

  /** Whether there is something to say, and the last report is old enough. */
  boolean isReportDue(KeyView key) {
    synchronized (cells) {
      boolean idle = key.isIdle();
      boolean retired = key.retired();
      SealedCells sealed = cells.sealed();
      long grace = context.settings.closeGraceNanos();
      if (idle && !retired && sealed.hasFresh(key.now() - grace)) {
        // What an idle key gives back is not missed so soon: one report says that and closes.
        return false;
      }
      boolean toSettle = isToSettle(key, key.now() - grace);
      // Closing frees nothing that was not given back before: it waits for more to say.
      long patience = retired || idle ? grace : Math.max(grace, context.settings.ttlNanos() / 4);
      boolean mustHear =
          (answers.newest() == null && !idle)
              || (idle && mayRest(key) && !isAnsweredIdle(key))
              || (toSettle && sealed.hasClosable(key.now() - patience));
      return pace.isDue(judgedWithNews(key), changes(key), mustHear, toSettle);
    }
  }

  /**
   * Whether what is sealed is to be reported until it is settled. What was not granted is closed by
   * the reports that the key's use makes necessary; and where requests have yet to tell how they
   * turned out, an idle key has nothing more to say of a cell until they have.
   */
  @GuardedBy("cells")
  private boolean isToSettle(KeyView key, long closeBefore) {
    SealedCells sealed = cells.sealed();
    if (key.retired()) {
      return !sealed.isEmpty();
    }
    return key.isIdle() ? sealed.hasClosable(closeBefore) : sealed.hasGrants();
  }

  /** Whether there is something to say that need not wait if a report of another key leaves. */
  boolean mayJoinReport(KeyView key) {
    synchronized (cells) {
      return !key.retired() && pace.mayJoin(judgedWithNews(key), changes(key));
    }
  }

  /** Whether the enforcer will not hear of this key: what it refused it has put aside. */
  boolean isRefused() {
    return pace.reports().isRefused();
  }

  QuotaUsage report(QuotaKey quotaKey, KeyView key, boolean closing) {
    long now = key.now();
    synchronized (cells) {
      ungranted.reporting(now);
      long closeBefore = closing ? now : now - context.settings.closeGraceNanos();
      boolean leaving = closing || key.retired();
      List<CellUsage> usages = cells.usages(closeBefore, now);
      double reported = pace.reported(judged(key), changes(key), leaving);
      opened.reported();
      cells.reportedSlots(now);
      double perSecond = key.terms().denied() ? 0 : PermitCount.reported(reported);
      Need need = leaving ? Need.NONE : need(key);
      return new QuotaUsage(
          quotaKey,
          key.terms().rule().generation(),
          perSecond,
          need,
          classes == null ? List.of() : classes.divide(perSecond, need.permits()),
          usages);
    }
  }

  @GuardedBy("cells")
  private Need need(KeyView key) {
    HeldShare share = cells.share(key.now());
    ShareCell ofShare = share == null ? null : share.cell();
    boolean isScarce = judged(key).isScarce();
    return key.unmet()
        .toReport(ofShare, isScarce, cells.used(), key.limit().capacity(), key.now())
        .withCost(key.cost());
  }

  /**
   * Takes note of an answer; false when a newer one came before it, or it was not meant for this
   * object.
   *
   * @param enforcerNanos when it was made
   * @param echoNanos when the report was sent that it answers
   */
  boolean accept(KeyView key, QuotaAnswer newer, long enforcerNanos, long echoNanos) {
    borderFromNanos = Long.MIN_VALUE;
    synchronized (cells) {
      return answers.accept(newer, key.terms().rule().generation(), enforcerNanos, echoNanos);
    }
  }

  /** Applies an answer that was accepted. */
  void apply(KeyView key, QuotaAnswer newer, long enforcerNanos, long echoNanos) {
    synchronized (cells) {
      KeyTerms terms = key.terms();
      long now = key.now();
      pace.reports().answered(echoNanos);
      cells.retain(newer, now);
      ungranted.answered(key, newer, enforcerNanos, echoNanos);
      if (classes != null) {
        classes.answered(newer.kept(), newer.remaining(), believedUntil(key, newer));
      }
      for (CellGrant grant : newer.cells()) {
        if (grant.isEnded() || key.retired() || terms.isAlone()) {
          cells.closeUnused(grant, now);
        } else {
          grant(grant, key, enforcerNanos, echoNanos);
        }
      }
      beginWindows(key);
      opened.answered(now);
      cells.spread(context.settings.spreading());
    }
  }

  /** Until the window ends, or an answer is overdue. */
  private long believedUntil(KeyView key, QuotaAnswer answer) {
    long until = key.now() + context.settings.ttlNanos() / 2;
    return key.limit() instanceof WindowedLimit
        ? Math.min(until, key.link().toLocal(answer.resetNanos()))
        : until;
  }

  @GuardedBy("cells")
  private void grant(CellGrant grant, KeyView key, long enforcerNanos, long echoNanos) {
    if (grant.share().isShare()) {
      cells.share(grant, key, echoNanos + (grant.validUntilNanos() - enforcerNanos), enforcerNanos);
      cells.told(echoNanos, key);
    } else {
      Lease lease = Lease.of(grant, key, enforcerNanos, echoNanos);
      if (!key.isIdle()) {
        cells.reopen(grant);
      }
      cells.grant(grant, lease, key.terms().isOfSlots(), key.now());
      cells.keepSlots(grant, echoNanos);
    }
  }

  /** The object is used no more: what was used is reported at once. */
  void urgent() {
    pace.reports().urgent();
  }

  /** Whether the enforcer need not be asked again, and there is nothing left to say. */
  boolean isSilent(KeyView key, boolean forgotten) {
    synchronized (cells) {
      boolean heard = pace.reports().isAnswered() || key.link().isAwayAt(key.now()) || forgotten;
      boolean holds = cells.keptShare(key.now()) != null && !rests(key);
      return heard && key.isIdle() && !holds && cells.sealed().isEmpty() && !hasNews(key);
    }
  }

  boolean hasNews(KeyView key) {
    synchronized (cells) {
      return pace.reports().hasNews(changes(key));
    }
  }

  /** A number that is another one whenever there is more to say. */
  long news(KeyView key) {
    synchronized (cells) {
      return changes(key);
    }
  }

  @GuardedBy("cells")
  private long changes(KeyView key) {
    return cells.changes() + key.unmet().changes() + key.unmet().borrowed();
  }

  /** Like {@link #judged}, with what may be opened if there is anything to report. */
  private JudgedKey judgedWithNews(KeyView key) {
    boolean matters = key.terms().isBalanced() && hasNews(key);
    return judged(key, matters ? ungranted.opening(key.terms(), key.link(), key.now()) : 0);
  }

  private JudgedKey judged(KeyView key) {
    return judged(key, 0);
  }

  private JudgedKey judged(KeyView key, long openable) {
    return new JudgedKey(
        key,
        context.maxInstances(),
        answers.newest(),
        cells.current(),
        cells.share(key.now()),
        opened.isUntold(),
        openable);
  }
}
