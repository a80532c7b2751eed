package io.quotaenforcer.server.lifecycle;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;

/** Work on the calling thread that cleans up after itself, also when a signal ends the program. */
public final class Foreground {
  private Foreground() {}

  /**
   * Runs the work. A signal interrupts it, and the process goes on until it has ended.
   *
   * @param deadline how long a signal waits for it
   */
  public static <T> T run(Duration deadline, Callable<T> work) throws Exception {
    Thread worker = Thread.currentThread();
    CountDownLatch ended = new CountDownLatch(1);
    try (Lifecycle lifecycle = Lifecycle.start(deadline)) {
      lifecycle.add(
          worker.getName(),
          () -> {
            if (ended.getCount() > 0) {
              worker.interrupt();
            }
            ended.await();
          });
      try {
        return work.call();
      } finally {
        ended.countDown();
      }
    }
  }
}
