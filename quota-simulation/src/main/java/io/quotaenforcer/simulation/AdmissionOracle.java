package io.quotaenforcer.simulation;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitState;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.simulation.ClockAudit.Shown;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Judges whether admissions kept to a limit: runs the limit's algorithm over them in one process.
 * Most are run in true time. Where the position of window borders matters, they are run by a {@link
 * WitnessClock}, which places borders as the ledger does and is held to its promises in true time.
 */
final class AdmissionOracle {

  /** The limit promised at a time, or for the window that begins then. */
  @FunctionalInterface
  interface Promise {
    Limit at(long generation, long nanos);
  }

  /**
   * Reading of the clock that windows are aligned to, at the moment when an admission's clock was
   * read.
   */
  @FunctionalInterface
  interface LedgerClock {
    Shown at(Admission admission);
  }

  private final Promise promise;
  private final LedgerClock clock;
  private final boolean isDivided;

  AdmissionOracle(Promise promise, LedgerClock clock) {
    this(promise, clock, false);
  }

  /**
   * An oracle.
   *
   * @param isDivided whether parts of the limit have borders of their own, so that a {@link
   *     DividedOracle} judges limits whose borders matter
   */
  AdmissionOracle(Promise promise, LedgerClock clock, boolean isDivided) {
    this.promise = promise;
    this.clock = clock;
    this.isDivided = isDivided;
  }

  private record Group(QuotaKey key, long generation) {}

  private record Window(Group group, long startNanos) {}

  /**
   * Permits over the limit in the worst window of any key, where each admission counts at the best
   * of its times: a thread that stood still takes permits granted since it read its clock, or
   * earlier ones.
   */
  long worstExcess(List<Admission> admissions) {
    List<Admission> placed = new ArrayList<>(admissions);
    long worst = excess(placed);
    for (int i = placed.size() - 1; i >= 0 && worst > 0; i--) {
      Admission read = placed.get(i);
      if (read.atNanos() < read.takenNanos()) {
        placed.set(i, read.whenTaken());
        long moved = excess(placed);
        placed.set(i, moved < worst ? read.whenTaken() : read);
        worst = Math.min(worst, moved);
      }
    }
    return worst;
  }

  private long excess(List<Admission> admissions) {
    Map<Group, State> groups = new HashMap<>();
    Map<Window, Long> excess = new HashMap<>();
    admissions.stream()
        .sorted(Comparator.comparingLong(Admission::atNanos))
        .forEach(
            admission -> {
              Group group = new Group(admission.key(), admission.generation());
              State state = groups.computeIfAbsent(group, g -> new State());
              long over = state.admit(admission);
              if (over > 0) {
                Limit limit = promise.at(admission.generation(), admission.atNanos());
                excess.merge(
                    new Window(group, limit.windowStart(admission.atNanos())), over, Long::sum);
              }
            });
    return excess.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }

  private final class State {
    private final Map<Long, Long> usedPerWindow = new HashMap<>();
    private final WitnessClock witness = new WitnessClock();
    private long newest = Long.MIN_VALUE;
    private @Nullable Limit limit;
    private @Nullable LimitState state;
    private DividedOracle.@Nullable Bound bound;

    /** Permits of this admission that do not fit. */
    long admit(Admission admission) {
      Limit now = promise.at(admission.generation(), admission.atNanos());
      if (now instanceof WindowedLimit) {
        long window = admission.windowStartNanos();
        long permits = promise.at(admission.generation(), window).permits();
        long used = usedPerWindow.merge(window, admission.cost(), Long::sum);
        return Math.min(admission.cost(), Math.max(0, used - permits));
      }
      long read = admission.atNanos();
      bound = bound == null && isDivided ? DividedOracle.of(now).orElse(null) : bound;
      if (bound != null) {
        return bound.admits(now, admission.cost(), read) ? 0 : admission.cost();
      }
      Limit before =
          limit == null ? promise.at(admission.generation(), LoopSimulation.START) : limit;
      LimitState known = state == null ? before.initial(LoopSimulation.START) : state;
      long at =
          now.bordersMatter()
              ? witness.at(
                  clock.at(admission), now.borderNanos(), then -> isAsNew(before, known, then))
              : read;
      at = Math.max(newest, at);
      newest = at;
      LimitState rolled = before.advance(known, at);
      rolled = now.equals(before) ? rolled : now.convert(rolled, before, at);
      boolean fits = now.available(rolled, at) >= admission.cost();
      state = fits ? now.book(rolled, admission.cost(), at) : rolled;
      limit = now;
      return fits ? 0 : admission.cost();
    }
  }

  private static boolean isAsNew(Limit limit, LimitState state, long at) {
    return limit.available(limit.advance(state, at), at) == limit.capacity()
        && limit.forgettableAt(state, at) <= at;
  }
}
