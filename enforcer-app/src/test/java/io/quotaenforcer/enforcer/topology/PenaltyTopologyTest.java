package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.ThrottleReason;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Penalties with three instances, from what they refuse to what they are told. */
class PenaltyTopologyTest {
  private static final String RULES =
      """
      domain: logins
      rules:
        - id: per-account
          key: [account]
          limit: {permits: 10, per: 10s, algorithm: fixed-window}
          enforcement: ENFORCEMENT
          penalty: {after: 5, within: 1m, for: 1m, then: x2, up-to: 1h}
      """;
  private static final Duration A_LOOP = Duration.ofMillis(200);
  private static final Request MALLORY = Request.of("account", "mallory");

  @TempDir Path state;

  private static String rules(String enforcement) {
    return RULES.replace("ENFORCEMENT", enforcement);
  }

  private static int admittedInASecond(ServiceFixture service, String account) {
    int admitted = 0;
    for (int i = 0; i < 50; i++) {
      admitted += service.admittedByAll(1, "account", account);
      service.run(Duration.ofMillis(20));
    }
    return admitted;
  }

  /** More than the limit is asked for everywhere, and once more. */
  private static void offend(ServiceFixture service) {
    for (int i = 0; i < 2; i++) {
      service.admittedByAll(10, "account", "mallory");
      service.run(A_LOOP);
    }
  }

  private static RuleDecision refusal(ServiceFixture service, int instance) {
    List<Decision> decisions = service.decide(instance, 1, MALLORY);
    assertThat(decisions.get(0).admitted()).isFalse();
    return decisions.get(0).rule().orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"strict", "balanced"})
  void keyThatIsThrottledTooOften_isRefusedByAll_untilThePenaltyIsOver(String enforcement) {
    try (ServiceFixture service = new ServiceFixture(state, 3, rules(enforcement))) {
      offend(service);
      for (int instance = 0; instance < 3; instance++) {
        RuleDecision refused = refusal(service, instance);
        assertThat(refused.reason()).as("instance %d", instance).isEqualTo(ThrottleReason.PENALTY);
        assertThat(Duration.ofNanos(refused.retryAfterNanos()))
            .isBetween(Duration.ofSeconds(55), Duration.ofSeconds(60));
      }
      service.at("00:00:30");
      assertThat(admittedInASecond(service, "mallory")).isZero();
      service.at("00:00:59");
      assertThat(service.admittedByAll(3, "account", "mallory")).isZero();
      service.at("00:01:10");
      assertThat(service.admitted(0, 4, MALLORY)).isEqualTo(4);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"strict", "balanced"})
  void keysBelowTheirLimit_areNotTouched(String enforcement) {
    try (ServiceFixture service = new ServiceFixture(state, 3, rules(enforcement))) {
      offend(service);
      assertThat(refusal(service, 0).reason()).isEqualTo(ThrottleReason.PENALTY);
      for (int i = 0; i < 9; i++) {
        assertThat(service.admitted(i % 3, 1, Request.of("account", "alice"))).isEqualTo(1);
        service.run(A_LOOP);
      }
    }
  }

  @Test
  void furtherPenalty_lastsTwiceAsLong() {
    try (ServiceFixture service = new ServiceFixture(state, 3, rules("strict"))) {
      service.admittedByAll(10, "account", "mallory");
      service.run(A_LOOP);
      service.at("00:01:10");
      service.admittedByAll(1, "account", "mallory");
      service.run(A_LOOP);
      service.admittedByAll(10, "account", "mallory");
      service.run(A_LOOP);
      assertThat(Duration.ofNanos(refusal(service, 1).retryAfterNanos()))
          .isBetween(Duration.ofSeconds(115), Duration.ofSeconds(120));
    }
  }

  @Test
  void requestsUnderAPenalty_areCountedAsThrottled_andThePenaltyOnce() {
    try (ServiceFixture service = new ServiceFixture(state, 3, rules("strict"))) {
      service.admittedByAll(10, "account", "mallory");
      service.run(A_LOOP);
      service.admittedByAll(20, "account", "mallory");
      service.passes(Duration.ofSeconds(10));
      assertThat(service.topology.registry.counter("quota.penalties.started", tags()).count())
          .isEqualTo(1);
      assertThat(service.topology.registry.counter("quota.permits.throttled", tags()).count())
          .isEqualTo(80);
    }
  }

  private static String[] tags() {
    return new String[] {"domain", "logins", "mode", "enforce", "rule", "per-account"};
  }

  @ParameterizedTest
  @ValueSource(strings = {"strict", "balanced"})
  void instanceThatComesNew_isToldWithItsFirstAnswer(String enforcement) {
    try (ServiceFixture service = new ServiceFixture(state, 3, rules(enforcement))) {
      service.decide(0, 30, MALLORY);
      service.run(A_LOOP);
      service.passes(Duration.ofSeconds(5));
      // What it hears of all instances, and its first answer, are all it knows.
      assertThat(service.admitted(2, 5, MALLORY)).isZero();
      service.run(A_LOOP);
      assertThat(refusal(service, 2).reason()).isEqualTo(ThrottleReason.PENALTY);
    }
  }

  @Test
  void operator_liftsAPenalty_andNobodyElseDoes() {
    try (ServiceFixture service = new ServiceFixture(state, 3, rules("strict"))) {
      offend(service);
      Wire wire = service.topology.wire;
      lift(service, wire.topics().usage().name());
      service.run(A_LOOP);
      assertThat(refusal(service, 0).reason()).isEqualTo(ThrottleReason.PENALTY);
      assertThat(service.topology.deadLetters()).isNotEmpty();
      lift(service, wire.topics().usageEvents().name());
      service.run(A_LOOP);
      service.at("00:00:20");
      assertThat(service.admitted(1, 4, MALLORY)).isEqualTo(4);
    }
  }

  private static void lift(ServiceFixture service, String topic) {
    QuotaKey key = QuotaKey.of(new RuleId("logins", "per-account"), List.of("mallory"));
    QuotaUsage named = new QuotaUsage(key, 0, 0, 0, List.of());
    UsageReport report = new UsageReport(HolderId.Reserved.OPERATOR, 0, 0, 0, -1, List.of(named));
    service.topology.send(
        topic,
        key.toString().getBytes(StandardCharsets.UTF_8),
        service.topology.wire.encode(report));
  }

  @Test
  void penalty_isInTheStore_thatASuccessorRestores() {
    Map<Bytes, byte[]> rows;
    long until;
    try (ServiceFixture service = new ServiceFixture(state, 3, rules("strict"))) {
      offend(service);
      until = refusal(service, 0).retryAfterNanos();
      rows = service.topology.ledgerStore();
    }
    try (ServiceFixture service = new ServiceFixture(state, 3, rules("strict"))) {
      service.topology.restore(rows);
      service.at("00:00:20");
      assertThat(service.admittedByAll(3, "account", "mallory")).isZero();
      RuleDecision refused = refusal(service, 0);
      assertThat(refused.reason()).isEqualTo(ThrottleReason.PENALTY);
      assertThat(refused.retryAfterNanos()).isPositive().isLessThan(until - 15_000_000_000L);
      service.at("00:01:10");
      assertThat(service.admitted(0, 4, MALLORY)).isEqualTo(4);
    }
  }
}
