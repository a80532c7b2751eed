package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Entitlement;
import io.quotaenforcer.core.rule.Entitlement.Exempt;
import io.quotaenforcer.core.rule.Entitlement.Permits;
import io.quotaenforcer.core.rule.Entitlement.Plan;
import io.quotaenforcer.core.rule.Entitlements;
import io.quotaenforcer.core.rule.Rule;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits of single quota keys by data, from the topic to what is admitted. */
class EntitlementTopologyTest {
  private static final RuleId RULE = new RuleId("posts", "per-user");
  private static final String STRICT =
      """
      domain: posts
      rules:
        - id: per-user
          key: [user]
          limit: {permits: 100, per: 10s, algorithm: fixed-window}
          enforcement: strict
          limits-from: entitlements
          plans: {gold: {permits: 1000}, free: {permits: 5}}
      """;
  private static final String BALANCED = STRICT.replace("strict", "balanced");
  private static final Duration A_LOOP = Duration.ofMillis(100);
  private static final int STEPS = 50;
  private static final Duration STEP = Duration.ofMillis(20);

  @TempDir Path state;

  private static QuotaKey key(String user) {
    return QuotaKey.of(RULE, List.of(user));
  }

  private static void entitle(ServiceFixture service, String user, Entitlement entitlement) {
    service.topology.entitle(key(user), Optional.of(entitlement));
  }

  /** How many are admitted in a second in which each instance is asked for so many at each step. */
  private static int admittedInASecond(ServiceFixture service, int each, String user) {
    int admitted = 0;
    for (int i = 0; i < STEPS; i++) {
      admitted += service.admittedByAll(each, "user", user);
      service.run(STEP);
    }
    return admitted;
  }

  @Test
  void number_isTheLimitOfItsQuotaKey_andOfNoOther() {
    try (ServiceFixture service = new ServiceFixture(state, STRICT)) {
      entitle(service, "42", new Permits(7));
      assertThat(service.admitted(300, "user", "42")).isEqualTo(7);
      assertThat(service.admitted(300, "user", "43")).isEqualTo(100);
    }
  }

  @Test
  void planAndExemption_areFollowed_andAnUnknownPlanIsNone() {
    try (ServiceFixture service = new ServiceFixture(state, STRICT)) {
      entitle(service, "gold", new Plan("gold"));
      entitle(service, "free", new Plan("free"));
      entitle(service, "silver", new Plan("silver"));
      entitle(service, "probe", new Exempt());
      assertThat(service.admitted(3_000, "user", "gold")).isEqualTo(1_000);
      assertThat(service.admitted(3_000, "user", "free")).isEqualTo(5);
      assertThat(service.admitted(3_000, "user", "silver")).isEqualTo(100);
      assertThat(service.admitted(3_000, "user", "probe")).isEqualTo(3_000);
    }
  }

  @Test
  void limitThatIsRaised_isThereALoopLater_andTakenBackItIsTheRulesOwn() {
    try (ServiceFixture service = new ServiceFixture(state, 2, STRICT)) {
      assertThat(service.admittedByAll(100, "user", "42")).isEqualTo(100);
      entitle(service, "42", new Permits(250));
      assertThat(admittedInASecond(service, 10, "42")).isEqualTo(150);
      service.topology.entitle(key("42"), Optional.empty());
      service.at("00:00:10");
      assertThat(service.admittedByAll(200, "user", "42")).isEqualTo(100);
    }
  }

  @Test
  void limitThatIsLowered_whileInstancesHoldPermits_isNotExceeded() {
    try (ServiceFixture service = new ServiceFixture(state, 2, STRICT)) {
      int before = 0;
      for (int i = 0; i < 20; i++) {
        before += service.admittedByAll(1, "user", "42");
        service.run(STEP);
      }
      entitle(service, "42", new Permits(before + 3));
      service.run(A_LOOP);
      assertThat(admittedInASecond(service, 10, "42")).isEqualTo(3);
      service.at("00:00:10");
      assertThat(admittedInASecond(service, 10, "42")).isEqualTo(before + 3);
    }
  }

  @Test
  void balancedRule_opensByItsOwnLimit_untilTheAnswerHasAnother() {
    try (ServiceFixture service = new ServiceFixture(state, BALANCED)) {
      entitle(service, "42", new Plan("free"));
      entitle(service, "43", new Plan("gold"));
      assertThat(service.instance(0).ask(Request.of("user", "42")).join().admitted()).isTrue();
      service.run(A_LOOP);
      assertThat(service.admitted(100, "user", "42")).isEqualTo(4);
      assertThat(admittedInASecond(service, 30, "43")).isEqualTo(1_000);
    }
  }

  @Test
  void changeOfAKeyInUse_isAnnounced_andOfOneThatIsNotItIsNot() {
    Rule rule =
        TopologyFixture.rule("rule", new FixedWindow(100, 10_000_000_000L))
            .withEntitlements(Entitlements.NO_PLANS);
    QuotaKey used = TopologyFixture.key(rule, "used");
    try (TopologyFixture topology = new TopologyFixture(state, rule)) {
      topology.report("a", used, 10);
      topology.commit();
      topology.entitle(TopologyFixture.key(rule, "unused"), Optional.of(new Permits(5)));
      assertThat(topology.announced()).isEmpty();
      topology.entitle(used, Optional.of(new Permits(5)));
      assertThat(topology.announced()).extracting(told -> told.key).containsExactly(used);
      topology.report("a", used, 10);
      topology.commit();
      topology.entitle(used, Optional.of(new Permits(5)));
      assertThat(topology.announced()).isEmpty();
    }
  }

  @Test
  void recordThatCannotBeFollowed_isPutAside_andTheRulesOwnLimitHolds() {
    try (ServiceFixture service = new ServiceFixture(state, STRICT)) {
      String topic = service.topology.wire.topics().entitlements().name();
      byte[] key = key("42").toString().getBytes(StandardCharsets.UTF_8);
      service.topology.send(topic, key, new byte[] {1, 2, 3});
      service.topology.send(
          topic,
          "no-key".getBytes(StandardCharsets.UTF_8),
          service.topology.wire.encode(new Permits(5)));
      assertThat(service.topology.deadLetters())
          .hasSize(2)
          .allMatch(reason -> reason.startsWith("entitlement that is not followed: "))
          .anyMatch(reason -> reason.contains("must be domain/rule-id/value...: quotaKey=no-key"));
      assertThat(service.admitted(300, "user", "42")).isEqualTo(100);
    }
  }

  @Test
  void ruleThatTakesNothingFromData_hasItsOwnLimit() {
    String without = STRICT.substring(0, STRICT.indexOf("    limits-from"));
    try (ServiceFixture service = new ServiceFixture(state, without)) {
      entitle(service, "42", new Permits(7));
      assertThat(service.admitted(300, "user", "42")).isEqualTo(100);
    }
  }
}
