package io.quotaenforcer.lab.process;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waits for what other processes do, by looking again and again. */
public final class Wait {
  private static final long POLL_MILLIS = 20;

  private Wait() {}

  /**
   * Returns once the condition holds; one that throws does not hold yet.
   *
   * @param what is waited for, for people
   * @throws IllegalStateException if it does not hold in time
   */
  public static void until(String what, Duration atMost, Callable<Boolean> condition) {
    long deadline = System.nanoTime() + atMost.toNanos();
    Exception last = null;
    while (true) {
      try {
        if (condition.call()) {
          return;
        }
      } catch (InterruptedException e) {
        throw interrupted(e);
      } catch (Exception e) {
        last = e;
      }
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("waited " + atMost.toSeconds() + " s for: " + what, last);
      }
      pause(Duration.ofMillis(POLL_MILLIS));
    }
  }

  /** Lets time pass. */
  public static void pause(Duration time) {
    try {
      TimeUnit.NANOSECONDS.sleep(time.toNanos());
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static IllegalStateException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("was interrupted", e);
  }
}
