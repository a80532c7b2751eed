package io.quotaenforcer.core.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Many threads that decide at once. */
class LocalQuotasThreadsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long START = 28_000_000L * 60 * SECOND;
  private static final int THREADS = 4;

  private interface Work {
    void run(int thread);
  }

  private static Rule rule(String id, Limit limit, String... key) {
    return Rule.of(new RuleId("test", id), List.of(key), limit);
  }

  private static void inThreads(Work work) throws InterruptedException {
    CountDownLatch start = new CountDownLatch(1);
    List<Throwable> failed = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      Thread thread =
          new Thread(
              () -> {
                try {
                  start.await();
                  work.run(number);
                } catch (Throwable e) {
                  synchronized (failed) {
                    failed.add(e);
                  }
                }
              });
      thread.start();
      threads.add(thread);
    }
    start.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failed).isEmpty();
  }

  @Test
  void oneKey_decidedByAll_admitsExactlyTheLimit() throws InterruptedException {
    LocalQuotas quotas =
        new LocalQuotas(RuleSet.of(List.of(rule("r", new FixedWindow(1_000, SECOND), "user"))));
    AtomicLong admitted = new AtomicLong();

    inThreads(
        thread -> {
          for (int i = 0; i < 1_000; i++) {
            if (quotas.decide(Request.of("user", "42"), START).admitted()) {
              admitted.incrementAndGet();
            }
          }
        });

    assertThat(admitted).hasValue(1_000);
  }

  /** Rules share keys in different orders of requests: no thread waits for another for ever. */
  @Test
  void layers_ofSharedKeys_areChargedTogetherOrNotAtAll() throws InterruptedException {
    Rule all = rule("a-all", new FixedWindow(1_500, SECOND));
    Rule perUser = rule("b-user", new FixedWindow(600, SECOND), "user");
    Rule perApi = rule("c-api", new FixedWindow(700, SECOND), "api");
    LocalQuotas quotas = new LocalQuotas(RuleSet.of(List.of(all, perUser, perApi)));
    AtomicLong admitted = new AtomicLong();

    inThreads(
        thread -> {
          for (int i = 0; i < 2_000; i++) {
            String user = "u" + (i + thread) % 3;
            String api = "a" + (i * 7 + thread) % 3;
            if (quotas.decide(Request.of("user", user, "api", api), START).admitted()) {
              admitted.incrementAndGet();
            }
          }
        });

    long left = 0;
    while (quotas.decide(all, QuotaKey.of(all.id(), List.of()), 1, START).admitted()) {
      left++;
    }
    assertThat(admitted.get() + left).as("what was throttled took nothing").isEqualTo(1_500);
    assertThat(usedOf(quotas, perUser, 3, 600)).isEqualTo(admitted.get());
    assertThat(usedOf(quotas, perApi, 3, 700)).isEqualTo(admitted.get());
  }

  private static long usedOf(LocalQuotas quotas, Rule rule, int keys, long limit) {
    long used = 0;
    for (int i = 0; i < keys; i++) {
      String value = (rule.id().id().contains("user") ? "u" : "a") + i;
      long left = 0;
      while (quotas.decide(rule, QuotaKey.of(rule.id(), List.of(value)), 1, START).admitted()) {
        left++;
      }
      used += limit - left;
    }
    return used;
  }

  @Test
  void charges_settledByOtherThreads_leaveWhatWasUsedInTheEnd() throws InterruptedException {
    Rule rule = rule("r", new FixedWindow(1_000_000, SECOND), "user");
    LocalQuotas quotas = new LocalQuotas(RuleSet.of(List.of(rule)));

    inThreads(
        thread -> {
          for (int i = 0; i < 1_000; i++) {
            Charge charge = quotas.charge(Request.of("user", "42").withCost(10), START);
            charge.settle(i % 2 == 0 ? 3 : 10, START);
          }
        });

    QuotaKey key = QuotaKey.of(rule.id(), List.of("42"));
    long used = THREADS * (500L * 3 + 500L * 10);
    assertThat(quotas.decide(rule, key, 1_000_000 - used, START).admitted()).isTrue();
    assertThat(quotas.decide(rule, key, 1, START).admitted()).isFalse();
  }

  /** A key that is forgotten while others come to it is counted all the same. */
  @Test
  void keys_forgottenMeanwhile_neverLetMoreThrough() throws InterruptedException {
    Rule rule = rule("r", new FixedWindow(1, SECOND), "user");
    LocalQuotas quotas = new LocalQuotas(RuleSet.of(List.of(rule)), 10_000);
    int windows = 300;
    AtomicLong[] admitted = new AtomicLong[windows];
    for (int i = 0; i < windows; i++) {
      admitted[i] = new AtomicLong();
    }

    inThreads(
        thread -> {
          for (int window = 0; window < windows; window++) {
            for (int i = 0; i < 20; i++) {
              long now = START + window * SECOND;
              if (quotas.decide(Request.of("user", "42"), now).admitted()) {
                admitted[window].incrementAndGet();
              }
              quotas.decide(Request.of("user", "other" + thread + "-" + i), now);
            }
          }
        });

    // A thread that lags behind decides as of the newest time that was seen of the key.
    long all = 0;
    for (AtomicLong each : admitted) {
      all += each.get();
    }
    assertThat(all).isBetween(1L, (long) windows);
  }
}
