package io.quotaenforcer.bench.central;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Measures ways to decide, each with one thread and with two, in rounds. */
final class CentralRun {
  static final int[] THREADS = {1, 2};
  private static final long SEED = 1;

  private final CentralScale scale;
  private final Consumer<String> progress;

  /**
   * @param progress hears what is being done
   */
  CentralRun(CentralScale scale, Consumer<String> progress) {
    this.scale = scale;
    this.progress = progress;
  }

  /** By number of threads, and in the order of the cases. */
  List<CentralRow> run(List<CentralCase> cases) throws InterruptedException {
    for (CentralCase each : cases) {
      progress.accept("warming up: " + each.name() + ", " + each.pace().timing());
      measure(each, THREADS[THREADS.length - 1], scale.warmUp(), Duration.ZERO, new Tally());
    }
    List<Measured> all = new ArrayList<>();
    for (int threads : THREADS) {
      cases.forEach(each -> all.add(new Measured(each, threads)));
    }
    for (int round = 1; round <= CentralScale.ROUNDS; round++) {
      progress.accept("measuring: round %d of %d".formatted(round, CentralScale.ROUNDS));
      for (Measured each : all) {
        each.nanos += measure(each.of, each.threads, scale.leadIn(), scale.round(), each.tally);
      }
    }
    return all.stream().map(Measured::row).toList();
  }

  private static final class Measured {
    private final CentralCase of;
    private final int threads;
    private final Tally tally = new Tally();
    private long nanos;

    private Measured(CentralCase of, int threads) {
      this.of = of;
      this.threads = threads;
    }

    private CentralRow row() {
      return CentralRow.of(of, threads, tally, nanos);
    }
  }

  /** Nanoseconds that it took, without the lead-in. */
  private static long measure(
      CentralCase of, int threads, Duration leadIn, Duration length, Tally tally)
      throws InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      long start = System.nanoTime() + leadIn.toNanos();
      long end = start + length.toNanos();
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        Users users = new Users(SEED + i);
        running.add(
            pool.submit(
                () -> {
                  of.pace().run(users, start, new Tally());
                  of.pace().run(users, end, tally);
                  return null;
                }));
      }
      for (Future<?> thread : running) {
        thread.get();
      }
      return System.nanoTime() - start;
    } catch (ExecutionException e) {
      throw new IllegalStateException(of.name() + " failed: " + e.getCause(), e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }
}
