package io.quotaenforcer.simulation.overload;

import io.quotaenforcer.core.adapt.LoadSignal;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One service, its trouble and its callers, run under any gate: requests come at random times, each
 * to a server drawn at random, 70 % of what the healthy service gets done. Whoever is turned away
 * does not come again.
 */
final class ServiceRun {
  /** Requests that are asked for, of what a healthy service gets done. */
  static final double DEMAND = 0.7;

  /** Every second the servers say what their load was; half a second later the limit follows. */
  private static final long HALF_SECOND = 500_000_000L;

  private final Trouble trouble;
  private final int servers;
  private final long seed;

  ServiceRun(Trouble trouble, int servers, long seed) {
    this.trouble = trouble;
    this.servers = servers;
    this.seed = seed;
  }

  double capacity() {
    return servers * SimulatedServer.CAPACITY;
  }

  /** The same requests for every gate. */
  Course run(Gate gate) {
    SplittableRandom random = new SplittableRandom(seed);
    SplittableRandom arrivals = random.split();
    List<SimulatedServer> all = new ArrayList<>();
    for (int i = 0; i < servers; i++) {
      all.add(new SimulatedServer(trouble, i, random.split()));
    }
    double[] letThrough = new double[Trouble.END_SECOND];
    List<LoadSignal> signals = List.of();
    long nextArrival = 0;
    for (int half = 1; half <= 2 * Trouble.END_SECOND; half++) {
      long until = half * HALF_SECOND;
      while (nextArrival < until) {
        int index = arrivals.nextInt(servers);
        SimulatedServer server = all.get(index);
        server.advance(nextArrival, gate);
        if (gate.admits(index, server.inFlight(), nextArrival)) {
          server.accept(nextArrival);
        }
        double pause = -Math.log(1 - arrivals.nextDouble()) / asked(nextArrival);
        nextArrival += 1 + (long) (pause * 1e9);
      }
      all.forEach(server -> server.advance(until, gate));
      if (half % 2 == 0) {
        signals = all.stream().map(SimulatedServer::signal).toList();
      } else {
        if (!signals.isEmpty()) {
          gate.heard(signals, until);
        }
        letThrough[half / 2] = gate.letsThrough(asked(until));
      }
    }
    return new Course(good(all), letThrough);
  }

  /** Requests a second, in the mean. */
  private double asked(long now) {
    return DEMAND * capacity() * trouble.demand(now / 1e9);
  }

  private static long[] good(List<SimulatedServer> servers) {
    long[] good = new long[Trouble.END_SECOND];
    for (SimulatedServer server : servers) {
      for (int i = 0; i < good.length; i++) {
        good[i] += server.goodPerSecond()[i];
      }
    }
    return good;
  }
}
