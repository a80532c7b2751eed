package io.quotaenforcer.client.replay;

import io.quotaenforcer.client.spi.ReplayHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs replays until it is closed: one thread that reads for each group, and as many that handle,
 * for all of them, as the options say.
 */
public final class ReplayRunner implements AutoCloseable {
  private final ReplaySetup setup;
  private final List<Member> members = new ArrayList<>();
  private final ExecutorService workers;

  /** What reads for one group. */
  private record Member(ReplayDispatcher dispatcher, ReplayLoop loop, Thread thread) {}

  /** A runner that does nothing yet. */
  public ReplayRunner(ReplaySetup setup, ReplayHandler handler, ReplayOptions options) {
    this.setup = setup;
    AtomicInteger number = new AtomicInteger();
    this.workers =
        Executors.newFixedThreadPool(
            options.concurrency(),
            work -> daemon(work, "quota-replay-" + setup.name() + "-" + number.incrementAndGet()));
    Slots slots = new Slots(options.concurrency());
    for (ReplayGroup group : setup.groups()) {
      ReplayDispatcher dispatcher =
          new ReplayDispatcher(
              handler,
              options,
              setup.otherRules(),
              setup.acknowledgements(),
              setup.results(),
              workers,
              setup.clocks(),
              () -> ThreadLocalRandom.current().nextDouble(),
              setup.telemetry(),
              Backlog.Limits.DEFAULTS.dividedBy(setup.groups().size()),
              slots);
      ReplayLoop loop = new ReplayLoop(setup, group, dispatcher);
      members.add(
          new Member(
              dispatcher,
              loop,
              daemon(loop, "quota-replays-" + setup.name() + "-" + group.name())));
    }
  }

  /** Starts reading. Does not wait for Kafka. */
  public void start() {
    members.forEach(member -> member.thread.start());
  }

  /** Replays that were read and are not finished. */
  public int unfinished() {
    return members.stream().mapToInt(member -> member.dispatcher.unfinished()).sum();
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
    workers.shutdownNow();
  }

  private static Thread daemon(Runnable run, String name) {
    Thread thread = new Thread(run, name);
    thread.setDaemon(true);
    return thread;
  }
}
