package io.quotaenforcer.simulation;

import io.quotaenforcer.simulation.LoopSimulation.Network;

/** A network without trouble, and terms as an enforcer has them by default. */
final class CalmNetwork {
  private static final long SECOND = 1_000_000_000L;
  static final Conditions CALM =
      Conditions.of(new Network(10_000_000L, 0, 0))
          .withShareTerm(30 * SECOND)
          .withRestTerm(600 * SECOND);

  private CalmNetwork() {}
}
