package io.quotaenforcer.bench.topology;

import io.quotaenforcer.bench.process.LoggedJvm;
import java.time.Duration;
import java.util.concurrent.Callable;

/** An application as a child, and this process with its broker. */
record CountingProcesses(LoggedJvm jvm, Step onceWarm) implements Drain.Processes {

  /** Something to do. */
  @FunctionalInterface
  interface Step {
    void run() throws Exception;
  }

  CountingProcesses(LoggedJvm jvm) {
    this(jvm, () -> {});
  }

  @Override
  public void await(String what, Duration atMost, Callable<Boolean> condition) throws Exception {
    jvm.await(what, atMost, condition);
  }

  @Override
  public void warm() throws Exception {
    onceWarm.run();
  }

  @Override
  public Duration processorTime() {
    return jvm.processorTime();
  }

  @Override
  public Duration brokersProcessorTime() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
  }
}
