package io.quotaenforcer.bench.moving.real;

import io.quotaenforcer.bench.moving.scenario.SlotLoad;
import io.quotaenforcer.bench.moving.scenario.SlotLog;
import io.quotaenforcer.bench.moving.scenario.SlotRow;
import io.quotaenforcer.bench.process.LoggedJvm;
import io.quotaenforcer.broker.TemporaryFolder;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Slots in real time. An instance in a process of its own holds all of them and is killed while
 * eight others wait for them; then what these hold is measured.
 *
 * @param seconds that are measured once these have all
 * @param seed of how long requests run
 */
public record RealSlots(int seconds, long seed) {
  private static final int HEAP_MEBIBYTES = 128;
  private static final Duration START_TIMEOUT = Duration.ofMinutes(2);
  private static final long SETTLE_SECONDS = 3;
  private static final long PATIENCE_SECONDS = 30;
  private static final long POLL_MILLIS = 20;

  /** Runs it on a broker and an enforcer of its own. */
  public RealRow<SlotRow> run() throws Exception {
    SlotLog log = new SlotLog();
    try (TemporaryFolder folder = TemporaryFolder.create("quota-bench-moving-");
        RealFleet fleet =
            RealFleet.start(SlotLoad.INSTANCES, SlotLoad.INSTANCES + 1, List.of(SlotLoad.rule()));
        LoggedJvm gone =
            LoggedJvm.start(
                "the instance that is to be killed",
                folder.path().resolve("gone.txt"),
                SlotHolderMain.class,
                HEAP_MEBIBYTES,
                fleet.bootstrapServers());
        Passing passing = new Passing(seed, log)) {
      gone.await("all slots", START_TIMEOUT, () -> gone.said().contains(SlotHolderMain.HOLDS));
      // Its requests count as long as they may run: what they set going goes on.
      long held = System.nanoTime();
      long counted = held + SlotLoad.MAX_HOLD;
      log.begins(SlotLoad.SLOTS, held);
      log.ends(SlotLoad.SLOTS, counted);
      passing.start(fleet.clients());
      TimeUnit.SECONDS.sleep(1);
      long killed = System.nanoTime();
      gone.close();
      double back = awaitAll(log, counted, killed);
      TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
      long from = System.nanoTime();
      fleet.measure(from);
      TimeUnit.SECONDS.sleep(seconds);
      double mean = log.mean(from, System.nanoTime());
      SlotRow row = new SlotRow(SlotLoad.SLOTS, mean / SlotLoad.SLOTS, log.most(), back);
      return new RealRow<>(row, fleet.pace(passing.lateNanos()));
    }
  }

  /** Seconds until others hold all slots; not finite if they do not. */
  private static double awaitAll(SlotLog log, long counted, long killed)
      throws InterruptedException {
    long giveUp = killed + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    OptionalLong all = OptionalLong.empty();
    while (all.isEmpty() && System.nanoTime() - giveUp < 0) {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      all = log.firstAfter(counted, SlotLoad.SLOTS);
    }
    return all.isEmpty() ? Double.POSITIVE_INFINITY : (all.getAsLong() - killed) / 1e9;
  }
}
