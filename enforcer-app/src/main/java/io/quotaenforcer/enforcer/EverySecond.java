package io.quotaenforcer.enforcer;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that looks at something once a second, until it is closed. */
final class EverySecond implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(EverySecond.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Runnable look;
  private final Thread thread;
  private boolean failing;

  /**
   * @param name of the thread
   */
  EverySecond(String name, Runnable look) {
    this.look = look;
    this.thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      while (true) {
        lookOnce();
        Thread.sleep(PAUSE.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A look that fails is logged, the first of several in a row, and the next one is made. */
  void lookOnce() {
    try {
      look.run();
      failing = false;
    } catch (RuntimeException e) {
      if (!failing) {
        log.error("a look of {} failed; it goes on", thread.getName(), e);
      }
      failing = true;
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
