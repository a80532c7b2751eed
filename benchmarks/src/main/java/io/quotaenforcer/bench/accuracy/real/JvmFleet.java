package io.quotaenforcer.bench.accuracy.real;

import io.quotaenforcer.bench.accuracy.instance.Instance;
import io.quotaenforcer.bench.accuracy.instance.InstanceLog;
import io.quotaenforcer.bench.accuracy.instance.Site;
import io.quotaenforcer.bench.accuracy.instance.Trial;
import io.quotaenforcer.bench.accuracy.instance.TrueTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Instances in this JVM, with a thread each for their requests, and nothing shared. */
final class JvmFleet implements Fleet {
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final List<Instance> instances = new ArrayList<>();
  private final Together together;

  JvmFleet(Site site, int size, TrueTime time) {
    for (int i = 0; i < size; i++) {
      instances.add(new Instance(site, "one-jvm-" + i, i, time));
    }
    together = new Together(size);
  }

  @Override
  public void prepare(Trial trial) throws InterruptedException {
    for (Instance instance : instances) {
      instance.prepare(trial.policy());
    }
  }

  @Override
  public List<InstanceLog> run(Trial trial, long startEpochNanos) throws InterruptedException {
    List<Callable<InstanceLog>> tasks = new ArrayList<>();
    for (Instance instance : instances) {
      tasks.add(() -> instance.run(trial, startEpochNanos));
    }
    return together.run(tasks, Duration.ofNanos(trial.loadNanos()).plus(GRACE));
  }

  @Override
  public void close() {
    together.close();
    instances.forEach(Instance::close);
  }
}
