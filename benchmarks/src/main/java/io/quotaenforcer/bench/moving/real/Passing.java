package io.quotaenforcer.bench.moving.real;

import io.quotaenforcer.bench.moving.scenario.SlotLoad;
import io.quotaenforcer.bench.moving.scenario.SlotLog;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.Passage;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;

/** Requests that run in slots, one after the other, until it is closed. */
final class Passing implements AutoCloseable {
  private static final int THREADS = 2;
  private static final Duration WAIT = Duration.ofSeconds(60);
  private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final SplittableRandom random;
  private final SlotLog log;
  private final Histogram lateNanos = new SynchronizedHistogram(3);
  private final ScheduledExecutorService work = Executors.newScheduledThreadPool(THREADS);

  /**
   * @param seed of how long they run
   * @param log is told of each
   */
  Passing(long seed, SlotLog log) {
    random = new SplittableRandom(seed);
    this.log = log;
  }

  void start(List<AdmissionClient> clients) {
    for (AdmissionClient client : clients) {
      for (int i = 0; i < SlotLoad.AT_EACH; i++) {
        work.execute(() -> enter(client));
      }
    }
  }

  private void enter(AdmissionClient client) {
    client
        .enterAsync(SlotLoad.request(), WAIT)
        .thenAccept(
            passage -> {
              if (passage.entered()) {
                log.begins(1, System.nanoTime());
                later(() -> leave(passage, client), holdNanos());
              } else {
                later(() -> enter(client), AGAIN_NANOS);
              }
            });
  }

  private void leave(Passage passage, AdmissionClient client) {
    log.ends(1, System.nanoTime());
    passage.release();
    enter(client);
  }

  private synchronized long holdNanos() {
    return SlotLoad.holdNanos(random);
  }

  private void later(Runnable step, long nanos) {
    if (work.isShutdown()) {
      return;
    }
    long due = System.nanoTime() + nanos;
    work.schedule(
        () -> {
          lateNanos.recordValue(Math.max(0, System.nanoTime() - due));
          step.run();
        },
        nanos,
        TimeUnit.NANOSECONDS);
  }

  /** How much later than due requests ended. */
  Histogram lateNanos() {
    return lateNanos.copy();
  }

  @Override
  public void close() {
    work.shutdownNow();
  }
}
