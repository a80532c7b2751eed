package io.quotaenforcer.enforcer;

import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.metrics.EnforcerMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What metrics say of the rules. A failure to say it is logged, the first of several in a row: the
 * start and the thread that follows the rules go on.
 */
final class ShownRules {
  private static final Logger log = LoggerFactory.getLogger(ShownRules.class);

  private final EnforcerMetrics metrics;
  private boolean failing;

  ShownRules(EnforcerMetrics metrics) {
    this.metrics = metrics;
  }

  /**
   * Shows the bounds of the rules in force, and how many cannot be read.
   *
   * @param maxInstances most instances at a time, of the prefix
   */
  synchronized void show(RuleSet inForce, int maxInstances, int unreadable) {
    boolean shown = attempt(() -> metrics.rulesInForce(inForce, maxInstances));
    failing = !attempt(() -> metrics.rulesUnreadable(unreadable)) || !shown;
  }

  private boolean attempt(Runnable show) {
    try {
      show.run();
      return true;
    } catch (RuntimeException e) {
      if (!failing) {
        log.error("metrics do not show the rules in force; these are followed all the same", e);
        failing = true;
      }
      return false;
    }
  }
}
