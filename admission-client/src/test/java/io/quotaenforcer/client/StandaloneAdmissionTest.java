package io.quotaenforcer.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.client.ReserveOutcome.NotReserved;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.client.spi.ManualClock;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.AdaptStep;
import io.quotaenforcer.core.adapt.AdaptTerms;
import io.quotaenforcer.core.adapt.AdaptedLimit;
import io.quotaenforcer.core.adapt.LimitInForce;
import io.quotaenforcer.core.adapt.LoadCondition;
import io.quotaenforcer.core.adapt.LoadQuantity;
import io.quotaenforcer.core.adapt.LoadScope;
import io.quotaenforcer.core.adapt.Lowering;
import io.quotaenforcer.core.adapt.Recovery;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.hash.HashKey;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.CountWhen;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.KeyAttribute;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleKey;
import io.quotaenforcer.core.rule.RuleOverride;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StandaloneAdmissionTest {
  /** A rule that follows this instance's own load is followed without an enforcer. */
  @Test
  void limitByTheOwnLoad_isLowered_saysWhy_andComesBack() {
    Rule rule =
        Rule.of(new RuleId("shop", "each"), List.of("user"), new FixedWindow(100, 1_000_000_000L))
            .withEnforcement(Enforcement.PER_INSTANCE)
            .withAdapt(
                AdaptTerms.of(
                        1,
                        new AdaptStep(
                            LoadCondition.parse("cpu > 80%"),
                            0,
                            new Lowering.To(5_000),
                            new Recovery.Even(5_000, 1_000_000_000L)))
                    .withScope(LoadScope.INSTANCE));
    ManualClock manual = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
    List<String> heard = new ArrayList<>();
    ClientTelemetry telemetry =
        new ClientTelemetry() {
          @Override
          public void limitInForce(RuleId of, Optional<LimitInForce> now) {
            heard.add(of + " " + now.orElseThrow().partText());
          }
        };
    AtomicReference<Double> cpu = new AtomicReference<>(0.5);
    try (StandaloneAdmission admission =
        AdmissionClient.standalone(List.of(rule), manual.clocks(), telemetry)) {
      admission.load().measure(LoadQuantity.CPU, cpu::get);
      assertThat(admitted(admission)).isEqualTo(100);
      cpu.set(0.9);
      manual.advance(Duration.ofSeconds(1));
      admission.decide(Request.of("user", "other"));
      manual.advance(Duration.ofSeconds(1));
      assertThat(admitted(admission)).isEqualTo(50);
      AdaptedLimit adapted =
          admission.decide(Request.of("user", "7")).rule().orElseThrow().adapted().orElseThrow();
      assertThat(adapted)
          .hasToString("50 of 100 since 2026-01-01T00:00:02Z: cpu > 80%: it was 90%");

      cpu.set(0.5);
      for (int second = 0; second < 4; second++) {
        manual.advance(Duration.ofSeconds(1));
        admission.decide(Request.of("user", "other"));
      }
      assertThat(admitted(admission)).isEqualTo(100);
      assertThat(admission.decide(Request.of("user", "7")).rule().orElseThrow().adapted())
          .isEmpty();
      assertThat(heard).startsWith("shop/each 100%", "shop/each 50%").endsWith("shop/each 100%");
    }
  }

  private static long admitted(StandaloneAdmission admission) {
    return IntStream.range(0, 200)
        .filter(i -> admission.decide(Request.of("user", "7")).admitted())
        .count();
  }

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Request REQUEST = Request.of("user", "42");

  private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:05Z"));

  private static Rule perMinute(long permits) {
    return Rule.of(
        RuleId.parse("posts/per-user"),
        List.of("user"),
        new FixedWindow(permits, MINUTE.toNanos()));
  }

  private StandaloneAdmission standalone(Rule... rules) {
    return AdmissionClient.standalone(List.of(rules), clock.clocks());
  }

  private static int admitted(Admission admission, int requests) {
    int admitted = 0;
    for (int i = 0; i < requests; i++) {
      admitted += admission.decide(REQUEST).admitted() ? 1 : 0;
    }
    return admitted;
  }

  private static Reservation reserved(Admission admission, long estimate) {
    return (Reservation) admission.reserve(REQUEST, estimate);
  }

  @Test
  void handle_reserves_andChargesWhatHasRun() {
    try (StandaloneAdmission admission = standalone(perMinute(10))) {
      QuotaHandle handle = admission.handle("posts/per-user", "42");

      Reservation reservation = (Reservation) handle.reserveAsync(6, Duration.ZERO).join();
      assertThat(handle.reserveAsync(5, Duration.ZERO).join())
          .isInstanceOf(ReserveOutcome.NotReserved.class);
      reservation.commit(2);
      handle.charge(8);
      assertThat(handle.tryAcquire()).isFalse();
      handle.charge(4);
      clock.advance(MINUTE);

      assertThat(admitted(admission, 20)).as("6 of 10, since 4 are owed").isEqualTo(6);
    }
  }

  private StandaloneAdmission countingFailures(long failures) {
    return standalone(
        perMinute(failures).withCount(new CountWhen(Map.of("status", new Matcher.Exact("401")))),
        Rule.of(RuleId.parse("posts/all"), List.of(), new FixedWindow(20, MINUTE.toNanos())));
  }

  @Test
  void reservation_ofARuleThatCountsByOutcome_keepsWhatFailed_andTheOtherRuleAll() {
    try (StandaloneAdmission admission = countingFailures(4)) {
      for (int i = 0; i < 12; i++) {
        assertThat(reserved(admission, 1).commit(Map.of("status", "200"))).isTrue();
      }
      assertThat(reserved(admission, 3).commit(2, Map.of("status", "401"))).isTrue();

      assertThat(admitted(admission, 9)).as("2 of 4 are left").isEqualTo(2);
      Request other = Request.of("user", "43");
      assertThat(((Reservation) admission.reserve(other, 4)).cancel()).isTrue();
      assertThat(admission.reserve(other, 5)).as("16 of 20").isInstanceOf(NotReserved.class);
    }
  }

  @Test
  void reservation_ofARuleThatCountsByOutcome_countsUnlessItIsToldOrDidNotRun() {
    try (StandaloneAdmission admission = countingFailures(10)) {
      reserved(admission, 1).commit(1);
      reserved(admission, 1).close();
      reserved(admission, 1).commit(Map.of("code", "200"));
      assertThatThrownBy(
              () ->
                  admission.run(
                      REQUEST,
                      () -> {
                        throw new IllegalStateException("down");
                      }))
          .hasMessage("down");
      admission.run(REQUEST, () -> "done");
      reserved(admission, 1);
      Reservation cancelled = reserved(admission, 1);
      assertThat(cancelled.cancel()).isTrue();
      assertThat(cancelled.commit(Map.of("status", "401"))).as("it had ended").isFalse();

      assertThat(admitted(admission, 20)).isEqualTo(4);
    }
  }

  @Test
  void reservation_ofARuleThatCountsAlways_hasNoUseForOutcomes() {
    try (StandaloneAdmission admission = standalone(perMinute(10))) {
      reserved(admission, 4).commit(Map.of("status", "200"));
      reserved(admission, 4).close();

      assertThat(admitted(admission, 20)).isEqualTo(6);
    }
  }

  @Test
  void handle_ofAKeyThatIsExempt_reservesAndChargesNothing() {
    Rule rule = perMinute(1).withOverrides(List.of(RuleOverride.exempt(Map.of("user", "42"))));
    try (StandaloneAdmission admission = standalone(rule)) {
      QuotaHandle handle = admission.handle("posts/per-user", "42");

      handle.charge(5);

      assertThat(((Reservation) handle.reserveAsync(5, Duration.ZERO).join()).reserved()).isZero();
      assertThat(admitted(admission, 5)).isEqualTo(5);
    }
  }

  @Test
  void expressionThatIsGivenUp_countsAsMet_andTelemetryHearsOfIt() {
    Rule rule =
        perMinute(2).withMatch(Map.of("api", new Matcher.Regex(Pattern.compile("GET /(a|b)+"))));
    List<String> heard = new ArrayList<>();
    ClientTelemetry telemetry =
        new ClientTelemetry() {
          @Override
          public void matchGivenUp(RuleId id, String attribute, long times) {
            heard.add(id + " " + attribute + " " + times);
          }
        };
    Request padded = Request.of("user", "42", "api", "GET /" + "a".repeat(10_000));
    try (StandaloneAdmission admission =
        AdmissionClient.standalone(List.of(rule), clock.clocks(), telemetry)) {
      assertThat(admission.decide(padded).admitted()).isTrue();
      assertThat(heard).containsExactly("posts/per-user api 1");

      assertThat(admission.reserve(padded, 1)).isInstanceOf(Reservation.class);
      assertThat(admission.decide(padded).admitted()).isFalse();
      assertThat(heard).hasSize(1);

      clock.advance(Duration.ofSeconds(1));
      admission.decide(padded);
      assertThat(heard).containsExactly("posts/per-user api 1", "posts/per-user api 3");
      admission.tryAcquire(padded);
    }
    assertThat(heard).last().isEqualTo("posts/per-user api 1");
    assertThat(heard).hasSize(3);
  }

  @Test
  void decide_followsTheClock() {
    try (Admission admission = standalone(perMinute(10))) {
      assertThat(admitted(admission, 30)).isEqualTo(10);
      RuleDecision decision = admission.decide(REQUEST).rule().orElseThrow();
      assertThat(decision.retryAfterNanos()).isEqualTo(Duration.ofSeconds(55).toNanos());
      clock.advance(Duration.ofSeconds(55));
      assertThat(admitted(admission, 30)).isEqualTo(10);
    }
  }

  @Test
  void decide_wallClockSteps_changesNothing() {
    AtomicLong wall = new AtomicLong();
    LongSupplier monotonic = clock.clocks().monotonicNanos();
    wall.set(monotonic.getAsLong());
    Admission admission =
        AdmissionClient.standalone(List.of(perMinute(10)), new Clocks(monotonic, wall::get));
    admitted(admission, 10);
    wall.addAndGet(2 * MINUTE.toNanos());
    assertThat(admitted(admission, 10)).isZero();
  }

  @Test
  void decideAsync_isDecidedAtOnce() {
    Admission admission = standalone(perMinute(1));
    assertThat(admission.decideAsync(REQUEST, MINUTE)).isCompleted();
    assertThat(admission.decideAsync(REQUEST, MINUTE).join().admitted()).isFalse();
  }

  @Test
  void decide_thatMayWait_isDecidedAtOnceAndSaysWhenToTryAgain() throws InterruptedException {
    Admission admission = standalone(perMinute(1));
    assertThat(admission.isReady()).isTrue();
    assertThat(admission.decide(REQUEST, MINUTE).retryAfter()).isEmpty();
    Decision throttled = admission.decide(REQUEST, MINUTE);
    assertThat(throttled.admitted()).isFalse();
    assertThat(throttled.retryAfter().orElseThrow()).isBetween(Duration.ofNanos(1), MINUTE);
  }

  @Test
  void decide_softLimit_the525thPassesAndThe526thDoesNot() {
    Admission admission = standalone(perMinute(500).withTolerance(500));
    for (int request = 1; request <= 525; request++) {
      Decision decision = admission.decide(REQUEST);
      assertThat(decision.admitted()).as("%d", request).isTrue();
      assertThat(decision.rule().orElseThrow().aboveNominal()).isEqualTo(request > 500);
    }
    assertThat(admission.decide(REQUEST).admitted()).isFalse();
  }

  @Test
  void decide_shadow_saysThatItHadNoRoom() {
    Admission admission = standalone(perMinute(1).withMode(Mode.SHADOW));
    assertThat(admission.decide(REQUEST).rule().orElseThrow().hadRoom()).isTrue();
    Decision second = admission.decide(REQUEST);
    assertThat(second.admitted()).isTrue();
    assertThat(second.rule().orElseThrow().hadRoom()).isFalse();
  }

  @Test
  void handle_sharesThePermitsOfItsKey() {
    Admission admission = standalone(perMinute(10));
    QuotaHandle handle = admission.handle("posts/per-user", "42");
    assertThat(handle.tryAcquire(8)).isTrue();
    assertThat(handle.tryAcquire(3)).isFalse();
    assertThat(admitted(admission, 9)).isEqualTo(2);
    assertThat(handle.quotaKey()).hasToString("Optional[posts/per-user/42]");
    assertThatThrownBy(() -> admission.handle("posts/other"))
        .hasMessage("must be a rule that is in force: rule=posts/other known=[posts/per-user]");
    assertThatThrownBy(() -> admission.handle("posts/per-user"))
        .hasMessage("must be the values of [user]: keyValues=[]");
  }

  @Test
  void reserve_throttled_carriesItsDecision() {
    Admission admission = standalone(perMinute(10));
    ReserveOutcome outcome = admission.reserve(REQUEST, 11);
    assertThat(outcome)
        .isInstanceOfSatisfying(
            ReserveOutcome.NotReserved.class,
            not -> assertThat(not.decision().neverAdmitted()).isTrue());
    assertThatThrownBy(() -> admission.reserve(REQUEST, 0)).hasMessage("must be >= 1: cost=0");
  }

  @Test
  void reservation_committedBelow_givesTheRestBack() {
    Admission admission = standalone(perMinute(10));
    Reservation reservation = reserved(admission, 8);
    assertThat(reservation.reserved()).isEqualTo(8);
    assertThat(reservation.commit(3)).isTrue();
    assertThat(admitted(admission, 20)).isEqualTo(7);
  }

  @Test
  void reservation_endedOnce_laterCallsChangeNothing() {
    Admission admission = standalone(perMinute(10));
    Reservation reservation = reserved(admission, 8);
    assertThat(reservation.cancel()).isTrue();
    assertThat(reservation.cancel()).isFalse();
    assertThat(reservation.commit(90)).isFalse();
    reservation.close();
    assertThat(admitted(admission, 20)).isEqualTo(10);
    assertThatThrownBy(() -> reserved(standalone(perMinute(10)), 1).commit(-1))
        .hasMessage("must be >= 0: actual=-1");
  }

  @Test
  void reservation_bodyFails_isCancelledByClose() {
    Admission admission = standalone(perMinute(10));
    assertThatThrownBy(
            () -> {
              try (Reservation reservation = reserved(admission, 10)) {
                throw new IllegalStateException("downstream of " + reservation.reserved());
              }
            })
        .hasMessage("downstream of 10");
    try (Reservation reservation = (Reservation) admission.reserve(REQUEST)) {
      reservation.commit(1);
    }
    assertThat(admitted(admission, 20)).isEqualTo(9);
  }

  @Test
  void reservation_committedAbove_isOwedByTheNextPermits() {
    Admission admission = standalone(perMinute(10));
    reserved(admission, 5).commit(18);
    assertThat(admission.decide(REQUEST).rule().orElseThrow().owed()).isEqualTo(8);
    clock.advance(MINUTE);
    assertThat(admitted(admission, 20)).isEqualTo(2);
  }

  @Test
  void reservation_noRuleMatches_isFree() {
    Admission admission = standalone();
    Reservation reservation = reserved(admission, 5);
    assertThat(reservation.reserved()).isZero();
    assertThat(reservation.decision()).isInstanceOf(Decision.Unmatched.class);
    assertThat(reservation.commit(1_000)).isTrue();
  }

  @Test
  void decide_manyThreads_admitTheLimitAndNoMore() throws Exception {
    StandaloneAdmission admission =
        standalone(
            Rule.of(
                RuleId.parse("posts/all"), List.of(), new TokenBucket(900, 1_000_000_000L, 900)),
            perMinute(400));
    List<Request> users = List.of(REQUEST, Request.of("user", "43"), Request.of("user", "44"));
    ExecutorService threads = Executors.newFixedThreadPool(users.size());
    try {
      List<Callable<Long>> tasks = new ArrayList<>();
      for (int thread = 0; thread < users.size(); thread++) {
        int first = thread;
        tasks.add(
            () -> {
              long admitted = 0;
              for (int i = 0; i < 1_500; i++) {
                admitted +=
                    admission.decide(users.get((first + i) % users.size())).admitted() ? 1 : 0;
              }
              return admitted;
            });
      }
      long admitted = 0;
      for (Future<Long> each : threads.invokeAll(tasks)) {
        admitted += each.get();
      }
      assertThat(admitted).isEqualTo(900);
      assertThat(admission.keys()).isEqualTo(4);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void rule_thatHashes_countsByAKeyOfTheProcess_orByThoseGiven() {
    Rule rule =
        Rule.of(new RuleId("d", "hashing"), List.of(), new FixedWindow(2, 60_000_000_000L))
            .withKey(new RuleKey(List.of(KeyAttribute.hashed("email"))));
    Request request = Request.of("email", "ann@example.com");
    HashKeys keys =
        HashKeys.of(List.of(new HashKey("a", new byte[32]), new HashKey("b", new byte[33])));
    try (StandaloneAdmission own = AdmissionClient.standalone(List.of(rule), Clocks.system());
        StandaloneAdmission given =
            AdmissionClient.standalone(
                List.of(rule), Clocks.system(), ClientTelemetry.NONE, keys)) {
      assertThat(own.decide(request).toString()).contains("/h.process.").doesNotContain("ann");
      assertThat(given.decide(request).rules()).hasSize(1);
      assertThat(given.keys()).as("both of them").isEqualTo(2);
      assertThat(given.handle("d/hashing", "ann@example.com").tryAcquire()).isTrue();
      assertThat(given.handle("d/hashing", "ann@example.com").tryAcquire()).isFalse();
      assertThat(given.tryAcquire(request)).isFalse();
    }
  }
}
