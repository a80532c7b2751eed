package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Requests that take the only slot of two rules, while another one comes that waits for one. */
class SlotsOfTwoRulesTest {
  private static final Request REQUEST = Request.of("user", "42");
  private static final Rule FIRST = slots("a");
  private static final Rule BETWEEN =
      TestBook.rule("b", new FixedWindow(100, SECOND), Enforcement.BALANCED);
  private static final Rule LAST = slots("c");

  private final TestBook client = new TestBook(FIRST, BETWEEN, LAST);
  private final WaitingRequest waiting =
      WaitingRequest.of(FIRST.id(), List.of("42"), 1, client.now);
  private final AtomicBoolean waits = new AtomicBoolean();

  SlotsOfTwoRulesTest() {
    granted(FIRST, 5);
    granted(LAST, 6);
    // Comes as the key between the two is used for the first time.
    client.book.whenWoken(
        () -> {
          if (waits.compareAndSet(false, true)) {
            onAnotherThread(() -> client.book.chargeOrWait(waiting, client.now));
          }
        });
    client.book.whenReleased((key, now) -> client.book.chargeOrWait(waiting, now));
  }

  private static Rule slots(String id) {
    return TestBook.rule(id, new ConcurrencyLimit(1, 10 * SECOND), Enforcement.STRICT);
  }

  private KeyPermits permits(Rule rule) {
    return client.book.permits(rule, key(rule.id().id(), "42"));
  }

  private void granted(Rule rule, long cell) {
    permits(rule).enter(1, client.now);
    client.reports();
    client
        .answer()
        .of(key(rule.id().id(), "42"), 1)
        .grants(client.grant(rule.limit(), cell, 1))
        .send();
  }

  private static void onAnotherThread(Runnable work) {
    Thread thread = new Thread(work);
    thread.start();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void assertSlotsAreWhereTheyBelong() {
    assertThat(waits).isTrue();
    assertThat(permits(FIRST).enter(1, client.now)).as("who waited has it").isNull();
    assertThat(permits(LAST).enter(1, client.now)).as("it came back").isNotNull();
  }

  @Test
  void decision_givesAllSlotsBack_andSaysHowEachRuleStands() {
    Decision decision = client.book.decide(REQUEST, client.now);

    assertThat(decision.admitted()).isTrue();
    assertThat(decision.ruleIds()).containsExactly(FIRST.id(), BETWEEN.id(), LAST.id());
    assertSlotsAreWhereTheyBelong();
  }

  @Test
  void acquiring_givesAllSlotsBack() {
    assertThat(client.book.tryAcquire(REQUEST, client.now)).isTrue();
    assertSlotsAreWhereTheyBelong();
  }
}
