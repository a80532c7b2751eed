package io.quotaenforcer.bench.accuracy.real;

import io.quotaenforcer.bench.accuracy.instance.InstanceLog;
import io.quotaenforcer.bench.accuracy.instance.Trial;
import io.quotaenforcer.bench.accuracy.scenario.Admissions;
import io.quotaenforcer.bench.accuracy.scenario.Arrivals;
import io.quotaenforcer.bench.figures.Percentile;
import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.enforcer.verdict.TurnedAway;
import io.quotaenforcer.enforcer.verdict.VerdictTerms;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongBiFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Judges the decisions of all instances together, in the order of their clock reads: of the
 * instances' own logs, whatever an enforcer has counted.
 */
final class RealJudge {
  private static final long TOLERANCE = VerdictTerms.LABEL_TOLERANCE_NANOS;

  private final Trial trial;
  private final Limit limit;
  private final long startEpochNanos;
  private final List<InstanceLog> logs;

  private record Entry(long at, long windowStart, PermitSource source) {
    boolean admitted() {
      return source != PermitSource.NONE;
    }
  }

  private RealJudge(Trial trial, long startEpochNanos, List<InstanceLog> logs) {
    this.trial = trial;
    this.limit = trial.scenario().limit();
    this.startEpochNanos = startEpochNanos;
    this.logs = logs;
  }

  /**
   * The figures of a trial.
   *
   * @param startEpochNanos at which a window begins
   * @param logs of all instances
   */
  static Figures judge(Trial trial, long startEpochNanos, List<InstanceLog> logs) {
    return new RealJudge(trial, startEpochNanos, logs).judge();
  }

  private Figures judge() {
    Admissions ideal = new Admissions(limit, trial.allWindows());
    Admissions admissions = new Admissions(limit, trial.allWindows());
    Admissions granted = new Admissions(limit, trial.allWindows());
    TurnedAway.Tally turnedAway = new TurnedAway.Tally();
    long admitted = 0;
    long mislabelled = 0;
    for (Entry entry : entries()) {
      admitted += entry.admitted() ? 1 : 0;
      mislabelled += entry.admitted() && isMislabelled(entry) ? 1 : 0;
      if (isCounted(entry.at)) {
        boolean fits = ideal.offer(entry.at);
        if (entry.at - Arrivals.START >= trial.measuredFromNanos()) {
          turnedAway.add(fits, entry.admitted());
        }
      }
      if (entry.admitted() && isCounted(label(entry))) {
        admissions.add(entry.at, entry.windowStart);
        if (entry.source == PermitSource.GRANTED) {
          granted.add(entry.at, entry.windowStart);
        }
      }
    }
    int from = Trial.WARM_UP_WINDOWS;
    int to = trial.allWindows();
    double allowed = ideal.within(from, to);
    double permits = limit.permits();
    return new Figures(
        logs.stream().mapToLong(InstanceLog::size).sum(),
        admitted,
        100 * admissions.excess(from, to) / (permits * trial.windows()),
        Math.max(0, 100 * (allowed - admissions.within(from, to)) / Math.max(1, allowed)),
        turnedAway.total().percent(),
        100 * admissions.worstExcess(from, to) / permits,
        granted.excess(from, to),
        mislabelled,
        Percentile.of(measured(InstanceLog::lateNanos)),
        Percentile.of(measured(InstanceLog::tookNanos)),
        Percentile.of(logs.stream().flatMapToLong(log -> LongStream.of(log.loopNanos()))),
        100.0 * logs.stream().mapToLong(InstanceLog::cpuNanos).sum() / trial.loadNanos());
  }

  /** All decisions in order, with the trial's start moved to where {@link Admissions} begins. */
  private List<Entry> entries() {
    long moved = Arrivals.START - startEpochNanos;
    return logs.stream().flatMap(log -> entries(log, moved)).sorted(byTime()).toList();
  }

  private static Stream<Entry> entries(InstanceLog log, long moved) {
    return IntStream.range(0, log.size())
        .mapToObj(
            i -> {
              long window = log.windowStartNanos(i);
              return new Entry(
                  log.atNanos(i) + moved, window == 0 ? 0 : window + moved, log.source(i));
            });
  }

  private static Comparator<Entry> byTime() {
    return Comparator.comparingLong(Entry::at);
  }

  private LongStream measured(ToLongBiFunction<InstanceLog, Integer> figure) {
    return logs.stream()
        .flatMapToLong(
            log ->
                IntStream.range(0, log.size())
                    .filter(i -> log.dueNanos(i) >= trial.measuredFromNanos())
                    .mapToLong(i -> figure.applyAsLong(log, i)));
  }

  private static long label(Entry entry) {
    return entry.windowStart == 0 ? entry.at : entry.windowStart;
  }

  /** Whether it is in a window that is kept: one that comes much too late is not. */
  private boolean isCounted(long at) {
    long sinceStart = at - Arrivals.START;
    return sinceStart >= 0 && sinceStart < (trial.allWindows() + 2) * limit.periodNanos();
  }

  private boolean isMislabelled(Entry entry) {
    return limit.permitsBelongToWindow()
        && (limit.windowStart(entry.windowStart) != entry.windowStart
            || entry.at < entry.windowStart - TOLERANCE
            || entry.at >= entry.windowStart + limit.periodNanos() + TOLERANCE);
  }
}
