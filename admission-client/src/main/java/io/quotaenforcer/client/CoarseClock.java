package io.quotaenforcer.client;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * A clock that is read {@value #TICK_MICROS} microseconds ago or less, unless the machine starves
 * its thread: to read it costs a fraction of reading a true one, as with {@code
 * CLOCK_MONOTONIC_COARSE} of Linux. Its thread begins with the first who ask often, and sleeps
 * while few do. Safe for use by any thread.
 */
final class CoarseClock implements LongSupplier, AutoCloseable {
  static final long TICK_MICROS = 1_000;

  private static final long TICK_NANOS = TICK_MICROS * 1_000;

  /** Ticks without a question after which the thread sleeps. */
  private static final int IDLE_TICKS = 50;

  /** Questions, while the thread sleeps, that are answered by the true clock. */
  private static final int FEW = 256;

  private static final long ASLEEP = Long.MIN_VALUE;

  private final LongSupplier clock;
  private final Thread thread;
  private volatile long lastNanos = ASLEEP;
  private volatile boolean closed;

  /** Written by whoever asks, seldom; a lost write costs a tick. */
  private boolean asked;

  private int askedAsleep;

  /**
   * @param clock the true one
   */
  CoarseClock(LongSupplier clock, String instance) {
    this.clock = clock;
    this.thread = new Thread(this::run, "quota-clock-" + instance);
    this.thread.setDaemon(true);
  }

  @Override
  public long getAsLong() {
    long last = lastNanos;
    if (last == ASLEEP) {
      return exact();
    }
    if (!asked) {
      asked = true;
    }
    return last;
  }

  private long exact() {
    if (++askedAsleep >= FEW) {
      askedAsleep = 0;
      asked = true;
      wake();
    }
    return clock.getAsLong();
  }

  private synchronized void wake() {
    if (thread.getState() == Thread.State.NEW && !closed) {
      thread.start();
    } else {
      LockSupport.unpark(thread);
    }
  }

  private void run() {
    int idle = 0;
    while (!closed) {
      idle = asked ? 0 : idle + 1;
      asked = false;
      if (idle < IDLE_TICKS && tick()) {
        LockSupport.parkNanos(this, TICK_NANOS);
      } else {
        lastNanos = ASLEEP;
        LockSupport.park(this);
      }
    }
    lastNanos = ASLEEP;
  }

  /** False where the true clock cannot be read, as whoever asks it then finds out. */
  private boolean tick() {
    try {
      lastNanos = clock.getAsLong();
      return true;
    } catch (RuntimeException | Error e) {
      // Errors, too: a clock whose thread is gone would stand still.
      return false;
    }
  }

  /** From now on the true clock answers. */
  @Override
  public synchronized void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
