package io.quotaenforcer.client.internal.kafka;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that ends the wait of requests whose time is up. It does nothing else, so that neither
 * Kafka nor a caller can hold it up. It starts with the first request that waits, and sleeps while
 * none does.
 */
public final class WaitTimer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(WaitTimer.class);

  /** The clock may run faster than this thread's. */
  private static final long TICK_NANOS = 5_000_000L;

  private final PendingDecisions pending;
  private final HandOver handOver;
  private final LongSupplier clock;
  private final Thread thread;
  private volatile boolean started;
  private volatile boolean asleep;
  private volatile boolean closed;

  public WaitTimer(
      PendingDecisions pending, HandOver handOver, LongSupplier clock, String instance) {
    this.pending = pending;
    this.handOver = handOver;
    this.clock = clock;
    this.thread = new Thread(this::run, "quota-waits-" + instance);
    this.thread.setDaemon(true);
    pending.whenWaiting(this::wake);
  }

  /** Ends the thread; what still waits is to be decided by who closes. */
  @Override
  public synchronized void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  private void wake() {
    if (asleep) {
      asleep = false;
      LockSupport.unpark(thread);
    } else if (!started) {
      start();
    }
  }

  private synchronized void start() {
    if (!started && !closed) {
      thread.start();
      started = true;
    }
  }

  private void run() {
    while (!closed) {
      try {
        pending.expire(clock.getAsLong());
        handOver.relieve();
      } catch (RuntimeException | Error e) {
        // Errors, too: nobody else does this thread's work.
        log.error("cannot end the wait of requests; trying again", e);
      }
      asleep = true;
      // Asked only now: whoever begins to wait after this ends the sleep.
      if (pending.waiting() > 0 || !handOver.isIdle()) {
        asleep = false;
        long next = pending.nanosToNext(clock.getAsLong());
        LockSupport.parkNanos(this, Math.max(1, Math.min(next, TICK_NANOS)));
      } else if (!closed) {
        LockSupport.park(this);
      }
    }
  }
}
