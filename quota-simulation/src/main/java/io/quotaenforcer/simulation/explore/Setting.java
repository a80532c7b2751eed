package io.quotaenforcer.simulation.explore;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.allotment.Spreading;
import io.quotaenforcer.core.ledger.LedgerSettings;
import io.quotaenforcer.core.ledger.Loops;
import io.quotaenforcer.core.ledger.Validity;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.DemandClass;
import io.quotaenforcer.core.rule.DemandClasses;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.List;
import java.util.Map;

/**
 * One strict rule, and settings under which averages have no memory beyond a tick, so that there
 * are few different states: an instance reports at most 750 times in a tick, and takes the enforcer
 * for away as soon as a report is not answered, which is of no consequence for a strict rule.
 */
final class Setting {
  static final long TICK = 120_000_000L;

  /** Begins a window, however many ticks that has. */
  static final long START = 12_000_000_000L * TICK;

  static final int MAX_INSTANCES = 4;
  static final Request REQUEST = Request.of("user", "42");

  /** Of the second class, if there is one. */
  static final Request JOB = Request.of("user", "42", "job", "nightly");

  private static final DemandClasses CLASSES =
      new DemandClasses(
          List.of(
              DemandClass.of("users", Map.of()),
              DemandClass.of("jobs", Map.of("job", new Matcher.Any()))));

  private static final long LEASE = 3 * TICK / 2;
  private static final int NO_LIMIT = 1_000;

  static final BookSettings BOOK =
      new BookSettings(
          new BookSettings.Reporting(TICK / 750, TICK / 750, 0),
          new BookSettings.Holding(LEASE, 2 * TICK, NO_LIMIT * TICK, 0, 0),
          NO_LIMIT,
          0,
          Spreading.NONE);

  /** One loop ahead, of half a tick: one request in the last tick asks for the whole limit. */
  static final LedgerSettings LEDGER =
      new LedgerSettings(
          new Validity(LEASE, 0), new Loops(TICK / 2, 1), MAX_INSTANCES, NO_LIMIT * TICK, TICK, 0);

  final Scope scope;
  final long period;
  final Limit limit;
  final Rule rule;
  final RuleSet rules;
  final QuotaKey key;

  Setting(Scope scope) {
    this.scope = scope;
    period = scope.ticksPerWindow() * TICK;
    limit = scope.algorithm().limit(period, scope.ticksPerWindow());
    RuleId id = new RuleId("test", "rule");
    Rule alike =
        Rule.of(id, List.of("user"), limit).withEnforcement(Enforcement.STRICT).withVersion(1, 1);
    rule = hasClasses() ? alike.withClasses(CLASSES) : alike;
    rules = RuleSet.of(List.of(rule));
    key = QuotaKey.of(id, List.of("42"));
  }

  /** Whether requests hold what they take until they end. */
  boolean isOfSlots() {
    return limit instanceof ConcurrencyLimit;
  }

  /** Whether every other request of an instance is of a second class. */
  boolean hasClasses() {
    return scope.algorithm() == Scope.Algorithm.TWO_CLASSES;
  }

  static long nanos(int tick) {
    return START + tick * TICK;
  }

  static int tick(long nanos) {
    return (int) ((nanos - START) / TICK);
  }

  /** A time in ticks, for people. */
  static String ticks(long nanos) {
    double ticks = (nanos - START) / (double) TICK;
    return ticks == Math.rint(ticks) ? "%.0f".formatted(ticks) : "%.2f".formatted(ticks);
  }
}
