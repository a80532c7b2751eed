package io.quotaenforcer.client.replay;

import io.quotaenforcer.client.spi.ReplayHandler;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs replays until it is closed: one thread that reads, and as many that handle as the options
 * say.
 */
public final class ReplayRunner implements AutoCloseable {
  private final ReplaySetup setup;
  private final ReplayDispatcher dispatcher;
  private final ReplayLoop loop;
  private final ExecutorService workers;
  private final Thread thread;

  /** A runner that does nothing yet. */
  public ReplayRunner(ReplaySetup setup, ReplayHandler handler, ReplayOptions options) {
    this.setup = setup;
    AtomicInteger number = new AtomicInteger();
    this.workers =
        Executors.newFixedThreadPool(
            options.concurrency(),
            work -> daemon(work, "quota-replay-" + setup.name() + "-" + number.incrementAndGet()));
    this.dispatcher =
        new ReplayDispatcher(
            handler,
            options,
            setup.otherRules(),
            setup.results(),
            workers,
            setup.clocks(),
            () -> ThreadLocalRandom.current().nextDouble(),
            setup.telemetry(),
            Backlog.Limits.DEFAULTS);
    this.loop = new ReplayLoop(setup, dispatcher);
    this.thread = daemon(loop, "quota-replays-" + setup.name());
  }

  /** Starts reading. Does not wait for Kafka. */
  public void start() {
    thread.start();
  }

  /** Replays that were read and are not finished. */
  public int unfinished() {
    return dispatcher.unfinished();
  }

  /**
   * Finishes what has started, for at most {@code close.timeout} and the second that it takes to
   * leave the group, and gives back the rest: other members of the group handle it.
   */
  @Override
  public void close() {
    stop();
    awaitEnd(System.nanoTime() + setup.closeTimeout().toNanos());
  }

  /** From now on it finishes what has started, and ends. */
  public void stop() {
    loop.stop();
  }

  /** Waits until it has ended after {@link #stop}: to the deadline, and a second to leave. */
  public void awaitEnd(long deadlineNanos) {
    try {
      long left = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
      thread.join(Math.max(0, left) + ReplayLoop.LEAVE_TIMEOUT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    workers.shutdownNow();
  }

  private static Thread daemon(Runnable run, String name) {
    Thread thread = new Thread(run, name);
    thread.setDaemon(true);
    return thread;
  }
}
