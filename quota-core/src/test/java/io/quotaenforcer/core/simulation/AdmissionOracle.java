package io.quotaenforcer.core.simulation;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.simulation.LoopSimulation.Admission;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Whether admissions kept to a limit: its algorithm, run over them in one process. */
final class AdmissionOracle {

  /** The limit that is promised at a time, or for the window that begins then. */
  @FunctionalInterface
  interface Promise {
    Limit at(long generation, long nanos);
  }

  /** The time of an admission by the clock that windows are aligned to. */
  @FunctionalInterface
  interface LedgerClock {
    long at(QuotaKey key, long trueNanos);
  }

  private final Promise promise;
  private final LedgerClock clock;

  AdmissionOracle(Promise promise, LedgerClock clock) {
    this.promise = promise;
    this.clock = clock;
  }

  private record Group(QuotaKey key, long generation) {}

  /** Permits over the limit in the worst window of any key. */
  long worstExcess(List<Admission> admissions) {
    Map<Group, State> groups = new HashMap<>();
    Map<String, Long> excess = new HashMap<>();
    admissions.stream()
        .sorted(Comparator.comparingLong(Admission::atNanos))
        .forEach(
            admission -> {
              Group group = new Group(admission.key(), admission.generation());
              State state = groups.computeIfAbsent(group, g -> new State());
              long over = state.admit(admission);
              Limit limit = promise.at(admission.generation(), admission.atNanos());
              excess.merge(group + "@" + limit.windowStart(admission.atNanos()), over, Long::sum);
            });
    return excess.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  private long window(Admission admission) {
    Limit limit = promise.at(admission.generation(), admission.atNanos());
    return limit.permitsBelongToWindow()
        ? admission.windowStartNanos()
        : limit.windowStart(admission.atNanos());
  }

  private final class State {
    private final Map<Long, Long> usedPerWindow = new HashMap<>();
    private long newest = Long.MIN_VALUE;
    private Limit limit;
    private LimitState state;

    /** Permits of this admission that do not fit. */
    long admit(Admission admission) {
      long at = Math.max(newest, clock.at(admission.key(), admission.atNanos()));
      newest = at;
      Limit now = promise.at(admission.generation(), admission.atNanos());
      if (now.permitsBelongToWindow()) {
        long window = admission.windowStartNanos();
        long permits = promise.at(admission.generation(), window).permits();
        long used = usedPerWindow.merge(window, admission.cost(), Long::sum);
        return Math.min(admission.cost(), Math.max(0, used - permits));
      }
      if (state == null) {
        state = now.initial(LoopSimulation.START);
      } else if (!now.equals(limit)) {
        state = now.convert(limit.advance(state, at), limit, at);
      }
      limit = now;
      state = limit.advance(state, at);
      boolean fits = limit.available(state, at) >= admission.cost();
      state = fits ? limit.book(state, admission.cost(), at) : state;
      return fits ? 0 : admission.cost();
    }
  }
}
