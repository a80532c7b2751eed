package io.quotaenforcer.simulation;

import io.quotaenforcer.simulation.LoopSimulation.Network;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Messages under way between instances and the enforcer: late, lost, repeated and reordered. */
final class Letters {
  private final Timeline time;
  private final Network network;
  private final SplittableRandom random;
  private final Consumer<Fault> hit;

  /**
   * @param hit is told of each fault
   */
  Letters(Timeline time, Network network, SplittableRandom random, Consumer<Fault> hit) {
    this.time = time;
    this.network = network;
    this.random = random;
    this.hit = hit;
  }

  /**
   * Runs what a message does, as often as it arrives.
   *
   * @param sending whether it is the instance's, or to it
   */
  void deliver(SimulatedInstance instance, boolean sending, Runnable run) {
    if (instance.isCut(sending)) {
      return;
    }
    boolean lost = network.loss() > 0 && random.nextDouble() < network.loss();
    boolean repeated = network.repeat() > 0 && random.nextDouble() < network.repeat();
    if (lost) {
      hit.accept(Fault.MESSAGE_LOST);
    }
    if (repeated) {
      hit.accept(Fault.MESSAGE_REPEATED);
    }
    int copies = (lost ? 0 : 1) + (repeated ? 1 : 0);
    for (int i = 0; i < copies; i++) {
      long arrival = time.now() + (long) (network.delayNanos() * (0.5 + random.nextDouble()));
      if (instance.overtakes(sending, arrival)) {
        hit.accept(Fault.MESSAGE_REORDERED);
      }
      time.at(arrival, run);
    }
  }
}
