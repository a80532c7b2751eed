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
import io.quotaenforcer.core.rule.Elastic;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One strict rule, or a pool and those who borrow of it, and settings under which averages have no
 * memory beyond a tick, so that there are few different states: an instance reports at most 750
 * times in a tick, and takes the enforcer for away as soon as a report is not answered, which is of
 * no consequence for a strict rule.
 */
final class Setting {
  static final long TICK = 120_000_000L;

  /** Begins a window, however many ticks that has. */
  static final long START = 12_000_000_000L * TICK;

  static final int MAX_INSTANCES = 4;
  static final Request REQUEST = Request.of("user", "42");

  /** Of the second class, if there is one. */
  static final Request JOB = Request.of("user", "42", "job", "nightly");

  /** Of the second user, where there are two. */
  static final Request OTHER = Request.of("user", "43");

  private static final RuleId USERS = new RuleId("test", "users");
  private static final int UP_TO = 30_000;

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

  /** Quota keys of which a request may take a permit beside {@link #key}, each with its limit. */
  final List<Beside> beside;

  /** One of them. */
  record Beside(QuotaKey key, Limit limit) {}

  Setting(Scope scope) {
    this.scope = scope;
    period = scope.ticksPerWindow() * TICK;
    limit = scope.algorithm().limit(period, scope.ticksPerWindow());
    RuleId id = new RuleId("test", "rule");
    List<String> attributes = isOfPool() ? List.of() : List.of("user");
    Rule alike = strict(id, attributes, limit);
    rule = hasClasses() ? alike.withClasses(CLASSES) : alike;
    key = QuotaKey.of(id, isOfPool() ? List.of() : List.of("42"));
    rules = RuleSet.of(isOfPool() ? List.of(rule, users(id)) : List.of(rule));
    beside =
        Stream.concat(rules.rules().stream(), rules.borrowed().stream())
            .filter(it -> !it.id().equals(id))
            .flatMap(it -> Stream.of("42", "43").map(user -> beside(it, user)))
            .toList();
  }

  private static Rule strict(RuleId id, List<String> key, Limit limit) {
    return Rule.of(id, key, limit).withEnforcement(Enforcement.STRICT).withVersion(1, 1);
  }

  private Rule users(RuleId pool) {
    return strict(USERS, List.of("user"), limit.withPermits(1))
        .withElastic(new Elastic(pool.id(), UP_TO));
  }

  private static Beside beside(Rule rule, String user) {
    return new Beside(QuotaKey.of(rule.id(), List.of(user)), rule.limit());
  }

  /** Whether requests hold what they take until they end. */
  boolean isOfSlots() {
    return limit instanceof ConcurrencyLimit;
  }

  /** Whether every other request of an instance is of a second class. */
  boolean hasClasses() {
    return scope.algorithm() == Scope.Algorithm.TWO_CLASSES;
  }

  /** Whether every other request of an instance is of a second user, and users borrow. */
  boolean isOfPool() {
    return scope.algorithm() == Scope.Algorithm.POOL;
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
