package io.quotaenforcer.enforcer.demo;

import io.quotaenforcer.client.kafka.BackgroundLoops;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.enforcer.verdict.KeyEntry;
import io.quotaenforcer.enforcer.verdict.KeyTable;
import java.time.Duration;

/** Decides from the delayed global count, over the same topics. */
final class DelayedCountDecider implements Decider {
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

  private final DelayedCountBook book;
  private final BackgroundLoops loops;
  private final KeyTable keys;
  private final long epochOffsetNanos;

  /**
   * @param loops that carry the book, started
   * @param epochOffsetNanos epoch time minus monotonic time
   */
  DelayedCountDecider(
      DelayedCountBook book, BackgroundLoops loops, KeyTable keys, long epochOffsetNanos) {
    this.book = book;
    this.loops = loops;
    this.keys = keys;
    this.epochOffsetNanos = epochOffsetNanos;
  }

  @Override
  public void decide(int key, Request request, Recorder log) {
    KeyEntry entry = keys.entry(key);
    long now = System.nanoTime();
    boolean admitted = book.decide(entry.rule(), entry.quotaKey(), request.cost(), now);
    Limit limit = entry.limit();
    long window = limit.permitsBelongToWindow() ? limit.windowStart(now + epochOffsetNanos) : 0;
    log.record(now, key, request.cost(), admitted, window);
  }

  @Override
  public boolean awaitRules(Duration timeout) throws InterruptedException {
    return loops.awaitRules(timeout);
  }

  @Override
  public void close() {
    loops.close(CLOSE_TIMEOUT);
  }
}
