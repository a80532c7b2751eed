package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.enforcer.metrics.LoopMetrics.RefusedReport;

/** Usage that no correct instance reports, with the kind of mistake. */
final class WrongUsage extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final RefusedReport why;

  WrongUsage(RefusedReport why, String message) {
    super(message);
    this.why = why;
  }

  RefusedReport why() {
    return why;
  }
}
