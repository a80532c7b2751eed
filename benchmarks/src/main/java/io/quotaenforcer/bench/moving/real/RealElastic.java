package io.quotaenforcer.bench.moving.real;

import io.quotaenforcer.bench.moving.scenario.ElasticJudge;
import io.quotaenforcer.bench.moving.scenario.ElasticLoad;
import io.quotaenforcer.bench.moving.scenario.ElasticRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;

/**
 * An elastic load in real time.
 *
 * @param warmUp periods before those that are measured
 * @param periods that are measured
 * @param seed of the times of requests, and of where they come
 */
public record RealElastic(ElasticLoad load, int warmUp, int periods, long seed) {
  /** Callers wait for longer than where it is simulated: a busy machine makes the loop longer. */
  private static final Duration WAIT = Duration.ofSeconds(1);

  /** Runs it on a broker and an enforcer of its own. */
  public RealRow<ElasticRow> run() throws InterruptedException {
    try (RealFleet fleet =
        RealFleet.start(ElasticLoad.INSTANCES, ElasticLoad.INSTANCES, load.rules().rules())) {
      long start = fleet.borderSoon(ElasticLoad.PERIOD);
      RealFleet.Run run = fleet.run(asks(), start, warmUp * ElasticLoad.PERIOD, WAIT);
      ElasticRow row =
          Asked.MOMENTS.stream()
              .map(moment -> row(run.all(), moment, start))
              .min(Comparator.comparingLong(ElasticRow::over))
              .orElseThrow();
      return new RealRow<>(row, run.pace());
    }
  }

  private List<List<Ask>> asks() {
    SplittableRandom random = new SplittableRandom(seed);
    List<List<Ask>> all = new ArrayList<>();
    for (int i = 0; i < ElasticLoad.INSTANCES; i++) {
      all.add(new ArrayList<>());
    }
    long end = (warmUp + periods) * ElasticLoad.PERIOD;
    for (int user = 0; user < ElasticLoad.USERS; user++) {
      for (long at = ElasticLoad.gap(user, random); at < end; at += ElasticLoad.gap(user, random)) {
        all.get(random.nextInt(ElasticLoad.INSTANCES))
            .add(new Ask(at, user, ElasticLoad.request(user)));
      }
    }
    all.forEach(asks -> asks.sort(Comparator.comparingLong(Ask::dueNanos)));
    return all;
  }

  private ElasticRow row(List<Asked> all, ToLongFunction<Asked> moment, long start) {
    ElasticJudge judge = new ElasticJudge(load, start, warmUp, periods);
    for (Asked each : Asked.sorted(all, moment)) {
      judge.decided(each.of(), each.decision(), each.askedNanos(), moment.applyAsLong(each));
    }
    return judge.row();
  }
}
