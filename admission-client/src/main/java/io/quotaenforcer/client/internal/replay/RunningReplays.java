package io.quotaenforcer.client.internal.replay;

import io.quotaenforcer.client.replay.ReplayOptions;
import io.quotaenforcer.client.replay.ReplayRunner;
import io.quotaenforcer.client.spi.ReplayHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** One thread that reads for each group, and as many that handle, for all, as the options say. */
public final class RunningReplays implements ReplayRunner {
  private final ReplaySetup setup;
  private final List<Member> members = new ArrayList<>();
  private final ExecutorService threads;

  /** Reads for one group. */
  private record Member(ReplayDispatcher dispatcher, ReplayLoop loop, Thread thread) {}

  /** Does nothing until it is {@linkplain #start started}. */
  public RunningReplays(ReplaySetup setup, ReplayHandler handler, ReplayOptions options) {
    this.setup = setup;
    String name = setup.instance().id();
    AtomicInteger number = new AtomicInteger();
    this.threads =
        Executors.newFixedThreadPool(
            options.concurrency(),
            work -> daemon(work, "quota-replay-" + name + "-" + number.incrementAndGet()));
    Workers workers = new Workers(options.concurrency(), threads);
    for (ReplayGroup group : setup.groups()) {
      ReplayDispatcher dispatcher =
          new ReplayDispatcher(
              new GuardedHandler(
                  handler, options.maxAttempts(), () -> ThreadLocalRandom.current().nextDouble()),
              options.maxWaitForOtherRules(),
              setup.desk(),
              setup.instance(),
              workers,
              Backlog.Limits.DEFAULTS.dividedBy(setup.groups().size()));
      ReplayLoop loop = new ReplayLoop(setup, group, dispatcher);
      members.add(
          new Member(dispatcher, loop, daemon(loop, "quota-replays-" + name + "-" + group.name())));
    }
  }

  /** Starts reading. Does not wait for Kafka. */
  public void start() {
    members.forEach(member -> member.thread.start());
  }

  @Override
  public int unfinished() {
    return members.stream().mapToInt(member -> member.dispatcher.unfinished()).sum();
  }

  @Override
  public void close() {
    stop();
    awaitEnd(System.nanoTime() + setup.closeTimeout().toNanos());
  }

  /** From now on it finishes what has started, and ends. */
  public void stop() {
    members.forEach(member -> member.loop.stop());
  }

  /** Waits until it has ended after {@link #stop}: to the deadline, and a second to leave. */
  public void awaitEnd(long deadlineNanos) {
    long end = deadlineNanos + ReplayLoop.LEAVE_TIMEOUT.toNanos();
    try {
      for (Member member : members) {
        // To join for 0 ms would be for ever.
        member.thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    threads.shutdownNow();
  }

  private static Thread daemon(Runnable run, String name) {
    Thread thread = new Thread(run, name);
    thread.setDaemon(true);
    return thread;
  }
}
