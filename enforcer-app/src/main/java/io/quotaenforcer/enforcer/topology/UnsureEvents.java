package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports request events that a rule was taken to match although a condition was given up: to the
 * metrics each time, to the log once an hour per rule. Safe for use by any thread.
 */
final class UnsureEvents {
  private static final Logger log = LoggerFactory.getLogger(UnsureEvents.class);
  private static final long LOGGED_EVERY_NANOS = TimeUnit.HOURS.toNanos(1);

  private final EnforcerMetrics metrics;
  private final LongSupplier epochNanos;

  /** Time of each rule's last log line, within the last hour. */
  private final Map<RuleId, Long> loggedNanos = new ConcurrentHashMap<>();

  UnsureEvents(EnforcerMetrics metrics, LongSupplier epochNanos) {
    this.metrics = metrics;
    this.epochNanos = epochNanos;
  }

  void add(RuleId rule, String attribute) {
    metrics.matchGivenUp(rule, attribute);
    long now = epochNanos.getAsLong();
    if (isTurnOf(rule, now)) {
      loggedNanos.values().removeIf(last -> isOver(last, now));
      log.warn(
          "rule {} was taken to match request events whose {} is too long for its expression, or"
              + " takes it too many steps; quota.matches.given.up counts them",
          rule,
          attribute);
    }
  }

  private boolean isTurnOf(RuleId rule, long now) {
    Long last = loggedNanos.get(rule);
    return last == null
        ? loggedNanos.putIfAbsent(rule, now) == null
        : isOver(last, now) && loggedNanos.replace(rule, last, now);
  }

  private static boolean isOver(long last, long now) {
    return now - last >= LOGGED_EVERY_NANOS;
  }
}
