package io.quotaenforcer.bench.topology;

import java.time.Duration;
import java.util.concurrent.Callable;

/**
 * How fast an application takes what was written before it started: from when a part of it is done,
 * which warms it up, until all is.
 */
final class Drain {
  private static final Duration AT_MOST = Duration.ofMinutes(20);
  private static final double NANOS_PER_SECOND = 1e9;

  private final long warmUp;
  private final long all;
  private final Callable<Long> done;
  private final Callable<Boolean> behindIsDone;
  private final Processes processes;

  /** The processes whose work it is. */
  interface Processes {
    void await(String what, Duration atMost, Callable<Boolean> condition) throws Exception;

    /** It is warm. */
    void warm() throws Exception;

    /** Of the application. */
    Duration processorTime();

    /** Of this process, in which the broker is. */
    Duration brokersProcessorTime();
  }

  /**
   * @param warmUp records of input that are not measured
   * @param all records of input
   * @param done records that were taken
   * @param behindIsDone whether what they lead to is done, too
   */
  Drain(
      long warmUp,
      long all,
      Callable<Long> done,
      Callable<Boolean> behindIsDone,
      Processes processes) {
    this.warmUp = warmUp;
    this.all = all;
    this.done = done;
    this.behindIsDone = behindIsDone;
    this.processes = processes;
  }

  /** A moment of it. */
  private record Moment(long nanos, long done, Duration application, Duration broker) {}

  DrainResult run() throws Exception {
    Moment[] begin = new Moment[1];
    processes.await(
        "the input to be taken",
        AT_MOST,
        () -> {
          long taken = done.call();
          if (begin[0] == null && taken >= warmUp) {
            processes.warm();
            begin[0] = moment(taken);
          }
          return taken >= all && behindIsDone.call();
        });
    Moment end = moment(all);
    Moment from = begin[0];
    return new DrainResult(
        end.done - from.done,
        (end.nanos - from.nanos) / NANOS_PER_SECOND,
        end.application.minus(from.application),
        end.broker.minus(from.broker));
  }

  private Moment moment(long taken) {
    return new Moment(
        System.nanoTime(), taken, processes.processorTime(), processes.brokersProcessorTime());
  }
}
