package io.quotaenforcer.bench.topology;

import io.quotaenforcer.bench.process.LoggedJvm;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;

/**
 * How fast an application takes what was written before it started: from when a part of it is done,
 * which warms it up, until all is.
 *
 * @param warmUp records of input that are not measured
 * @param all records of input
 * @param done records that were taken
 * @param behindIsDone whether what they lead to is done, too
 */
record Drain(long warmUp, long all, Callable<Long> done, Callable<Boolean> behindIsDone) {
  private static final Duration AT_MOST = Duration.ofMinutes(20);
  private static final double NANOS_PER_SECOND = 1e9;

  /** A moment of it. */
  private record Moment(Instant at, long nanos, long done, Duration application, Duration broker) {
    static Moment now(long taken, LoggedJvm application) {
      return new Moment(
          Instant.now(),
          System.nanoTime(),
          taken,
          application.processorTime(),
          // The broker is in this process.
          ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO));
    }
  }

  DrainResult by(LoggedJvm application) throws Exception {
    Moment[] begin = new Moment[1];
    application.await(
        "the input to be taken",
        AT_MOST,
        () -> {
          long taken = done.call();
          if (begin[0] == null && taken >= warmUp) {
            begin[0] = Moment.now(taken, application);
          }
          return taken >= all && behindIsDone.call();
        });
    Moment end = Moment.now(all, application);
    Moment from = begin[0];
    return new DrainResult(
        from.at,
        end.done - from.done,
        (end.nanos - from.nanos) / NANOS_PER_SECOND,
        end.application.minus(from.application),
        end.broker.minus(from.broker));
  }
}
