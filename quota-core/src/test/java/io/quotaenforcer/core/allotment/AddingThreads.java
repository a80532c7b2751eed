package io.quotaenforcer.core.allotment;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;

/** Threads that count at once. */
final class AddingThreads {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private AddingThreads() {}

  /** Starts them, and waits for all: they have ended when this returns, not only their work. */
  static void untilAllHaveEnded(List<Thread> threads) {
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      try {
        thread.join(TIMEOUT.toMillis());
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      assertThat(thread.isAlive()).as("%s is still at it", thread).isFalse();
    }
  }
}
