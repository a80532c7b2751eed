package io.quotaenforcer.bench.moving.real;

import io.quotaenforcer.bench.fleet.Excess;
import io.quotaenforcer.bench.moving.scenario.ClassLoad;
import io.quotaenforcer.bench.moving.scenario.ClassRow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Enforcement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The load of three classes in real time.
 *
 * @param seconds that are measured since the first class began to ask
 * @param seed of the times of requests
 */
public record RealClasses(ClassLoad load, int seconds, long seed) {
  private static final long SECOND = 1_000_000_000L;
  private static final long AFTER_THE_LOOP = ClassLoad.STEP + ClassLoad.LOOP;

  private long endNanos() {
    return ClassLoad.STEP + seconds * SECOND;
  }

  /** Runs it on a broker and an enforcer of its own. */
  public RealRow<ClassRow> run() throws InterruptedException {
    try (RealFleet fleet =
        RealFleet.start(ClassLoad.INSTANCES, ClassLoad.INSTANCES, List.of(load.rule()))) {
      long start = fleet.borderSoon(ClassLoad.PERIOD);
      RealFleet.Run run = fleet.run(asks(), start, ClassLoad.STEP, Duration.ZERO);
      return new RealRow<>(row(run.all(), start), run.pace());
    }
  }

  private List<List<Ask>> asks() {
    SplittableRandom random = new SplittableRandom(seed);
    List<List<Ask>> all = new ArrayList<>();
    for (int i = 0; i < ClassLoad.INSTANCES; i++) {
      List<Ask> ofInstance = new ArrayList<>();
      for (ClassLoad.Stream stream : ClassLoad.streams()) {
        int number = ClassLoad.streams().indexOf(stream);
        for (long at = stream.fromNanos() + gap(stream, random);
            at < endNanos();
            at += gap(stream, random)) {
          ofInstance.add(new Ask(at, number, stream.request()));
        }
      }
      ofInstance.sort(Comparator.comparingLong(Ask::dueNanos));
      all.add(ofInstance);
    }
    return all;
  }

  private static long gap(ClassLoad.Stream stream, SplittableRandom random) {
    return (long) (-Math.log(1 - random.nextDouble()) * SECOND / stream.perSecond());
  }

  ClassRow row(List<Asked> all, long start) {
    List<Asked> first =
        all.stream()
            .filter(each -> each.askedNanos() >= start + ClassLoad.STEP)
            .filter(each -> each.askedNanos() < start + AFTER_THE_LOOP)
            .toList();
    List<Asked> then =
        all.stream().filter(each -> each.askedNanos() >= start + AFTER_THE_LOOP).toList();
    long admitted = then.stream().filter(each -> each.decision().admitted()).count();
    double measured = (double) (endNanos() - AFTER_THE_LOOP) / SECOND;
    return new ClassRow(
        load.kind().label(),
        load.enforcement(),
        served(first, ClassLoad.CRITICAL),
        served(then, ClassLoad.CRITICAL),
        served(then, ClassLoad.NORMAL),
        served(then, ClassLoad.BATCH),
        admitted / (ClassLoad.PERMITS * measured),
        over(all, start));
  }

  private static double served(List<Asked> some, String demandClass) {
    List<Asked> ofClass =
        some.stream()
            .filter(each -> ClassLoad.streams().get(each.of()).demandClass().equals(demandClass))
            .toList();
    long admitted = ofClass.stream().filter(each -> each.decision().admitted()).count();
    return ofClass.isEmpty() ? 1 : (double) admitted / ofClass.size();
  }

  /** Permits over the limit, whichever of their moments they count at. */
  private long over(List<Asked> all, long start) {
    if (load.enforcement() != Enforcement.STRICT) {
      return 0;
    }
    Limit limit = load.rule().limit();
    return Asked.MOMENTS.stream()
        .mapToLong(
            moment -> {
              Excess excess = Excess.divided(limit, start);
              return Asked.sorted(all, moment).stream()
                  .filter(each -> each.decision().admitted())
                  .filter(
                      each ->
                          excess.isOver(
                              moment.applyAsLong(each),
                              each.decision().rules().get(0).windowStartNanos()))
                  .count();
            })
        .min()
        .orElseThrow();
  }
}
