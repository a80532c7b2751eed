package io.quotaenforcer.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.quotaenforcer.client.internal.config.AdmissionSettings;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.client.spi.ManualClock;
import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.HeldSlots;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleOverride;
import io.quotaenforcer.core.rule.RuleSet;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that hold slots until they end. */
@Timeout(60)
class PassageTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final Request REQUEST = Request.of("tenant", "acme");
  private static final Rule SLOTS =
      Rule.of(RuleId.parse("reports/exports"), List.of("tenant"), new ConcurrencyLimit(2, SECOND))
          .withVersion(1, 1);
  private static final Rule RATE =
      Rule.of(RuleId.parse("reports/rate"), List.of("tenant"), new FixedWindow(4, 3600 * SECOND));

  private static StandaloneAdmission standalone(Rule... rules) {
    ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:05Z"));
    return AdmissionClient.standalone(List.of(rules), clock.clocks());
  }

  /** A client that holds both slots, and hears from no enforcer any more. */
  private static AdmissionClient client() {
    AdmissionClient client =
        new AdmissionClient(
            AdmissionSettings.read(
                Map.of("bootstrap.servers", "127.0.0.1:9", "close.timeout", "0"),
                UnaryOperator.identity()),
            Clocks.system(),
            ClientTelemetry.NONE);
    long now = System.nanoTime();
    QuotaKey key = SLOTS.quotaKeyOf(List.of("acme"));
    client.book().applyPrefix(new PrefixInfo(1, QuotaKey.HASH_VERSION, 4), now);
    client.book().applyRules(RuleSet.of(List.of(SLOTS)), now);
    client.enter(REQUEST);
    long sent = System.nanoTime();
    client.book().reports(sent);
    long enforcer = 1_700_000_000L * SECOND;
    QuotaAnswer answer =
        new QuotaAnswer(
            key,
            1,
            2,
            0,
            0,
            enforcer + SECOND,
            0,
            0,
            new DeclaredBound(0, OptionalLong.of(0), 0),
            false,
            List.of(new CellGrant(enforcer, 0, 2, enforcer, enforcer + 3600 * SECOND)),
            List.of());
    client
        .book()
        .applySnapshot(new QuotaSnapshot("i", 1, 0, sent, enforcer, List.of(answer)), sent + 1);
    return client;
  }

  @Test
  void standalone_holdsSlots_untilTheyAreReleased() {
    try (StandaloneAdmission admission = standalone(SLOTS)) {
      Passage first = admission.enter(REQUEST);
      Passage second = admission.enter(REQUEST);
      assertThat(first.entered() && second.entered()).isTrue();
      assertThat(admission.enter(REQUEST).entered()).isFalse();
      assertThat(first.release()).isTrue();
      assertThat(first.release()).isFalse();
      assertThat(admission.enter(REQUEST).entered()).isTrue();
      assertThat(admission.enter(REQUEST).entered()).isFalse();
    }
  }

  @Test
  void passage_thatWasRefused_releasesNothing() {
    try (StandaloneAdmission admission = standalone(SLOTS);
        Passage all = admission.enter(REQUEST.withCost(2))) {
      try (Passage refused = admission.enter(REQUEST)) {
        assertThat(refused.entered()).isFalse();
        assertThat(refused.decision().admitted()).isFalse();
        assertThat(refused.release()).isFalse();
      }
      assertThat(all.entered()).isTrue();
      assertThat(admission.enter(REQUEST).entered()).isFalse();
    }
  }

  @Test
  void passage_paysOtherRules_andOnlySlotsComeBack() {
    try (StandaloneAdmission admission = standalone(SLOTS, RATE)) {
      for (int i = 0; i < 4; i++) {
        try (Passage passage = admission.enter(REQUEST)) {
          assertThat(passage.entered()).isTrue();
        }
      }
      Passage fifth = admission.enter(REQUEST);
      assertThat(fifth.entered()).isFalse();
      assertThat(fifth.decision().rule().orElseThrow().quotaKey().rule()).isEqualTo(RATE.id());
    }
  }

  @Test
  void decision_holdsSlots_noLongerThanItTakes() {
    try (StandaloneAdmission admission = standalone(SLOTS)) {
      for (int i = 0; i < 10; i++) {
        assertThat(admission.decide(REQUEST).admitted()).isTrue();
        assertThat(admission.tryAcquire(REQUEST)).isTrue();
      }
      admission.enter(REQUEST.withCost(2));
      assertThat(admission.decide(REQUEST).admitted()).isFalse();
    }
  }

  @Test
  void work_holdsItsSlots_whileItRuns() {
    try (StandaloneAdmission admission = standalone(SLOTS)) {
      boolean within = admission.run(REQUEST.withCost(2), () -> admission.enter(REQUEST).entered());
      assertThat(within).isFalse();
      assertThat(admission.enter(REQUEST).entered()).isTrue();
    }
  }

  @Test
  void client_decidesForNoTime_andHoldsByPassages() {
    try (AdmissionClient client = client()) {
      for (int i = 0; i < 10; i++) {
        assertThat(client.decide(REQUEST).admitted()).isTrue();
        assertThat(client.tryAcquire(REQUEST)).isTrue();
        assertThat(client.decideAsync(REQUEST, LONG).join().admitted()).isTrue();
        assertThat(client.handle("reports/exports", "acme").tryAcquire(2)).isTrue();
      }
      Passage all = client.enter(REQUEST.withCost(2));
      assertThat(all.entered()).isTrue();
      assertThat(client.decide(REQUEST).admitted()).isFalse();
      assertThat(all.release()).isTrue();
      assertThat(client.decide(REQUEST).admitted()).isTrue();
    }
  }

  @Test
  void requestsThatWait_areLetIn_inTheirOrder() {
    try (AdmissionClient client = client()) {
      Passage first = client.enter(REQUEST);
      Passage second = client.enter(REQUEST);
      CompletableFuture<Passage> third = client.enterAsync(REQUEST.withCost(2), LONG);
      CompletableFuture<Passage> fourth = client.enterAsync(REQUEST, LONG);
      assertThat(client.waiting()).isEqualTo(2);

      first.release();
      assertThat(client.enter(REQUEST).entered()).as("who does not wait comes last").isFalse();
      assertThat(third).isNotDone();
      assertThat(fourth).isNotDone();
      second.release();
      assertThat(third).succeedsWithin(TIMEOUT).matches(Passage::entered);
      assertThat(fourth).isNotDone();
      third.join().release();
      assertThat(fourth).succeedsWithin(TIMEOUT).matches(Passage::entered);
    }
  }

  @Test
  void requestThatIsCancelled_leavesItsTurnToTheNext() {
    try (AdmissionClient client = client()) {
      Passage all = client.enter(REQUEST.withCost(2));
      CompletableFuture<Passage> gone = client.enterAsync(REQUEST, LONG);
      CompletableFuture<Passage> next = client.enterAsync(REQUEST, LONG);
      gone.cancel(false);
      all.release();
      assertThat(next).succeedsWithin(TIMEOUT).matches(Passage::entered);
      assertThat(client.enter(REQUEST).entered()).isTrue();
    }
  }

  @Test
  void handle_holdsSlots_andAllocatesNothing() {
    try (AdmissionClient client = client()) {
      QuotaHandle handle = client.handle("reports/exports", "acme");
      HeldSlots held = handle.tryEnter(2);
      assertThat(held).isNotNull();
      assertThat(handle.tryEnter(1)).isNull();
      handle.leave(held, 2);

      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long id = Thread.currentThread().getId();
      int rounds = 200_000;
      enterAndLeave(handle, rounds);
      long before = threads.getThreadAllocatedBytes(id);
      enterAndLeave(handle, rounds);
      long allocated = threads.getThreadAllocatedBytes(id) - before;
      assertThat(allocated / rounds).isZero();
    }
  }

  @Test
  void handle_whoseKeyIsExemptMeanwhile_givesItsSlotsBack() {
    try (AdmissionClient client = client()) {
      QuotaHandle handle = client.handle("reports/exports", "acme");
      HeldSlots held = Objects.requireNonNull(handle.tryEnter(2));
      RuleOverride exempt = RuleOverride.exempt(Map.of("tenant", "acme"));
      inForce(client, SLOTS.withOverrides(List.of(exempt)).withVersion(2, 1));
      assertThat(handle.tryEnter(1)).as("it is not counted").isSameAs(HeldSlots.NONE);

      handle.leave(HeldSlots.NONE, 1);
      handle.leave(held, 2);

      inForce(client, SLOTS.withVersion(3, 1));
      assertThat(handle.tryEnter(2)).isNotNull();
      assertThat(handle.tryEnter(1)).isNull();
    }
  }

  private static void inForce(AdmissionClient client, Rule rule) {
    client.book().applyRules(RuleSet.of(List.of(rule)), System.nanoTime());
  }

  private static void enterAndLeave(QuotaHandle handle, int rounds) {
    for (int i = 0; i < rounds; i++) {
      HeldSlots held = handle.tryEnter(1);
      if (held != null) {
        handle.leave(held, 1);
      }
    }
  }
}
