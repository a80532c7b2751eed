package io.quotaenforcer.bench.simulate;

import io.quotaenforcer.simulation.SeedRun;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Seeds run by several threads, each seed by one. */
record Seeds(long first, int count, int threads) {
  private static final int QUEUED = 1_000;

  /** Hands every run to {@code to}, in the caller's thread, as they end. */
  void run(Consumer<SeedRun> to) throws InterruptedException {
    AtomicLong next = new AtomicLong(first);
    BlockingQueue<SeedRun> done = new ArrayBlockingQueue<>(QUEUED);
    ExecutorService executor = Executors.newFixedThreadPool(threads, Seeds::daemon);
    try {
      for (int i = 0; i < threads; i++) {
        executor.execute(() -> work(next, done));
      }
      for (int i = 0; i < count; i++) {
        to.accept(done.take());
      }
    } finally {
      executor.shutdownNow();
    }
  }

  private void work(AtomicLong next, BlockingQueue<SeedRun> done) {
    try {
      for (long seed = next.getAndIncrement();
          seed < first + count;
          seed = next.getAndIncrement()) {
        done.put(judged(seed));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A run that ends with an exception broke a promise, too. */
  private static SeedRun judged(long seed) {
    try {
      return SeedRun.of(seed);
    } catch (RuntimeException e) {
      return SeedRun.failed(seed, e);
    }
  }

  private static Thread daemon(Runnable run) {
    Thread thread = new Thread(run, "seeds");
    thread.setDaemon(true);
    return thread;
  }
}
