package io.quotaenforcer.lab.outage;

import io.quotaenforcer.lab.limits.LimitKind;
import io.quotaenforcer.lab.process.Wait;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * One fault after the other, under load all the time.
 *
 * @param faults in this order
 * @param kinds of limits: all of them have each fault at once
 * @param term how long permits last that an instance was granted and that did not come back: so
 *     long a killed service is away
 * @param watched for how long things are left alone after a fault has ended
 * @param warmUpSeconds of load before the first fault
 */
public record Outage(
    List<Fault> faults, List<LimitKind> kinds, Duration term, Duration watched, int warmUpSeconds) {
  /** Longer than any term is today. */
  public static final Duration TERM = Duration.ofSeconds(30);

  /** Until others have taken over, and for a while after it. */
  public static final Duration WATCHED = Duration.ofSeconds(20);

  /** Load before the first fault, until the code of all processes is compiled. */
  public static final int WARM_UP_SECONDS = 20;

  /** Until brokers and enforcers that were started again are as quick as the others. */
  private static final Duration SETTLED = Duration.ofSeconds(3);

  /** Until the code of a new service is compiled, and its share is what it is asked for. */
  private static final Duration SERVICE_SETTLED = Duration.ofSeconds(15);

  private static final Duration CALM = Duration.ofSeconds(4);

  public Outage {
    faults = List.copyOf(faults);
    kinds = List.copyOf(kinds);
    if (faults.isEmpty() || kinds.isEmpty()) {
      throw new IllegalArgumentException(
          "must not be empty: faults=%s, kinds=%s".formatted(faults, kinds));
    }
  }

  /**
   * Starts everything, lets all happen, ends it, and judges it.
   *
   * @param folder gets all that the processes write
   * @param progress a line at a time
   */
  public List<OutageRow> run(Path folder, Consumer<String> progress) throws Exception {
    List<Stage.Times> times = new ArrayList<>();
    try (OutageSite site = new OutageSite(folder, kinds, term)) {
      site.services().awaitSecond(warmUpSeconds);
      for (Fault fault : faults) {
        progress.accept(fault.label() + " ...");
        Stage stage = new Stage(fault);
        Wait.pause(CALM);
        fault.happen(site, stage);
        Wait.pause(watched);
        times.add(stage.times());
        long begun = System.nanoTime();
        site.mend();
        Wait.pause(fault == Fault.SERVICE_KILLED ? SERVICE_SETTLED : SETTLED);
        progress.accept(
            String.format(Locale.ROOT, "  mended in %.1f s", (System.nanoTime() - begun) / 1e9));
      }
      Wait.pause(CALM);
      site.services().stop();
      progress.accept("judging ...");
      site.logs().save(folder, site.services().jvms());
      return new OutageJudge(
              times,
              site.leaders()::movedMicros,
              site.logs().takenOverMicros(StrictLimit.PARTITION),
              site.logs().restoredMicros(StrictLimit.PARTITION))
          .judge(folder, StrictLimit.of(kinds), site.services().names());
    }
  }
}
