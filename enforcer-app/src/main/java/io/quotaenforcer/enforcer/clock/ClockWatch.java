package io.quotaenforcer.enforcer.clock;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that compares the clock every few seconds. */
public final class ClockWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ClockWatch.class);
  private static final Duration EVERY = Duration.ofSeconds(5);

  /** An operator who has set the clock wants to see the effect. */
  private static final Duration IN_TROUBLE = Duration.ofSeconds(1);

  private final WatchedClock clock;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "quota-clock");

  private ClockWatch(WatchedClock clock) {
    this.clock = clock;
    thread.setDaemon(true);
  }

  /**
   * Starts comparing the host's clock with the brokers.
   *
   * @param topic that is stamped by the brokers
   * @param connection properties of every producer of this process
   * @param epochNanos the host's clock
   */
  public static ClockWatch start(
      String topic,
      Map<String, Object> connection,
      LongSupplier monotonicNanos,
      LongSupplier epochNanos,
      Duration maxClockSkew) {
    BrokerTime brokers =
        new KafkaBrokerTime(
            topic, connection, () -> epochNanos.getAsLong() / 1_000_000L, monotonicNanos);
    ClockWatch watch =
        new ClockWatch(
            new WatchedClock(monotonicNanos, epochNanos, brokers, maxClockSkew.toNanos()));
    watch.thread.start();
    return watch;
  }

  public WatchedClock clock() {
    return clock;
  }

  private void run() {
    try {
      do {
        compare();
      } while (!stopping.await(
          (clock.trouble().isEmpty() ? EVERY : IN_TROUBLE).toNanos(), TimeUnit.NANOSECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void compare() {
    try {
      clock.compare();
    } catch (RuntimeException e) {
      // Without this thread a faulty clock would go unnoticed.
      log.error("cannot compare the clock with the brokers'", e);
    }
  }

  @Override
  public void close() {
    stopping.countDown();
    clock.close();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(3));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
