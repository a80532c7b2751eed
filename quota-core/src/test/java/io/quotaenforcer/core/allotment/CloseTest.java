package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.balanced;
import static io.quotaenforcer.core.allotment.TestBook.rule;
import static io.quotaenforcer.core.allotment.TestBook.strict;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.rule.Enforcement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The last reports of an instance. */
class CloseTest {
  private static final Limit LIMIT = new SlidingWindow(100, SECOND);

  private final TestBook client = new TestBook(strict(LIMIT));

  private static List<QuotaUsage> close(TestBook book) {
    return book.book.close(book.now).stream().flatMap(r -> r.quotas().stream()).toList();
  }

  @Test
  void close_givesAllBackAndClosesEveryCellAtOnce() {
    client.admits();
    client.granted(client.grant(LIMIT, 5, 10));
    client.admitted(4);
    List<QuotaUsage> usages = close(client);
    assertThat(usages).hasSize(1);
    assertThat(usages.get(0).demandPerSecond()).isZero();
    assertThat(usages.get(0).cells()).allMatch(CellUsage::closed);
    assertThat(usages.get(0).cells().stream().mapToLong(CellUsage::used).sum()).isEqualTo(4);
  }

  @Test
  void close_fromThenOn_everyRequestIsThrottledAndNothingIsTaken() {
    client.admits();
    client.granted(client.grant(LIMIT, 5, 10));
    close(client);
    assertThat(client.admits()).isFalse();
    assertThat(client.decide("other", 1).admitted()).isFalse();
    TestBook own = new TestBook(rule("rule", LIMIT, Enforcement.PER_INSTANCE));
    own.admits();
    close(own);
    assertThat(own.admits()).isFalse();
  }

  @Test
  void isSettled_onlyAfterEveryCellIs() {
    client.admits();
    client.granted(client.grant(LIMIT, 5, 10));
    client.admits();
    close(client);
    assertThat(client.book.isSettled()).isFalse();
    client.answer().to(client.now).settled(5L).send();
    assertThat(client.book.isSettled()).isFalse();
    client.passes(MILLI);
    client.answer().to(client.now).settled(5L, -1L).send();
    assertThat(client.book.isSettled()).isTrue();
  }

  @Test
  void isSettled_grantOnItsWayAtTheClose_isClosedToo() {
    client.admits();
    client.reports();
    close(client);
    client.passes(MILLI);
    client.answer().to(client.now).grants(client.grant(LIMIT, 5, 10)).settled(-1L).send();
    assertThat(client.book.isSettled()).isFalse();
    client.passes(120 * MILLI);
    assertThat(client.cells()).contains(CellUsage.of(5, 0).asClosed());
    client.answer().settled(5L).send();
    assertThat(client.book.isSettled()).isTrue();
  }

  @Test
  void close_whileThreadsDecide_reportsEveryAdmittedRequest() throws Exception {
    int deciders = 2;
    for (int round = 0; round < 40; round++) {
      TestBook busy = new TestBook(balanced(new FixedWindow(1_000_000, 60 * SECOND)));
      AtomicLong admitted = new AtomicLong();
      ExecutorService threads = Executors.newFixedThreadPool(deciders);
      List<Future<?>> running = new ArrayList<>();
      for (int t = 0; t < deciders; t++) {
        String prefix = "user" + t + "-";
        // Every request makes a key, and none is admitted once the book is closed.
        running.add(
            threads.submit(
                () -> {
                  for (int i = 0; busy.decide(prefix + i, 1).admitted(); i++) {
                    admitted.incrementAndGet();
                  }
                }));
      }
      while (admitted.get() < 100) {
        Thread.onSpinWait();
      }
      List<QuotaUsage> last = close(busy);
      for (Future<?> each : running) {
        each.get();
      }
      threads.shutdown();
      long reported =
          last.stream().flatMap(usage -> usage.cells().stream()).mapToLong(CellUsage::used).sum();
      assertThat(reported).isEqualTo(admitted.get());
    }
  }
}
