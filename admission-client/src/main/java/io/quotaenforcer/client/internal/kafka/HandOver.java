package io.quotaenforcer.client.internal.kafka;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings completions to the executors of callers, on threads that may stand still: an executor may
 * run what it is given at once, or wait for room. One thread is enough as long as none does; {@link
 * #relieve} adds others.
 */
public final class HandOver implements AutoCloseable {
  /** Completes where no caller named an executor; never waits. */
  public static final Executor ASYNC = new CompletableFuture<Void>().defaultExecutor();

  /** Completes at once, what runs nothing of a caller's: a thread that waits goes on by itself. */
  public static final Executor AT_ONCE = Runnable::run;

  /** How many callers' executors may stand still before others wait for them. */
  static final int MOST_THREADS = 64;

  private static final Logger log = LoggerFactory.getLogger(HandOver.class);
  private static final long KEEP_SECONDS = 5;

  private final ThreadPoolExecutor threads;
  private long lastCompleted;

  public HandOver(String instance) {
    this(named("quota-waits-" + instance + "-"));
  }

  HandOver(ThreadFactory factory) {
    threads =
        new ThreadPoolExecutor(
            MOST_THREADS,
            MOST_THREADS,
            KEEP_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            factory);
    threads.setCorePoolSize(1);
    threads.allowCoreThreadTimeOut(true);
  }

  private static ThreadFactory named(String prefix) {
    AtomicInteger numbers = new AtomicInteger();
    return work -> {
      Thread thread = new Thread(work, prefix + numbers.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /**
   * Has an executor run a completion. Never waits; one that rejects it does not keep it from being
   * run.
   *
   * @param completion does nothing when it is run again
   * @param handedOver run once the executor has taken it
   */
  void complete(Executor executor, Runnable completion, Runnable handedOver) {
    if (executor == AT_ONCE || executor == ASYNC) {
      handOver(executor, completion, handedOver);
    } else {
      try {
        threads.execute(() -> handOver(executor, completion, handedOver));
      } catch (RejectedExecutionException | Error e) {
        // It is closed, or no thread can be had.
        handOver(ASYNC, completion, handedOver);
      }
    }
  }

  /** Adds a thread if all of them have stood still since the last call. To be called often. */
  void relieve() {
    long completed = threads.getCompletedTaskCount();
    int core = threads.getCorePoolSize();
    if (threads.getQueue().isEmpty()) {
      if (core > 1 && threads.getActiveCount() == 0) {
        threads.setCorePoolSize(1);
      }
    } else if (completed == lastCompleted && core < MOST_THREADS) {
      threads.setCorePoolSize(core + 1);
    }
    lastCompleted = completed;
  }

  /** Whether nothing waits for a thread. */
  boolean isIdle() {
    return threads.getQueue().isEmpty();
  }

  /** Waits for nobody: what is on its way arrives. */
  @Override
  public void close() {
    threads.setCorePoolSize(MOST_THREADS);
    threads.shutdown();
  }

  private static void handOver(Executor executor, Runnable completion, Runnable handedOver) {
    try {
      executor.execute(completion);
    } catch (RuntimeException | Error e) {
      log.debug("an executor does not take a decision: another one completes it", e);
      completeElsewhere(completion);
    } finally {
      handedOver.run();
    }
  }

  private static void completeElsewhere(Runnable completion) {
    try {
      ASYNC.execute(completion);
    } catch (RuntimeException | Error e) {
      // No thread can be had: better on this one than never.
      completion.run();
    }
  }
}
