package io.quotaenforcer.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.client.internal.config.AdmissionSettings;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.VirtualThreads;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many virtual threads, all alive at once. */
@Timeout(60)
class VirtualThreadsTest {
  private static final int THREADS = 100_000;
  private static final long LIMIT = 60_000;
  private static final Request REQUEST = Request.of("user", "42");

  @Test
  void hundredThousand_decideAndStay_andExactlyTheLimitIsAdmitted() throws InterruptedException {
    ThreadFactory threads = VirtualThreads.factory();
    LongAdder admitted = new LongAdder();
    CountDownLatch decided = new CountDownLatch(THREADS);
    CountDownLatch end = new CountDownLatch(1);
    try (AdmissionClient client = client(Enforcement.BALANCED)) {
      for (int i = 0; i < THREADS; i++) {
        Request request = i % 2 == 0 ? REQUEST : Request.of("user", "42");
        threads
            .newThread(
                () -> {
                  admitted.add(client.decide(request).admitted() ? 1 : 0);
                  decided.countDown();
                  awaitEnd(end);
                })
            .start();
      }
      decided.await();
      assertThat(admitted.sum()).isEqualTo(LIMIT);
    } finally {
      end.countDown();
    }
  }

  @Test
  void tenThousand_waitForPermits_andGoOnWhenTheClientCloses() throws InterruptedException {
    ThreadFactory threads = VirtualThreads.factory();
    int waiting = 10_000;
    List<Thread> all = new ArrayList<>();
    LongAdder refused = new LongAdder();
    try (AdmissionClient client = client(Enforcement.STRICT)) {
      for (int i = 0; i < waiting; i++) {
        Thread thread =
            threads.newThread(
                () -> {
                  try {
                    boolean runs = client.decide(REQUEST, Duration.ofMinutes(1)).admitted();
                    refused.add(runs ? 0 : 1);
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
        thread.start();
        all.add(thread);
      }
      await().until(() -> client.waiting() == waiting);
    }
    for (Thread thread : all) {
      thread.join();
    }
    assertThat(refused.sum()).isEqualTo(waiting);
  }

  /** It was not started: it decides by its own count, or waits. */
  private static AdmissionClient client(Enforcement enforcement) {
    AdmissionClient client =
        new AdmissionClient(
            AdmissionSettings.read(
                Map.of(
                    "bootstrap.servers",
                    "127.0.0.1:9",
                    "close.timeout",
                    "0",
                    "max.waiting",
                    "20000"),
                UnaryOperator.identity()),
            Clocks.system(),
            ClientTelemetry.NONE);
    client
        .book()
        .applyRules(
            RuleSet.of(
                List.of(
                    Rule.of(
                            new RuleId("shop", "orders"),
                            List.of("user"),
                            new FixedWindow(LIMIT, 86_400_000_000_000L))
                        .withEnforcement(enforcement)
                        .withVersion(1, 1))),
            System.nanoTime());
    return client;
  }

  private static void awaitEnd(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
