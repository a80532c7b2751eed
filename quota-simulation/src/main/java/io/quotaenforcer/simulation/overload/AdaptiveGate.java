package io.quotaenforcer.simulation.overload;

import io.quotaenforcer.core.adapt.AdaptState;
import io.quotaenforcer.core.adapt.AdaptTerms;
import io.quotaenforcer.core.adapt.Adaptation;
import io.quotaenforcer.core.adapt.InstanceLoads;
import io.quotaenforcer.core.adapt.LoadSignal;
import java.util.List;

/** One limit of the service that follows the mean of what its servers say. */
final class AdaptiveGate implements Gate {
  private final AdaptTerms terms;
  private final InstanceLoads loads = new InstanceLoads();
  private final RateGate limit;
  private AdaptState state;

  AdaptiveGate(AdaptTerms terms) {
    this.terms = terms;
    state = AdaptState.start(terms, 0);
    limit = new RateGate(perSecond());
  }

  @Override
  public boolean admits(int server, int inFlight, long now) {
    return limit.admits(server, inFlight, now);
  }

  @Override
  public void heard(List<LoadSignal> signals, long now) {
    for (int i = 0; i < signals.size(); i++) {
      loads.heard(Integer.toString(i), signals.get(i), now);
    }
    state = Adaptation.next(terms, state, loads.load(now), now);
    limit.set(perSecond(), now);
  }

  @Override
  public double letsThrough(double asked) {
    return limit.letsThrough(asked);
  }

  /** What is in force. */
  double perSecond() {
    return terms.nominalPerSecond() * state.basisPoints() / AdaptTerms.WHOLE;
  }
}
