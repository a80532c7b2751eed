package io.quotaenforcer.bench.accuracy.real;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A thread per instance. */
final class Together implements AutoCloseable {
  private final ExecutorService threads;

  Together(int instances) {
    threads = Executors.newFixedThreadPool(instances, work -> new Thread(work, "bench-instance"));
  }

  /**
   * Runs all at the same time, and returns what they return, in their order.
   *
   * @throws IllegalStateException if one of them fails, or is not done in time
   */
  <T> List<T> run(List<Callable<T>> tasks, Duration atMost) throws InterruptedException {
    List<Future<T>> running = tasks.stream().map(threads::submit).toList();
    long deadline = System.nanoTime() + atMost.toNanos();
    List<T> results = new ArrayList<>();
    try {
      for (Future<T> one : running) {
        results.add(one.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS));
      }
      return results;
    } catch (ExecutionException e) {
      throw new IllegalStateException("an instance failed: " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException("an instance was not done after " + atMost, e);
    } finally {
      running.forEach(one -> one.cancel(true));
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
