package io.quotaenforcer.grpc;

import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads for calls that have waited: made when they are needed, gone a minute after. */
final class DaemonThreads {
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  static final Executor EXECUTOR =
      Executors.newCachedThreadPool(
          work -> {
            Thread thread = new Thread(work, "quota-grpc-" + NUMBERS.incrementAndGet());
            thread.setDaemon(true);
            return thread;
          });

  private DaemonThreads() {}
}
