package io.quotaenforcer.client.internal.kafka;

import io.quotaenforcer.client.internal.Instance;
import io.quotaenforcer.core.allotment.InstanceBook;
import io.quotaenforcer.schemas.rules.RuleFeed;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The two threads of an admission client: one reports, one reads rules and snapshots. */
public final class BackgroundLoops {
  private static final Logger log = LoggerFactory.getLogger(BackgroundLoops.class);
  private static final long TICK_MILLIS = 5;

  /** Between two looks at a book that has nothing to say: at what waits to be forgotten. */
  private static final long QUIET_MILLIS = 200;

  /** An unconfirmed last report is repeated after this. */
  private static final long REPEAT_NANOS = 500_000_000L;

  private final InstanceBook book;
  private final Instance instance;
  private final EnforcerListener listener;
  private final Reporter reporter;
  private final SnapshotReader reader;
  private final Thread reportThread;
  private final Thread readThread;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private volatile long deadlineNanos;
  private final Doze doze = new Doze();

  /**
   * @param rules reads the rules topic; may know rules of an earlier run
   */
  public BackgroundLoops(
      Instance instance,
      KafkaLink link,
      InstanceBook book,
      RuleFeed rules,
      EnforcerListener listener) {
    this(instance, link, book, rules, listener, LoadSource.NONE);
  }

  /**
   * As above.
   *
   * @param load knows what to say of the service's load
   */
  public BackgroundLoops(
      Instance instance,
      KafkaLink link,
      InstanceBook book,
      RuleFeed rules,
      EnforcerListener listener,
      LoadSource load) {
    this.book = book;
    this.instance = instance;
    this.listener = listener;
    this.reporter = new Reporter(instance, link, book, load);
    this.reader = new SnapshotReader(instance, link, book, rules, listener);
    book.whenWoken(doze::end);
    this.reportThread = daemon(this::report, "quota-reports-" + instance.id());
    this.readThread = daemon(reader, "quota-snapshots-" + instance.id());
  }

  public void start() {
    reportThread.start();
    readThread.start();
  }

  /** Whether, within the timeout, every rule that was published before the start is in force. */
  public boolean awaitRules(Duration timeout) throws InterruptedException {
    return reader.rulesLoaded().await(timeout.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Why the rules are not in force; empty when they are. */
  public Optional<String> rulesMissing() {
    return reader.rulesMissing();
  }

  /** The keys of the rules topic that cannot be read, each with the reason. */
  public SortedMap<String, String> unreadable() {
    SortedMap<String, String> why = new TreeMap<>();
    reader.unreadable().forEach((key, unread) -> why.put(key, unread.why()));
    return why;
  }

  /** Whether the rules in force are those of the topic, as far as anybody can know. */
  public boolean isInTouch() {
    return reader.isInTouch();
  }

  /** Gives back what is held and waits until the enforcer has booked it, or the time is up. */
  public void close(Duration timeout) {
    deadlineNanos = System.nanoTime() + timeout.toNanos();
    stopping.countDown();
    doze.end();
    join(reportThread, deadlineNanos);
    if (reportThread.isAlive()) {
      // It stands in a Kafka client: what it holds counts as spent.
      reportThread.interrupt();
    }
    book.close(instance.now());
    reader.stop();
    join(readThread, deadlineNanos);
  }

  private void report() {
    try {
      attempt(reporter::open);
      long pause = TICK_MILLIS;
      while (!stopping.await(pause, TimeUnit.MILLISECONDS)) {
        attempt(this::reportDue);
        // What comes after a rest is reported at once.
        pause = doze.begin(QUIET_MILLIS, this::isQuiet) ? 0 : TICK_MILLIS;
      }
      giveBack();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      reporter.close(remaining(deadlineNanos));
    }
  }

  private void reportDue() {
    reporter.reportDue();
    reporter.sayLoad();
    listener.tick();
  }

  private static void attempt(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      // Errors, too: nobody else does this thread's work.
      log.error("reporting failed; trying again", e);
    }
  }

  /** Waits until the enforcer has booked what is given back, or the time is up. */
  private void giveBack() {
    reporter.sayLeaving();
    reporter.reportClosing();
    long saidAt = System.nanoTime();
    while (!book.isSettled() && System.nanoTime() - deadlineNanos < 0 && readThread.isAlive()) {
      if (System.nanoTime() - saidAt >= REPEAT_NANOS) {
        reporter.reportClosing();
        saidAt = System.nanoTime();
      }
      join(readThread, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS));
    }
  }

  private boolean isQuiet() {
    return book.isQuiet() && stopping.getCount() > 0;
  }

  private static Duration remaining(long deadline) {
    return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
  }

  private static void join(Thread thread, long deadline) {
    try {
      thread.join(Math.max(1, remaining(deadline).toMillis()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Thread daemon(Runnable run, String name) {
    Thread thread = new Thread(run, name);
    thread.setDaemon(true);
    return thread;
  }
}
