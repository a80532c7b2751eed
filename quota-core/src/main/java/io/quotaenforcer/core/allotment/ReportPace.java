package io.quotaenforcer.core.allotment;

/** When a key is to be reported again. Guarded by its owner's monitor. */
final class ReportPace {
  /** Repeats, each after twice the pause of the one before: well over a minute of silence. */
  private static final int REFUSED_AFTER = 16;

  /** Repeats after which the pause is doubled no more. */
  private static final int LONGEST_PAUSE = 8;

  private final BookSettings settings;
  private long reportedNanos = Long.MIN_VALUE;
  private long reportedChanges;
  private long answeredSentNanos = Long.MIN_VALUE;
  private int unanswered;

  ReportPace(BookSettings settings) {
    this.settings = settings;
  }

  /** The next report is due at once. */
  void urgent() {
    reportedNanos = Long.MIN_VALUE;
    unanswered = 0;
  }

  void reported(long changes, boolean away, long now) {
    boolean repeats = !isAnswered() && !hasNews(changes);
    int most = away ? LONGEST_PAUSE : Integer.MAX_VALUE;
    unanswered = repeats ? Math.min(unanswered + 1, Math.max(unanswered, most)) : 0;
    reportedNanos = now;
    reportedChanges = changes;
  }

  void answered(long echoNanos) {
    answeredSentNanos = Math.max(answeredSentNanos, echoNanos);
    unanswered = 0;
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

  /**
   * Whether the last report is old enough for another one.
   *
   * @param mustHear the enforcer must hear something it may not have heard yet
   * @param mayLapse leases must be renewed, cells are not settled, or requests wait
   */
  boolean isDue(
      long changes, boolean mustHear, boolean mayLapse, boolean away, long loop, long now) {
    if (reportedNanos == Long.MIN_VALUE) {
      return true;
    }
    long since = now - reportedNanos;
    if (hasNews(changes)) {
      return since >= (away ? settings.awayAfterNanos() / 2 : settings.reportIntervalNanos());
    }
    long patience = Math.min(loop << Math.min(unanswered, LONGEST_PAUSE), 5 * settings.ttlNanos());
    if (away) {
      return (mustHear || mayLapse) && since >= Math.max(patience, settings.awayAfterNanos() / 2);
    }
    if (mustHear || !isAnswered()) {
      return since >= (mustHear ? patience : 2 * patience);
    }
    return mayLapse && since >= settings.ttlNanos() / 4;
  }
}
