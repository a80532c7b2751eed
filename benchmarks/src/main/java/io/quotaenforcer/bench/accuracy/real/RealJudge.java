package io.quotaenforcer.bench.accuracy.real;

import io.quotaenforcer.bench.accuracy.scenario.Admissions;
import io.quotaenforcer.bench.accuracy.scenario.Arrivals;
import io.quotaenforcer.bench.figures.Times;
import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.lab.verdict.DecisionConsumer;
import io.quotaenforcer.lab.verdict.DecisionMerge;
import io.quotaenforcer.lab.verdict.KeyEntry;
import io.quotaenforcer.lab.verdict.KeyTable;
import io.quotaenforcer.lab.verdict.TurnedAway;
import io.quotaenforcer.lab.verdict.VerdictTerms;
import java.util.List;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/**
 * Judges the decisions of all instances together, in the order of their clock reads: of the
 * instances' own logs, whatever an enforcer has counted.
 */
final class RealJudge implements DecisionConsumer {
  private static final long TOLERANCE = VerdictTerms.LABEL_TOLERANCE_NANOS;

  private final Trial trial;
  private final Limit limit;

  /** Moves the trial's start to where {@link Admissions} begin. */
  private final long moved;

  private final Admissions ideal;
  private final Admissions admissions;
  private final Admissions granted;
  private final TurnedAway.Tally turnedAway = new TurnedAway.Tally();
  private long requests;
  private long admitted;
  private long mislabelled;

  /**
   * @param startEpochNanos at which a window begins
   */
  RealJudge(Trial trial, long startEpochNanos) {
    this.trial = trial;
    limit = trial.scenario().limit();
    moved = Arrivals.START - startEpochNanos;
    ideal = Admissions.ofOne(limit, trial.allWindows());
    admissions = Admissions.ofOne(limit, trial.allWindows());
    granted = Admissions.ofOne(limit, trial.allWindows());
  }

  /** The figures of the trial, by the logs of all instances. */
  Figures judge(KeyTable keys, List<InstanceLog> logs) {
    DecisionMerge.replaySorted(keys, logs.stream().map(InstanceLog::decisions).toList(), this);
    int from = Trial.WARM_UP_WINDOWS;
    int to = trial.allWindows();
    double allowed = ideal.within(from, to);
    double permits = limit.permits();
    return new Figures(
        requests,
        admitted,
        100 * admissions.excess(from, to) / (permits * trial.windows()),
        Math.max(0, 100 * (allowed - admissions.within(from, to)) / Math.max(1, allowed)),
        turnedAway.total().percent(),
        100 * admissions.worstExcess(from, to) / permits,
        granted.excess(from, to),
        mislabelled,
        sum(logs, InstanceLog::lateNanos),
        sum(logs, InstanceLog::tookNanos),
        sum(logs, InstanceLog::loopNanos),
        100.0 * logs.stream().mapToLong(InstanceLog::cpuNanos).sum() / trial.loadNanos());
  }

  @Override
  public void accept(
      long stampNanos, int instance, KeyEntry key, long cost, PermitSource source, long window) {
    long at = stampNanos + moved;
    long label = window == 0 ? 0 : window + moved;
    boolean isAdmitted = source != PermitSource.NONE;
    requests++;
    admitted += isAdmitted ? 1 : 0;
    mislabelled += isAdmitted && isMislabelled(at, label) ? 1 : 0;
    if (isKept(at)) {
      boolean fits = ideal.offer(at);
      if (at - Arrivals.START >= trial.measuredFromNanos()) {
        turnedAway.add(fits, isAdmitted);
      }
    }
    if (isAdmitted && isKept(label == 0 ? at : label)) {
      admissions.add(at, label);
      if (source == PermitSource.GRANTED) {
        granted.add(at, label);
      }
    }
  }

  /** Whether it is in a window that is kept: one that comes much too late is not. */
  private boolean isKept(long at) {
    long sinceStart = at - Arrivals.START;
    return sinceStart >= 0 && sinceStart < (trial.allWindows() + 2) * limit.periodNanos();
  }

  private boolean isMislabelled(long at, long label) {
    return limit instanceof WindowedLimit
        && (limit.windowStart(label) != label
            || at < label - TOLERANCE
            || at >= label + limit.periodNanos() + TOLERANCE);
  }

  private static Histogram sum(List<InstanceLog> logs, Function<InstanceLog, Histogram> part) {
    return Times.sum(logs.stream().map(part).toList());
  }
}
