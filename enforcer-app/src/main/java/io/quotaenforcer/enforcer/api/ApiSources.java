package io.quotaenforcer.enforcer.api;

import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.activity.ActivityBoard;
import io.quotaenforcer.enforcer.backtest.EventBacktests;
import io.quotaenforcer.enforcer.metrics.LiveFigures;
import io.quotaenforcer.enforcer.operations.Operations;
import io.quotaenforcer.enforcer.query.DeferredQuery;
import io.quotaenforcer.enforcer.query.EnforcersQuery;
import io.quotaenforcer.enforcer.query.KeyQuery;
import io.quotaenforcer.enforcer.query.PenaltiesQuery;
import io.quotaenforcer.enforcer.query.TasksQuery;
import io.quotaenforcer.enforcer.rules.RuleStore;
import io.quotaenforcer.server.Health;
import java.net.URI;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What the API tells of.
 *
 * @param operations what operators change and look at in topics
 * @param epochNanos the enforcer's clock
 */
public record ApiSources(
    Self self,
    Supplier<Health> health,
    Reports reports,
    Queries queries,
    Rules rules,
    Operations operations,
    LongSupplier epochNanos) {

  /**
   * This enforcer.
   *
   * @param address by which the others know it
   */
  public record Self(URI address, String version) {}

  /** What reports say. */
  public record Reports(ActivityBoard activity, LiveFigures figures) {}

  /** What stores say, here and elsewhere. */
  public record Queries(
      KeyQuery keys,
      DeferredQuery deferred,
      EnforcersQuery enforcers,
      PenaltiesQuery penalties,
      TasksQuery tasks) {}

  /**
   * The rules.
   *
   * @param maxInstances the most instances there will be
   * @param published opens the published ones
   * @param backtests runs rules on past requests
   */
  public record Rules(
      Supplier<RuleSet> inForce,
      int maxInstances,
      Supplier<RuleStore> published,
      EventBacktests backtests) {}
}
