package io.quotaenforcer.simulation.overload;

import io.quotaenforcer.core.adapt.LoadSignal;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Each server has a part of the limit, which follows what it says itself. */
final class ByInstanceGate implements Gate {
  private final List<AdaptiveGate> servers;

  ByInstanceGate(int servers, Supplier<AdaptiveGate> part) {
    this.servers = Stream.generate(part).limit(servers).toList();
  }

  @Override
  public boolean admits(int server, int inFlight, long now) {
    return servers.get(server).admits(server, inFlight, now);
  }

  @Override
  public void heard(List<LoadSignal> signals, long now) {
    for (int i = 0; i < servers.size(); i++) {
      servers.get(i).heard(signals.subList(i, i + 1), now);
    }
  }

  @Override
  public double letsThrough(double asked) {
    double ofOne = asked / servers.size();
    return servers.stream().mapToDouble(server -> server.letsThrough(ofOne)).sum();
  }
}
