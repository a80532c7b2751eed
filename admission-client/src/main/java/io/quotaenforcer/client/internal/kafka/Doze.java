package io.quotaenforcer.client.internal.kafka;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The rest of one thread, until another one ends it or the time is up. */
final class Doze {
  private volatile @Nullable Thread dozing;

  /**
   * Rests the calling thread; it may wake up early without a cause.
   *
   * @param reason to rest; {@link #end} is to be called when there is none any more
   * @return false, at once, if there was none
   */
  boolean begin(long millis, BooleanSupplier reason) {
    dozing = Thread.currentThread();
    // Asked only now: whoever takes it away after this ends the rest.
    boolean rests = reason.getAsBoolean();
    if (rests) {
      LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(millis));
    }
    dozing = null;
    return rests;
  }

  /** Ends it. By any thread, at little cost where nobody dozes. */
  void end() {
    Thread thread = dozing;
    if (thread != null) {
      dozing = null;
      LockSupport.unpark(thread);
    }
  }
}
