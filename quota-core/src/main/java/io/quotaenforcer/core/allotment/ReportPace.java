package io.quotaenforcer.core.allotment;

import java.util.Arrays;

/**
 * When a key is to be reported again. Few reports are under way at a time, so that instances slow
 * down by themselves when the enforcer does. Belongs to the owner of the book.
 */
final class ReportPace {
  /** Repeats, each after twice the pause of the one before: well over a minute of silence. */
  private static final int REFUSED_AFTER = 16;

  /** Repeats after which the pause is doubled no more. */
  private static final int LONGEST_PAUSE = 8;

  /** Loops after which a report without an answer is given up. */
  private static final int LOOPS_TO_GIVE_UP = 2;

  private static final int MAX_DOUBLINGS = 4;

  /** The longest until then, in times that tell an enforcer to be away. */
  private static final int LONGEST_TO_GIVE_UP = 2;

  /**
   * Reports under way at once, while they are answered: a loop may last that many intervals. Only
   * one where the enforcer is busy: more would only wait there.
   */
  private static final int MOST_UNDER_WAY = 4;

  private final BookSettings settings;
  private final long[] sentNanos = new long[MOST_UNDER_WAY];
  private int sent;
  private long reportedNanos = Long.MIN_VALUE;
  private long reportedChanges;
  private long answeredSentNanos = Long.MIN_VALUE;
  private int unanswered;
  private int givenUp;

  /** Whether a report was repeated while the enforcer was away, and not answered since. */
  private boolean inOutage;

  ReportPace(BookSettings settings) {
    this.settings = settings;
    Arrays.fill(sentNanos, Long.MIN_VALUE);
  }

  /** The next report is due at once. */
  void urgent() {
    reportedNanos = Long.MIN_VALUE;
    unanswered = 0;
    givenUp = 0;
  }

  /** Notes that a report leaves. */
  void reported(long changes, PartitionLink link, long now) {
    boolean repeats = !isAnswered() && !hasNews(changes);
    boolean away = link.isAwayAt(now);
    int most = away ? LONGEST_PAUSE : Integer.MAX_VALUE;
    inOutage = repeats && (away || inOutage);
    unanswered = repeats ? Math.min(unanswered + 1, Math.max(unanswered, most)) : 0;
    givenUp = isAnswered() ? 0 : mayGoOn(link) ? givenUp : givenUp + 1;
    sentNanos[sent++ % MOST_UNDER_WAY] = now;
    reportedNanos = now;
    reportedChanges = changes;
  }

  void answered(long echoNanos) {
    answeredSentNanos = Math.max(answeredSentNanos, echoNanos);
    unanswered = 0;
    givenUp = 0;
    inOutage = false;
  }

  /** Whether the newest report was answered, or there was none. */
  boolean isAnswered() {
    return answeredSentNanos >= reportedNanos;
  }

  /** Whether repeat after repeat went unanswered by an enforcer that answers other keys. */
  boolean isRefused() {
    return unanswered >= REFUSED_AFTER;
  }

  boolean hasNews(long changes) {
    return changes != reportedChanges;
  }

  /** How much there is to report: no less than the permits that were used. */
  long untold(long changes) {
    return changes - reportedChanges;
  }

  /** Time from the last report until {@code nanos}. */
  long sinceReport(long nanos) {
    return reportedNanos == Long.MIN_VALUE ? 0 : nanos - reportedNanos;
  }

  /**
   * Times between two reports.
   *
   * @param news shortest, of news
   * @param mayLapse whether leases must be renewed, cells are not settled, or requests wait
   * @param lapse longest, then
   */
  record Pauses(long news, boolean mayLapse, long lapse) {}

  /**
   * Whether the last report is old enough for another one.
   *
   * @param mustHear the enforcer must hear something it may not have heard yet
   */
  boolean isDue(long changes, boolean mustHear, Pauses pauses, PartitionLink link, long now) {
    if (reportedNanos == Long.MIN_VALUE) {
      return true;
    }
    long since = now - reportedNanos;
    boolean away = link.isAwayAt(now);
    long loop = link.answerNanos();
    boolean waits = !mayGoOn(link) || !(isAnswered() || hasNews(changes));
    if (waits && since < giveUpAfter(loop)) {
      return false;
    }
    if (hasNews(changes)) {
      return since >= (away ? settings.awayAfterNanos() / 2 : pauses.news);
    }
    long most = inOutage && !away ? longestToGiveUp() : 5 * settings.ttlNanos();
    long patience = Math.min(loop << Math.min(unanswered, LONGEST_PAUSE), most);
    if (away) {
      return (mustHear || pauses.mayLapse)
          && since >= Math.max(patience, settings.awayAfterNanos() / 2);
    }
    if (mustHear || !isAnswered()) {
      return since >= (mustHear ? patience : Math.min(2 * patience, most));
    }
    return pauses.mayLapse && since >= pauses.lapse;
  }

  /**
   * Whether news may join a report of another key, half of the usual pause after the last report.
   *
   * @param pause shortest time between two reports of news
   */
  boolean mayJoin(long changes, long pause, PartitionLink link, long now) {
    return reportedNanos != Long.MIN_VALUE
        && hasNews(changes)
        && mayGoOn(link)
        && !link.isAwayAt(now)
        && now - reportedNanos >= pause / 2;
  }

  /** Whether not too many reports are under way. */
  private boolean mayGoOn(PartitionLink link) {
    int most = link.isBusy() || givenUp > 0 ? 1 : MOST_UNDER_WAY;
    int oldest = Math.floorMod(sent - most, MOST_UNDER_WAY);
    return isAnswered()
        || (answeredSentNanos != Long.MIN_VALUE && answeredSentNanos >= sentNanos[oldest]);
  }

  /**
   * Later each time, so that an enforcer that is behind catches up; but soon enough for a key that
   * reports were lost of when all is well again, however long answers took before.
   */
  private long giveUpAfter(long loop) {
    long first = Math.max(LOOPS_TO_GIVE_UP * loop, settings.awayAfterNanos() / 8);
    long most = Math.max(first, longestToGiveUp());
    return Math.min(first << Math.min(givenUp, MAX_DOUBLINGS), most);
  }

  private long longestToGiveUp() {
    return LONGEST_TO_GIVE_UP * settings.awayAfterNanos();
  }
}
