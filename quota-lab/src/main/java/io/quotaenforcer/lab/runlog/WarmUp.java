package io.quotaenforcer.lab.runlog;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.QuotaHandle;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.rule.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Requests to a separate rule before the first line is due, so that connections are open and code
 * is compiled by then: at high speed, the first loop would be many minutes of the log's time.
 */
final class WarmUp {
  static final String DOMAIN = "run-log-warm-up";
  static final Duration LENGTH = Duration.ofSeconds(2);

  private static final int ROUNDS = 200;
  private static final int KEYS = 40;

  private WarmUp() {}

  static Rule rule() {
    return Rule.of(
        new RuleId(DOMAIN, "warm-up"),
        List.of("n"),
        new SlidingWindow(1_000_000, Duration.ofMinutes(1).toNanos()));
  }

  /** Spreads its requests over {@link #LENGTH}. Only its own rule sees them. */
  static void run(List<AdmissionClient> clients) throws InterruptedException {
    List<QuotaHandle> handles = new ArrayList<>();
    for (AdmissionClient client : clients) {
      for (int i = 0; i < KEYS; i++) {
        handles.add(client.handle(rule().id().toString(), Integer.toString(i)));
      }
    }
    long start = System.nanoTime();
    for (int round = 1; round <= ROUNDS; round++) {
      handles.forEach(QuotaHandle::tryAcquire);
      TimeUnit.NANOSECONDS.sleep(start + LENGTH.toNanos() * round / ROUNDS - System.nanoTime());
    }
  }
}
