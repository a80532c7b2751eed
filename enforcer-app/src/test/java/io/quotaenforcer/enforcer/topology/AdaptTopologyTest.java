package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.adapt.AdaptStep;
import io.quotaenforcer.core.adapt.AdaptTerms;
import io.quotaenforcer.core.adapt.LimitCause;
import io.quotaenforcer.core.adapt.LimitInForce;
import io.quotaenforcer.core.adapt.LoadCondition;
import io.quotaenforcer.core.adapt.LoadQuantity;
import io.quotaenforcer.core.adapt.LoadScope;
import io.quotaenforcer.core.adapt.LoadSignal;
import io.quotaenforcer.core.adapt.Lowering;
import io.quotaenforcer.core.adapt.Recovery;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.message.LoadReport;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Entitlement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.schemas.topic.Topic;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits that follow the load, from what instances say to what the ledger grants. */
class AdaptTopologyTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Duration A_SECOND = Duration.ofSeconds(1);

  /** Half of the limit once more than 80 % is busy for 5 s; all of it 20 s after that. */
  private static final AdaptTerms HALF =
      new AdaptTerms(
          List.of(
              new AdaptStep(
                  LoadCondition.parse("cpu > 80%"),
                  5 * SECOND,
                  new Lowering.To(5_000),
                  new Recovery.Even(2_500, 10 * SECOND))),
          1_000,
          10_000,
          2_000,
          30 * SECOND,
          1);

  private static final Rule RULE =
      TopologyFixture.rule("rule", new FixedWindow(1_000, 3_600 * SECOND))
          .withEnforcement(Enforcement.STRICT)
          .withAdapt(HALF);

  @TempDir Path state;

  private TopologyFixture topology;

  @BeforeEach
  void start() {
    topology = new TopologyFixture(state, RULE);
  }

  @AfterEach
  void stop() {
    topology.close();
  }

  private void says(String instance, double cpu, String... domains) {
    LoadSignal signal = new LoadSignal(Map.of(LoadQuantity.CPU, cpu));
    send(new LoadReport(instance, Set.of(domains), false, signal));
  }

  /** Says so at another time. */
  private void sendAt(Instant time, String instance, double cpu) {
    LoadSignal signal = new LoadSignal(Map.of(LoadQuantity.CPU, cpu));
    topology.sendAt(
        time,
        topology.wire.topics().load().name(),
        topology.wire.encode(new LoadReport(instance, Set.of(), false, signal)));
  }

  private void send(LoadReport report) {
    topology.send(
        topology.wire.topics().load().name(),
        report.instance().getBytes(StandardCharsets.UTF_8),
        topology.wire.encode(report));
  }

  /** Three instances say the same for so long. */
  private void load(double cpu, int seconds) {
    for (int i = 0; i < seconds; i++) {
      for (String instance : List.of("a", "b", "c")) {
        says(instance, cpu);
      }
      topology.advance(A_SECOND);
    }
  }

  private void silence(int seconds) {
    for (int i = 0; i < seconds; i++) {
      topology.advance(A_SECOND);
    }
  }

  /** What the newest record of the rule says; empty if it was taken back, or there is none. */
  private Optional<LimitInForce> inForce() {
    return topology.limitsInForce(RULE.id());
  }

  private int basisPoints() {
    return inForce().orElseThrow().basisPoints();
  }

  private long limitToldTo(String instance) {
    return toldTo(instance).limit();
  }

  private QuotaAnswer toldTo(String instance) {
    QuotaKey key = TopologyFixture.key(RULE, "42");
    topology.report(instance, key, 10);
    topology.commit();
    List<QuotaSnapshot> snapshots = topology.snapshots();
    return snapshots.get(snapshots.size() - 1).quotas().get(0);
  }

  @Test
  void conditionThatLasts_halvesTheLimit_whichComesBackSlowly() {
    load(0.5, 10);
    assertThat(basisPoints()).isEqualTo(10_000);
    assertThat(limitToldTo("a")).isEqualTo(1_000);

    load(0.95, 5);
    assertThat(basisPoints()).isEqualTo(10_000);
    load(0.95, 1);
    assertThat(basisPoints()).isEqualTo(5_000);
    assertThat(inForce().orElseThrow().reason()).isEqualTo("cpu > 80%: it was 95%");
    assertThat(limitToldTo("a")).isEqualTo(500);

    load(0.5, 12);
    assertThat(basisPoints()).isEqualTo(7_500);
    assertThat(inForce().orElseThrow().reason()).isEqualTo("it recovers from cpu > 80%");
    load(0.5, 10);
    assertThat(basisPoints()).isEqualTo(10_000);
    assertThat(limitToldTo("a")).isEqualTo(1_000);
  }

  @Test
  void answer_saysWhyTheLimitIsAnother_andSinceWhen_asLongAsItIs() {
    load(0.5, 5);
    assertThat(toldTo("a").inForce()).isEmpty();
    load(0.95, 7);
    LimitInForce half = inForce().orElseThrow();
    assertThat(half.cause()).isEqualTo(LimitCause.LOWERED);
    assertThat(toldTo("a").inForce()).contains(half);
    load(0.5, 30);
    assertThat(toldTo("a").inForce()).isEmpty();
  }

  @Test
  void ruleByTheLoadOfEachInstance_isNotDecidedHere() {
    load(0.95, 15);
    assertThat(basisPoints()).isEqualTo(5_000);
    Rule own =
        RULE.withEnforcement(Enforcement.PER_INSTANCE)
            .withAdapt(HALF.withScope(LoadScope.INSTANCE))
            .withVersion(2, 2);
    topology.rules.post(RuleSet.of(List.of(own)));
    load(0.95, 10);
    assertThat(inForce()).isEmpty();
    assertThat(limitToldTo("a")).isEqualTo(1_000);
  }

  @Test
  void keyInUse_isToldToAll_whenTheLimitChanges_andOnce() {
    load(0.5, 5);
    limitToldTo("a");
    topology.announced();
    load(0.95, 7);
    assertThat(topology.announced())
        .extracting(told -> told.key)
        .containsExactly(TopologyFixture.key(RULE, "42"));
    load(0.95, 7);
    assertThat(topology.announced()).isEmpty();
  }

  @Test
  void signalsThatStop_holdTheLimit_andThenItIsThatWithoutSignal() {
    load(0.5, 10);
    silence(30);
    assertThat(basisPoints()).isEqualTo(10_000);
    assertThat(inForce().orElseThrow().reason()).isEqualTo("signals stopped coming; it is held");
    silence(5);
    assertThat(basisPoints()).isEqualTo(2_000);
    assertThat(inForce().orElseThrow().reason()).isEqualTo("no signal comes");
    assertThat(limitToldTo("a")).isEqualTo(200);
  }

  /** As they are read all at once after an outage. */
  @Test
  void signalsOfLongAgo_areNoNews() {
    load(0.5, 10);
    Instant before = topology.now().minusSeconds(10);
    for (int i = 0; i < 10; i++) {
      for (String instance : List.of("a", "b", "c", "d", "e", "f")) {
        sendAt(before.plusMillis(i), instance, 0.95);
      }
      topology.advance(A_SECOND);
    }
    assertThat(basisPoints()).isEqualTo(10_000);
    assertThat(inForce().orElseThrow().reason()).isEqualTo("signals stopped coming; it is held");
  }

  @Test
  void signalOfAFewSecondsAgo_isHeard_forAsLongAsItIsFresh() {
    load(0.5, 10);
    for (int i = 0; i < 7; i++) {
      for (String instance : List.of("a", "b", "c")) {
        sendAt(topology.now().minusSeconds(1), instance, 0.95);
      }
      topology.advance(A_SECOND);
    }
    assertThat(basisPoints()).isEqualTo(5_000);
  }

  @Test
  void instancesThatEndInOrder_areNotMissed() {
    load(0.5, 5);
    for (String gone : List.of("b", "c")) {
      send(new LoadReport(gone, Set.of(), true, LoadSignal.NOTHING));
    }
    for (int i = 0; i < 10; i++) {
      says("a", 0.5);
      topology.advance(A_SECOND);
    }
    assertThat(inForce().orElseThrow().reason()).isEqualTo("no condition lowers it");
  }

  @Test
  void loadOfAnotherDomain_isNotThatOfTheRule() {
    load(0.5, 5);
    for (int i = 0; i < 20; i++) {
      says("other", 0.99, "elsewhere");
      says("a", 0.5, "test", "elsewhere");
      says("b", 0.5);
      says("c", 0.5);
      topology.advance(A_SECOND);
    }
    assertThat(basisPoints()).isEqualTo(10_000);
  }

  @Test
  void nothingIsWritten_whileNothingChanges() {
    load(0.5, 10);
    topology.limitRecords();
    load(0.6, 30);
    assertThat(topology.limitRecords()).isEmpty();
  }

  @Test
  void successor_goesOnWithWhatWasInForce_andRecoversAsSlowly() {
    load(0.5, 5);
    load(0.95, 7);
    assertThat(basisPoints()).isEqualTo(5_000);
    LimitInForce before = inForce().orElseThrow();
    topology.close();

    topology = new TopologyFixture(state.resolve("successor"), RULE);
    topology.tell(RULE.id(), before);
    load(0.5, 9);
    assertThat(limitToldTo("a")).isEqualTo(500);
    load(0.5, 5);
    assertThat(basisPoints()).isEqualTo(7_500);
  }

  @Test
  void ruleThatAdaptsNoMore_takesItsValueBack() {
    load(0.5, 5);
    load(0.95, 7);
    Rule fixed = TopologyFixture.rule("rule", RULE.limit()).withVersion(2, 1);
    topology.rules.post(RuleSet.of(List.of(fixed)));
    assertThat(limitToldTo("a")).isEqualTo(1_000);
    load(0.95, 2);
    assertThat(inForce()).isEmpty();
  }

  @Test
  void otherTerms_beginWithWhatIsInForce() {
    load(0.5, 5);
    load(0.95, 7);
    AdaptTerms higher = new AdaptTerms(HALF.steps(), 7_000, 10_000, 7_000, HALF.holdNanos(), 1);
    topology.rules.post(RuleSet.of(List.of(RULE.withAdapt(higher).withVersion(2, 1))));
    assertThat(limitToldTo("a")).as("the floor holds at once").isEqualTo(700);
    load(0.95, 1);
    assertThat(basisPoints()).isEqualTo(7_000);
  }

  /** In percent every condition would hold for ever. */
  @Test
  void loadInAnotherUnit_isPutAside() {
    Topic<String, io.quotaenforcer.schemas.LoadSignal> topic = topology.wire.topics().load();
    topology.send(
        topic.name(),
        "a".getBytes(StandardCharsets.UTF_8),
        topic
            .valueSerde()
            .serializer()
            .serialize(
                topic.name(),
                new io.quotaenforcer.schemas.LoadSignal(
                    "a", List.of(), false, 85.0, null, null, null, null, null, null)));
    assertThat(topology.deadLetters())
        .containsExactly(
            "unreadable load: must be a part from 0 to 1, such as 0.85 for 85%: cpu=85.0");
  }

  @Test
  void recordsThatCannotBeFollowed_arePutAside() {
    byte[] key = "key".getBytes(StandardCharsets.UTF_8);
    topology.send(topology.wire.topics().load().name(), key, new byte[] {1, 2, 3});
    topology.send(topology.wire.topics().limitsInForce().name(), key, new byte[] {1, 2, 3});
    topology.send(
        topology.wire.topics().limitsInForce().name(),
        RULE.id().toString().getBytes(StandardCharsets.UTF_8),
        topology.wire.encode(new Entitlement.Permits(5)));
    assertThat(topology.deadLetters())
        .hasSize(3)
        .anyMatch(reason -> reason.startsWith("unreadable load: "))
        .anyMatch(reason -> reason.startsWith("limit in force that is not followed: "));
    assertThat(limitToldTo("a")).isEqualTo(1_000);
  }

  @Test
  void metric_showsThePartThatIsInForce() {
    load(0.5, 5);
    load(0.95, 7);
    assertThat(
            topology
                .registry
                .get("quota.limit.in.force")
                .tags("domain", "test", "rule", "rule")
                .gauge()
                .value())
        .isEqualTo(0.5);
  }
}
