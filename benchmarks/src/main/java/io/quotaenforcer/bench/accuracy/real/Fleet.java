package io.quotaenforcer.bench.accuracy.real;

import io.quotaenforcer.lab.verdict.KeyTable;
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

/** Instances in this process, with a thread each for their requests, and nothing shared. */
final class Fleet implements AutoCloseable {
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final List<Instance> instances = new ArrayList<>();
  private final ExecutorService threads;

  Fleet(String servers, KeyTable keys, int size, TrueTime time) {
    for (int i = 0; i < size; i++) {
      instances.add(new Instance(servers, keys, i, time));
    }
    threads = Executors.newFixedThreadPool(size, work -> new Thread(work, "bench-instance"));
  }

  /** Gets ready to decide by the policy of a trial. */
  void prepare(Trial trial) throws InterruptedException {
    for (Instance instance : instances) {
      instance.prepare(trial);
    }
  }

  /**
   * Runs a trial to its end.
   *
   * @return a log per instance
   * @throws IllegalStateException if one of them fails, or is not done in time
   */
  List<InstanceLog> run(Trial trial, long startEpochNanos) throws InterruptedException {
    Duration atMost = Duration.ofNanos(trial.loadNanos()).plus(GRACE);
    List<Callable<InstanceLog>> tasks = new ArrayList<>();
    instances.forEach(instance -> tasks.add(() -> instance.run(trial, startEpochNanos)));
    List<InstanceLog> logs = new ArrayList<>();
    try {
      for (Future<InstanceLog> one : submitAll(tasks)) {
        logs.add(one.get(atMost.toNanos(), TimeUnit.NANOSECONDS));
      }
      return logs;
    } catch (ExecutionException e) {
      throw new IllegalStateException("an instance failed: " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException("an instance was not done after " + atMost, e);
    }
  }

  private List<Future<InstanceLog>> submitAll(List<Callable<InstanceLog>> tasks) {
    return tasks.stream().map(threads::submit).toList();
  }

  @Override
  public void close() {
    threads.shutdownNow();
    instances.forEach(Instance::close);
  }
}
