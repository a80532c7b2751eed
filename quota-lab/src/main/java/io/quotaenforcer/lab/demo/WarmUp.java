package io.quotaenforcer.lab.demo;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.decider.Decider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Load on separate rules before the judged load, since a process that has just started runs its
 * first seconds in the interpreter.
 */
final class WarmUp {
  private static final long SECOND = 1_000_000_000L;
  private static final int KEYS = 40;
  private static final long PAUSE_NANOS = 1_000_000L;
  private static final Rule STRICT =
      rule("warm-up-strict", new FixedWindow(50, SECOND)).withEnforcement(Enforcement.STRICT);
  private static final Rule BALANCED = rule("warm-up-balanced", new SlidingWindow(50, SECOND));

  private WarmUp() {}

  static List<Rule> rules() {
    return List.of(STRICT, BALANCED);
  }

  /** Makes every instance decide on each key about 20 times a second, and returns at the end. */
  static void run(List<Decider> deciders, Duration length) throws InterruptedException {
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      requests.add(Request.of("warm-up", "key-" + i));
    }
    long end = System.nanoTime() + length.toNanos();
    List<Thread> threads = new ArrayList<>();
    for (Decider decider : deciders) {
      threads.add(new Thread(() -> decide(decider, requests, end), "demo-warm-up"));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static void decide(Decider decider, List<Request> requests, long end) {
    int next = 0;
    while (System.nanoTime() < end) {
      decider.decide(0, requests.get(next++ % KEYS), (at, key, cost, admitted, window) -> {});
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private static Rule rule(String id, Limit limit) {
    return Rule.of(new RuleId(DemoRules.DOMAIN, id), List.of("warm-up"), limit);
  }
}
