package io.quotaenforcer.lab.outage;

import io.quotaenforcer.lab.service.LoopLog;
import io.quotaenforcer.lab.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Judges what services decided through several faults, by what they wrote down. */
final class OutageJudge {
  private static final long SECOND_MICROS = 1_000_000;
  private static final double WHOLE = 0.95;

  /** The least part of the limit admitted in calm; less shows that it was not calm. */
  private static final double LEAST_CALM = 0.75;

  private final List<Stage.Times> faults;
  private final LongUnaryOperator moved;
  private final long[] takenOver;
  private final long[] restored;

  /**
   * Times are epoch microseconds.
   *
   * @param movedMicros when another broker led for the first time after a time
   * @param takenOverMicros whenever an enforcer was told that the partition is its own
   * @param restoredMicros whenever it had the partition's ledger
   */
  OutageJudge(
      List<Stage.Times> faults,
      LongUnaryOperator movedMicros,
      LongStream takenOverMicros,
      LongStream restoredMicros) {
    this.faults = List.copyOf(faults);
    this.moved = movedMicros;
    this.takenOver = takenOverMicros.toArray();
    this.restored = restoredMicros.toArray();
  }

  /**
   * The figures of each fault and limit.
   *
   * @param folder with a folder of each service, which have ended
   */
  List<OutageRow> judge(Path folder, List<StrictLimit> limits, List<String> services)
      throws IOException {
    OutageService.traces(limits).join(folder, services);
    Answers answers = new Answers(LoopLog.read(folder, services), StrictLimit.PARTITION);
    Map<String, Decided> byRule = new HashMap<>();
    List<Decided> all = new ArrayList<>();
    for (StrictLimit limit : limits) {
      Decided decided = new Decided(limit, faults.get(0).calmMicros() - 60 * SECOND_MICROS);
      byRule.put(limit.rule().id().toString(), decided);
      all.add(decided);
    }
    TraceReader.open(folder)
        .forEach(
            row -> {
              Decided decided = byRule.get(row.rule());
              if (decided == null) {
                throw new IllegalArgumentException("must be of a known rule: " + row);
              }
              decided.add(row);
            });
    List<OutageRow> rows = new ArrayList<>();
    for (int i = 0; i < faults.size(); i++) {
      long next = i + 1 < faults.size() ? faults.get(i + 1).calmMicros() : Long.MAX_VALUE / 2;
      for (Decided decided : all) {
        rows.add(row(faults.get(i), decided, answers, next));
      }
    }
    return rows;
  }

  private OutageRow row(Stage.Times at, Decided decided, Answers answers, long nextMicros) {
    long from = at.fromMicros();
    long until = at.untilMicros();
    long end = at.endMicros();
    Answers.Silence silence = answers.longest(from, end);
    long answer = Math.min(end, answers.firstMicros(Math.max(until, silence.untilMicros())));
    long granted = Math.min(end, decided.admitted.firstFrom(answer, end));
    long afterSilence =
        silence.untilMicros() >= end
            ? end
            : Math.min(end, decided.admitted.firstFrom(silence.untilMicros(), end));
    StrictLimit limit = decided.limit;
    return new OutageRow(
        at.fault(),
        limit.kind(),
        limit.spread(),
        limit.permits(),
        percent(decided, from, Math.max(granted, from + 1)),
        until - from < SECOND_MICROS ? null : (Double) percent(decided, from, until),
        granted - until < SECOND_MICROS / 10 ? null : (Double) percent(decided, until, granted),
        granted < end ? percent(decided, granted, end) : 0,
        100.0 * decided.over.sum(at.calmMicros(), nextMicros) / limit.permits(),
        part(decided.turnedAway.sum(from, end), decided.allowed.sum(from, end)),
        seconds(afterSilence - silence.fromMicros()),
        seconds(Math.max(0, wholeMicros(at, decided, granted) - until)),
        seconds(until - from),
        since(from, moved.applyAsLong(from), end),
        since(from, last(takenOver, from, granted), end),
        since(from, last(restored, from, granted), end),
        since(from, answer, end),
        since(from, granted, end));
  }

  /** When the last second ended in which too little was admitted. */
  private static long wholeMicros(Stage.Times at, Decided decided, long granted) {
    double calm =
        (double) decided.admitted.sum(at.calmMicros(), at.fromMicros())
            / (at.fromMicros() - at.calmMicros())
            * SECOND_MICROS;
    double least = WHOLE * Math.max(calm, LEAST_CALM * decided.limit.permits());
    long bad = at.fromMicros();
    // Whole ones, as most limits have borders there.
    long second = -Math.floorDiv(-at.fromMicros(), SECOND_MICROS) * SECOND_MICROS;
    for (; second + SECOND_MICROS <= at.endMicros(); second += SECOND_MICROS) {
      if (decided.admitted.sum(second, second + SECOND_MICROS) < least) {
        bad = second + SECOND_MICROS;
      } else if (second + SECOND_MICROS > granted) {
        break;
      }
    }
    return bad;
  }

  private static long last(long[] times, long from, long granted) {
    long last = Long.MAX_VALUE;
    for (long micros : times) {
      last = micros > from && micros <= granted ? micros : last;
    }
    return last;
  }

  private static double percent(Decided decided, long from, long until) {
    return part(decided.admitted.sum(from, until), decided.allowed.sum(from, until));
  }

  private static double part(long of, long all) {
    return all == 0 ? 100 : 100.0 * of / all;
  }

  private static @Nullable Double since(long from, long micros, long end) {
    return micros >= end ? null : (Double) seconds(micros - from);
  }

  private static double seconds(long micros) {
    return (double) micros / SECOND_MICROS;
  }
}
