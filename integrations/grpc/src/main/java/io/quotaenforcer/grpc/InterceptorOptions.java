package io.quotaenforcer.grpc;

import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * How an interceptor decides calls. Immutable.
 *
 * @param maxWait how long a call may wait for permits that are on their way, and never longer than
 *     to its deadline; no thread stands still meanwhile. Zero does not wait
 * @param cost permits of a call
 * @param onFailure what becomes of calls that cannot be decided
 * @param executor goes on with calls that have waited: it runs a server's handler, or sends a
 *     client's call. Handlers may block, so it should have threads for as many as may run at once;
 *     a server's own executor does. If it rejects a call, the thread that decided goes on with it
 */
public record InterceptorOptions(
    Duration maxWait, CallCost cost, OnFailure onFailure, Executor executor) {
  /**
   * Does not wait; a call costs what its request says, by default 1; calls that cannot be decided
   * go on; calls that have waited go on in daemon threads of this library's own, as many as needed.
   */
  public static final InterceptorOptions DEFAULTS =
      new InterceptorOptions(
          Duration.ZERO, CallCost.OF_REQUEST, OnFailure.ADMIT, DaemonThreads.EXECUTOR);

  /**
   * @throws IllegalArgumentException if the longest wait is less than zero
   */
  public InterceptorOptions {
    if (maxWait.isNegative()) {
      throw new IllegalArgumentException("must be >= 0: maxWait=" + maxWait);
    }
  }

  public InterceptorOptions withMaxWait(Duration newMaxWait) {
    return new InterceptorOptions(newMaxWait, cost, onFailure, executor);
  }

  public InterceptorOptions withCost(CallCost newCost) {
    return new InterceptorOptions(maxWait, newCost, onFailure, executor);
  }

  public InterceptorOptions withOnFailure(OnFailure newOnFailure) {
    return new InterceptorOptions(maxWait, cost, newOnFailure, executor);
  }

  public InterceptorOptions withExecutor(Executor newExecutor) {
    return new InterceptorOptions(maxWait, cost, onFailure, newExecutor);
  }
}
