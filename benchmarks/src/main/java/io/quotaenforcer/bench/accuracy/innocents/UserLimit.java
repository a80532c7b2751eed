package io.quotaenforcer.bench.accuracy.innocents;

import com.fasterxml.jackson.annotation.JsonValue;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.lab.limits.LimitKind;

/**
 * The limits that users have, and how their abusers go over them: again and again for a while at a
 * hundred times the limit. That of a day is gone over as if it were of a minute.
 */
public enum UserLimit {
  PER_MINUTE("10 per min", "per-minute", 10, 60, 60, 15, 150),
  PER_SECOND("60 per 1 s", "per-second", 60, 1, 1, 0.4, 12),
  PER_DAY("1000 per day", "per-day", 1_000, 86_400, 60, 2, 200);

  private static final double TIMES = 100;

  private final String label;
  private final String api;
  private final long permits;
  private final int periodSeconds;
  private final int abusedSeconds;
  private final double abuseSeconds;
  private final double abuseEverySeconds;

  /**
   * @param abusedSeconds in which an abuser asks for a hundred times the permits
   * @param abuseSeconds how long one abuse lasts
   * @param abuseEverySeconds from the begin of one to that of the next
   */
  UserLimit(
      String label,
      String api,
      long permits,
      int periodSeconds,
      int abusedSeconds,
      double abuseSeconds,
      double abuseEverySeconds) {
    this.label = label;
    this.api = api;
    this.permits = permits;
    this.periodSeconds = periodSeconds;
    this.abusedSeconds = abusedSeconds;
    this.abuseSeconds = abuseSeconds;
    this.abuseEverySeconds = abuseEverySeconds;
  }

  @JsonValue
  String label() {
    return label;
  }

  /** Value of the attribute that its rule matches, and id of the rule. */
  String api() {
    return api;
  }

  long permits() {
    return permits;
  }

  /** The limit by an algorithm. */
  Limit by(LimitKind kind) {
    return kind.limit(permits, periodNanos());
  }

  long periodNanos() {
    return periodSeconds * 1_000_000_000L;
  }

  double abusePerSecond() {
    return TIMES * permits / abusedSeconds;
  }

  double abuseSeconds() {
    return abuseSeconds;
  }

  double abuseEverySeconds() {
    return abuseEverySeconds;
  }
}
