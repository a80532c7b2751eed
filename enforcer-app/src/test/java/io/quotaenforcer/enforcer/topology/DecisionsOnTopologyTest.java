package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.Rule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Decisions of instances that receive the answers of the real topology. */
class DecisionsOnTopologyTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MINUTE = 60 * SECOND;
  private static final Request REQUEST = Request.of("user", "42", "api", "/posts");
  private static final QuotaKey KEY = QuotaKey.of(new RuleId("test", "rule"), List.of("42"));

  @TempDir Path state;

  private static Rule rule(String id, List<String> key, Limit limit, Enforcement enforcement) {
    return Rule.of(new RuleId("test", id), key, limit)
        .withEnforcement(enforcement)
        .withVersion(1, 1);
  }

  private static Rule perUser(Limit limit, Enforcement enforcement) {
    return rule("rule", List.of("user"), limit, enforcement);
  }

  @ParameterizedTest
  @EnumSource(names = {"STRICT", "BALANCED"})
  void softLimit_oneInstance_the525thPassesMarkedAndThe526thDoesNot(Enforcement enforcement) {
    Rule soft = perUser(new FixedWindow(500, MINUTE), enforcement).withTolerance(500);
    try (TopologyFixture topology = new TopologyFixture(state, soft)) {
      BookFleet fleet = new BookFleet(topology, 1, soft);
      int admitted = 0;
      for (int request = 0; request < 4_000; request++) {
        Decision decision = fleet.decide(0, REQUEST);
        admitted += decision.admitted() ? 1 : 0;
        if (decision.admitted()) {
          assertThat(decision.rule().orElseThrow().aboveNominal())
              .as("request %d", admitted)
              .isEqualTo(admitted > 500);
        }
        if (request % 2 == 1) {
          fleet.step();
        }
      }
      fleet.run(Duration.ofSeconds(1));
      assertThat(admitted).isEqualTo(525);
      assertThat(topology.counted()).containsEntry(KEY, 525L);
    }
  }

  @Test
  void eightInstances_limitOfAll_admit100InASecond() {
    assertThat(admittedInASecond(Enforcement.STRICT)).isBetween(90L, 100L);
  }

  @Test
  void eightInstances_limitOfEach_admit800InASecond() {
    assertThat(admittedInASecond(Enforcement.PER_INSTANCE)).isEqualTo(800);
  }

  /** Permits of the third window, with 8 instances in demand of twice the limit each. */
  private long admittedInASecond(Enforcement enforcement) {
    Rule rule = perUser(new FixedWindow(100, SECOND), enforcement);
    try (TopologyFixture topology = new TopologyFixture(state, rule)) {
      BookFleet fleet = new BookFleet(topology, 8, rule);
      long window = topology.epochNanos() + 2 * SECOND;
      long admitted = 0;
      for (int step = 0; step < 400; step++) {
        for (int request = 0; request < 2 * fleet.size(); request++) {
          Decision decision = fleet.decide(request % fleet.size(), REQUEST);
          long from = decision.rule().orElseThrow().windowStartNanos();
          admitted += decision.admitted() && from == window ? 1 : 0;
        }
        fleet.step();
      }
      return admitted;
    }
  }

  @Test
  void layers_oncePerSecondAndTenPerMinute_bothHold() {
    Rule[] rules = {
      rule("a", List.of("user"), new FixedWindow(1, SECOND), Enforcement.STRICT),
      rule("b", List.of("user"), new FixedWindow(10, MINUTE), Enforcement.STRICT)
    };
    try (TopologyFixture topology = new TopologyFixture(state, rules)) {
      BookFleet fleet = new BookFleet(topology, 1, rules);
      int admitted = 0;
      for (int second = 0; second < 30; second++) {
        int inSecond = 0;
        for (int step = 0; step < 100; step++) {
          inSecond += fleet.decide(0, REQUEST).admitted() ? 1 : 0;
          fleet.step();
        }
        assertThat(inSecond).as("second %d", second).isLessThanOrEqualTo(1);
        admitted += inSecond;
      }
      assertThat(admitted).isEqualTo(10);
      fleet.run(Duration.ofSeconds(4));
      assertThat(topology.counted().values()).containsOnly(10L);
    }
  }

  @Test
  void layers_perUserPerApiAndWholeService_theTightestDecidesAndTheOthersAreNotCharged() {
    Rule[] rules = {
      rule("a-service", List.of(), new FixedWindow(30, MINUTE), Enforcement.STRICT),
      rule("b-user", List.of("user"), new FixedWindow(20, MINUTE), Enforcement.STRICT),
      rule("c-api", List.of("user", "api"), new FixedWindow(5, MINUTE), Enforcement.STRICT)
    };
    try (TopologyFixture topology = new TopologyFixture(state, rules)) {
      BookFleet fleet = new BookFleet(topology, 1, rules);
      assertThat(admitted(fleet, REQUEST)).isEqualTo(5);
      RuleDecision by = fleet.decide(0, REQUEST).rule().orElseThrow();
      assertThat(by.quotaKey().rule().id()).isEqualTo("c-api");
      assertThat(by.remaining()).isZero();
      for (String api : List.of("/a", "/b", "/c")) {
        assertThat(admitted(fleet, Request.of("user", "42", "api", api))).isEqualTo(5);
      }
      assertThat(admitted(fleet, Request.of("user", "42", "api", "/d"))).isZero();
      assertThat(admitted(fleet, Request.of("user", "43", "api", "/a"))).isEqualTo(5);
      assertThat(admitted(fleet, Request.of("user", "44", "api", "/a"))).isEqualTo(5);
      assertThat(admitted(fleet, Request.of("user", "45", "api", "/a"))).isZero();
    }
  }

  /** Admissions among 60 requests in three seconds. */
  private static int admitted(BookFleet fleet, Request request) {
    int admitted = 0;
    for (int i = 0; i < 60; i++) {
      admitted += fleet.decide(0, request).admitted() ? 1 : 0;
      fleet.run(Duration.ofMillis(50));
    }
    return admitted;
  }

  @Test
  void reservation_costsMore_isPaidByTheNextWindowAndCountedThere() {
    Rule rule = perUser(new FixedWindow(10, 10 * SECOND), Enforcement.STRICT);
    try (TopologyFixture topology = new TopologyFixture(state, rule)) {
      BookFleet fleet = new BookFleet(topology, 2, rule);
      fleet.settle(reserve(fleet, 4), 17);
      fleet.run(Duration.ofSeconds(5));
      assertThat(fleet.decide(0, REQUEST).rule().orElseThrow().owed()).isEqualTo(7);
      assertThat(topology.counted()).containsEntry(KEY, 10L);
      fleet.run(Duration.ofSeconds(10));
      assertThat(topology.counted()).containsEntry(KEY, 17L);
      assertThat(admitted(fleet, REQUEST)).as("what is left").isEqualTo(3);
    }
  }

  @Test
  void reservation_cancelled_itsPermitsComeToOtherInstances() {
    Rule rule = perUser(new FixedWindow(10, MINUTE), Enforcement.STRICT);
    try (TopologyFixture topology = new TopologyFixture(state, rule)) {
      BookFleet fleet = new BookFleet(topology, 2, rule);
      Charge charge = reserve(fleet, 10);
      fleet.run(Duration.ofSeconds(1));
      assertThat(fleet.decide(1, REQUEST).admitted()).isFalse();
      fleet.settle(charge, 0);
      fleet.run(Duration.ofSeconds(6));
      fleet.decide(1, REQUEST);
      fleet.run(Duration.ofSeconds(1));
      assertThat(fleet.decide(1, REQUEST).admitted()).isTrue();
      fleet.run(Duration.ofSeconds(1));
      assertThat(topology.counted()).containsEntry(KEY, 1L);
    }
  }

  private static Charge reserve(BookFleet fleet, long estimate) {
    for (int i = 0; i < 50; i++) {
      Charge charge = fleet.charge(0, REQUEST.withCost(estimate));
      if (charge.decision().admitted()) {
        return charge;
      }
      fleet.run(Duration.ofMillis(20));
    }
    throw new AssertionError("must be granted: estimate=" + estimate);
  }

  @Test
  void shadow_throttlesNothing_andIsCountedApart() {
    Rule watching = perUser(new FixedWindow(5, MINUTE), Enforcement.STRICT).withMode(Mode.SHADOW);
    try (TopologyFixture topology = new TopologyFixture(state, watching)) {
      BookFleet fleet = new BookFleet(topology, 1, watching);
      assertThat(admitted(fleet, REQUEST)).isEqualTo(60);
      assertThat(fleet.decide(0, REQUEST).rule().orElseThrow().hadRoom()).isFalse();
      fleet.run(Duration.ofSeconds(1));
      assertThat(permits(topology, "quota.permits.used")).isEqualTo(5);
      assertThat(permits(topology, "quota.permits.throttled")).isEqualTo(56);
    }
  }

  private static double permits(TopologyFixture topology, String metric) {
    return topology.registry.get(metric).tag("mode", "shadow").counter().count();
  }
}
