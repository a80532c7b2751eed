package io.quotaenforcer.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.quotaenforcer.client.RulesFile.Content;
import io.quotaenforcer.core.rule.RuleSet;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the rules file as the rules are: written when they change, and anew from time to time, so
 * that it says until when they were in force. On a thread of its own, since a disk may be slow; of
 * changes in quick succession it writes the last.
 */
final class RulesCache implements AutoCloseable {
  static final Duration ANEW = Duration.ofMinutes(10);

  private static final Logger log = LoggerFactory.getLogger(RulesCache.class);

  private final RulesFile file;
  private final Thread thread;

  @GuardedBy("this")
  private @Nullable Content last;

  @GuardedBy("this")
  private @Nullable Content next;

  @GuardedBy("this")
  private long writtenNanos;

  @GuardedBy("this")
  private boolean started;

  @GuardedBy("this")
  private boolean busy;

  @GuardedBy("this")
  private boolean closed;

  /** Used by the thread alone. */
  private boolean failing;

  RulesCache(RulesFile file, String instance) {
    this.file = file;
    this.thread = new Thread(this::run, "quota-rules-cache-" + instance);
    this.thread.setDaemon(true);
  }

  /** The rules in force have changed. Does not wait. */
  synchronized void changed(RuleSet rules, int maxInstances, Instant now) {
    if (closed) {
      return;
    }
    last = new Content(now, maxInstances, rules);
    next = last;
    writtenNanos = System.nanoTime();
    if (!started) {
      // Where the system has no thread left it throws, and is tried again with the next change.
      thread.start();
      started = true;
    }
    notifyAll();
  }

  /** The rules in force are still those of the topic. Does not wait. */
  synchronized void confirmed(Instant now) {
    Content known = last;
    if (known != null && System.nanoTime() - writtenNanos >= ANEW.toNanos()) {
      changed(known.rules(), known.maxInstances(), now);
    }
  }

  /** Writes what is to be written, for at most so long. */
  synchronized void close(Duration timeout) {
    closed = true;
    notifyAll();
    long deadline = System.nanoTime() + timeout.toNanos();
    try {
      long left = deadline - System.nanoTime();
      while ((next != null || busy) && left > 0) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
        left = deadline - System.nanoTime();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    close(Duration.ZERO);
  }

  private void run() {
    try {
      for (Content content = take(); content != null; content = take()) {
        write(content);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized @Nullable Content take() throws InterruptedException {
    busy = false;
    notifyAll();
    while (next == null && !closed) {
      wait();
    }
    Content taken = next;
    next = null;
    busy = taken != null;
    return taken;
  }

  private void write(Content content) {
    try {
      file.write(content);
      failing = false;
    } catch (IOException | RuntimeException | Error e) {
      // Errors, too: nobody else does this thread's work.
      if (!failing) {
        failing = true;
        log.warn("cannot write rules.cache={}: {}", file.path(), e.toString());
      }
    }
  }
}
