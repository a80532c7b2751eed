package io.quotaenforcer.bench.moving.scenario;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.DemandClass;
import io.quotaenforcer.core.rule.DemandClasses;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.limits.LimitKind;
import java.util.List;
import java.util.Map;

/**
 * Two classes ask for three times the limit, all the time; then a third one, which comes first,
 * asks for three tenths of it. Eight instances have an equal part of each.
 */
public record ClassLoad(LimitKind kind, Enforcement enforcement) {
  private static final long SECOND = 1_000_000_000L;

  public static final int INSTANCES = 8;
  public static final long PERMITS = 1_000;
  public static final long PERIOD = SECOND;

  /** When the first class begins to ask. */
  public static final long STEP = 6 * SECOND;

  /** A report interval, and the way there and back, twice. */
  public static final long LOOP = SECOND / 10;

  public static final String CRITICAL = "critical";
  public static final String NORMAL = "normal";
  public static final String BATCH = "batch";

  private static final DemandClasses CLASSES =
      new DemandClasses(
          List.of(
              DemandClass.of(CRITICAL, Map.of("api", new Matcher.Exact("POST /charges"))),
              DemandClass.of(NORMAL, Map.of()),
              DemandClass.of(BATCH, Map.of("job", new Matcher.Any()))));

  /**
   * Requests of one class.
   *
   * @param perSecond at each instance
   * @param fromNanos since the start
   */
  public record Stream(String demandClass, Request request, double perSecond, long fromNanos) {}

  /** The requests of every class, in the order in which they begin. */
  public static List<Stream> streams() {
    return List.of(
        stream(NORMAL, Request.of("service", "api"), 1.5, 0),
        stream(BATCH, Request.of("service", "api", "job", "nightly"), 1.5, 0),
        stream(CRITICAL, Request.of("service", "api", "api", "POST /charges"), 0.3, STEP));
  }

  private static Stream stream(String demandClass, Request request, double limits, long from) {
    return new Stream(demandClass, request, limits * PERMITS / INSTANCES, from);
  }

  public Rule rule() {
    return Rule.of(new RuleId("fleet", "capacity"), List.of("service"), kind.limit(PERMITS, PERIOD))
        .withEnforcement(enforcement)
        .withClasses(CLASSES)
        .withVersion(1, 1);
  }
}
