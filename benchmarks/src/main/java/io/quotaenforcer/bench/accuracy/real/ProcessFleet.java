package io.quotaenforcer.bench.accuracy.real;

import io.quotaenforcer.bench.accuracy.instance.InstanceLog;
import io.quotaenforcer.bench.accuracy.instance.InstanceMain;
import io.quotaenforcer.bench.accuracy.instance.Site;
import io.quotaenforcer.bench.accuracy.instance.Trial;
import io.quotaenforcer.bench.process.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Instances that are a process each. */
final class ProcessFleet implements Fleet {
  private static final int HEAP_MEBIBYTES = 128;
  private static final List<String> FLAGS = List.of("-XX:TieredStopAtLevel=1");
  private static final Duration PREPARE_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final List<Trial> trials;
  private final List<ChildJvm> instances = new ArrayList<>();
  private final Together together;

  /** Starts them; they get ready when a trial is prepared. */
  ProcessFleet(Site site, int size) {
    trials = site.trials();
    together = new Together(size);
    try {
      for (int i = 0; i < size; i++) {
        instances.add(start(site, i));
      }
    } catch (IOException e) {
      close();
      throw new UncheckedIOException("cannot start an instance as a process", e);
    }
  }

  @Override
  public void prepare(Trial trial) throws InterruptedException {
    ask(trial, InstanceMain.PREPARE, PREPARE_TIMEOUT);
  }

  @Override
  public List<InstanceLog> run(Trial trial, long startEpochNanos) throws InterruptedException {
    return ask(trial, startEpochNanos, Duration.ofNanos(trial.loadNanos()).plus(GRACE));
  }

  @Override
  public void close() {
    together.close();
    instances.parallelStream().forEach(ChildJvm::close);
  }

  private List<InstanceLog> ask(Trial trial, long startEpochNanos, Duration atMost)
      throws InterruptedException {
    List<Callable<InstanceLog>> tasks = new ArrayList<>();
    for (ChildJvm instance : instances) {
      tasks.add(
          () -> {
            instance.orders().writeInt(trials.indexOf(trial));
            instance.orders().writeLong(startEpochNanos);
            instance.orders().flush();
            return InstanceLog.read(instance.answers());
          });
    }
    return together.run(tasks, atMost);
  }

  private ChildJvm start(Site site, int index) throws IOException {
    ChildJvm instance =
        ChildJvm.start(
            InstanceMain.class,
            HEAP_MEBIBYTES,
            FLAGS,
            site.bootstrapServers(),
            Integer.toString(site.centralPort()),
            Integer.toString(index));
    instance.orders().writeInt(trials.size());
    for (Trial trial : trials) {
      trial.write(instance.orders());
    }
    instance.orders().flush();
    return instance;
  }
}
