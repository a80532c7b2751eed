package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.RequestEvent;
import io.quotaenforcer.core.message.RequestEvent.CountedBy;
import io.quotaenforcer.core.rule.Rule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnforcerTopologyTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Rule FIXED =
      TopologyFixture.rule("fixed", new FixedWindow(100, 10 * SECOND));
  private static final Rule SLIDING =
      TopologyFixture.rule("sliding", new SlidingWindow(100, 10 * SECOND));
  private static final QuotaKey KEY = TopologyFixture.key(FIXED, "42");

  @TempDir Path state;

  @Test
  void report_withDemand_isAnsweredWithAGrantAndItsSendTime() {
    try (TopologyFixture topology = new TopologyFixture(state, FIXED)) {
      topology.report("a", KEY, 10);
      topology.commit();
      QuotaSnapshot snapshot = topology.snapshots().get(0);
      assertThat(snapshot.echoSentNanos()).isEqualTo(topology.epochNanos());
      assertThat(snapshot.quotas().get(0).limit()).isEqualTo(100);
      assertThat(snapshot.quotas().get(0).cells()).hasSize(1);
      assertThat(snapshot.quotas().get(0).cells().get(0).granted()).isBetween(1L, 100L);
    }
  }

  @Test
  void grant_beyondWhatIsCommitted_waitsForTheNextCommit() {
    try (TopologyFixture topology = new TopologyFixture(state, FIXED)) {
      topology.report("a", KEY, 10);
      assertThat(topology.snapshots()).isEmpty();
      topology.advance(Duration.ofMillis(10));
      assertThat(topology.snapshots()).isEmpty();

      topology.commit();
      assertThat(granted(topology.snapshots())).isPositive();
    }
  }

  @Test
  void commitsThatTakeLong_delayAnswers_andDoNotPreventThem() {
    try (TopologyFixture topology = new TopologyFixture(state, FIXED)) {
      topology.report("a", KEY, 10);
      topology.commit();
      assertThat(granted(topology.snapshots())).isPositive();

      for (int i = 0; i < 3; i++) {
        topology.advance(Duration.ofMillis(200));
        topology.report("b" + i, KEY, 10);
        topology.advance(Duration.ofMillis(500));
        topology.commit();
        assertThat(granted(topology.snapshots())).as("after commit %d", i).isPositive();
      }
    }
  }

  @Test
  void grant_underTheCommittedHeadroom_leavesAtOnce() {
    try (TopologyFixture topology = new TopologyFixture(state, FIXED)) {
      topology.report("a", KEY, 10);
      topology.commit();
      topology.commit();
      topology.snapshots();

      topology.report("b", KEY, 10);
      assertThat(granted(topology.snapshots())).isPositive();
    }
  }

  @Test
  void turnThatIsHandedOver_answersNothingMore_butStillCounts() {
    try (TopologyFixture topology = new TopologyFixture(state, FIXED)) {
      topology.report("a", KEY, 10);
      topology.commit();
      CellGrant grant = topology.snapshots().get(0).quotas().get(0).cells().get(0);
      topology.report("a", KEY, 10);
      topology.snapshots();

      topology.handOver.revoking(List.of(topology.usagePartition()));
      topology.report("a", KEY, 10, used(grant, 1, false));
      topology.commit();

      assertThat(topology.snapshots()).isEmpty();
      assertThat(topology.counted()).containsEntry(KEY, 1L);
    }
  }

  @Test
  void turnWithoutNewsSinceTheLastCommit_isNotEnded() {
    try (TopologyFixture topology = new TopologyFixture(state, FIXED)) {
      topology.report("a", KEY, 10);
      topology.commit();
      topology.commit();
      topology.snapshots();

      topology.handOver.revoking(List.of(topology.usagePartition()));
      topology.report("a", KEY, 10);

      assertThat(topology.snapshots()).isNotEmpty();
    }
  }

  @Test
  void answer_thatWaits_isOfTheNewestReportOfEachInstance() {
    try (TopologyFixture topology = new TopologyFixture(state, FIXED)) {
      topology.report("a", KEY, 10);
      topology.report("b", KEY, 10);
      topology.advance(Duration.ofMillis(1));
      topology.report("a", KEY, 20);
      topology.commit();

      List<QuotaSnapshot> answers = topology.snapshots();
      assertThat(answers).extracting(QuotaSnapshot::instance).containsExactlyInAnyOrder("a", "b");
      assertThat(answers.stream().filter(answer -> answer.instance().equals("a")).findFirst())
          .hasValueSatisfying(
              answer -> assertThat(answer.echoSentNanos()).isEqualTo(topology.epochNanos()));
    }
  }

  @Test
  void report_ofNothing_isAnswered() {
    try (TopologyFixture topology = new TopologyFixture(state, FIXED)) {
      topology.report("a", KEY, 0);
      topology.commit();
      assertThat(topology.snapshots().get(0).quotas().get(0).cells()).isEmpty();
    }
  }

  @Test
  void report_repeated_isCountedOnce() {
    try (TopologyFixture topology = new TopologyFixture(state, FIXED)) {
      topology.report("a", KEY, 10);
      topology.commit();
      CellGrant grant = topology.snapshots().get(0).quotas().get(0).cells().get(0);
      CellUsage usage = used(grant, 1, false);
      topology.report("a", KEY, 10, usage);
      topology.report("a", KEY, 10, usage);
      topology.report("a", KEY, 10, used(grant, 1, true));
      topology.report("a", KEY, 10, used(grant, 1, true));
      assertThat(topology.counted()).containsEntry(KEY, 1L);
      List<QuotaSnapshot> answers = topology.snapshots();
      assertThat(answers.get(answers.size() - 1).quotas().get(0).settled())
          .containsExactly(grant.id());
    }
  }

  @Test
  void limit_usedUpByTwoInstances_isAnnouncedAsExhausted() {
    Rule small = TopologyFixture.rule("small", new FixedWindow(2, 10 * SECOND));
    QuotaKey key = TopologyFixture.key(small, "1");
    try (TopologyFixture topology = new TopologyFixture(state, small)) {
      topology.report("a", key, 100, CellUsage.of(-1, 0).withTaken(2));
      assertThat(topology.exhaustedKeys()).isEmpty();
      topology.report("b", key, 100);
      assertThat(topology.exhaustedKeys()).containsExactly(key.toString());
    }
  }

  @Test
  void requestEvent_repeated_isCountedOnce() {
    try (TopologyFixture topology = new TopologyFixture(state, FIXED, SLIDING)) {
      topology.emit(event(topology, "e1", CountedBy.ENFORCER, 3));
      topology.emit(event(topology, "e1", CountedBy.ENFORCER, 3));
      topology.emit(event(topology, "e2", CountedBy.ENFORCER, 1));
      topology.advance(Duration.ofMillis(50));
      assertThat(topology.counted())
          .containsEntry(KEY, 4L)
          .containsEntry(TopologyFixture.key(SLIDING, "42"), 4L);
      assertThat(topology.deadLetters()).isEmpty();
    }
  }

  @Test
  void requestEvent_repeatedAfterOneFarAhead_isCountedOnce() {
    try (TopologyFixture topology = new TopologyFixture(state, FIXED)) {
      RequestEvent event = event(topology, "e1", CountedBy.ENFORCER, 3);
      RequestEvent ahead = event(topology, "ahead", CountedBy.ENFORCER, 1);
      topology.emit(at(ahead, ahead.timeMicros() + Duration.ofMinutes(50).toMillis() * 1000));
      topology.emit(event);
      topology.emit(event);
      topology.advance(Duration.ofMillis(50));
      assertThat(topology.counted()).containsEntry(KEY, 4L);
      assertThat(topology.deadLetters()).isEmpty();
    }
  }

  @Test
  void requestEvent_countedByClient_isNotCountedAgain() {
    try (TopologyFixture topology = new TopologyFixture(state, FIXED)) {
      topology.emit(event(topology, "e1", CountedBy.CLIENT, 1));
      topology.advance(Duration.ofMillis(50));
      assertThat(topology.counted()).isEmpty();
      assertThat(topology.deadLetters()).isEmpty();
    }
  }

  @Test
  void requestEvent_timeInAnotherUnit_isPutAsideForWhatItLooksLike() {
    try (TopologyFixture topology = new TopologyFixture(state, FIXED)) {
      RequestEvent event = event(topology, "e", CountedBy.ENFORCER, 1);
      topology.emit(at(event, event.timeMicros() / 1_000));
      topology.emit(at(event, event.timeMicros() * 1_000));
      assertThat(topology.deadLetters())
          .satisfiesExactly(
              millis -> assertThat(millis).contains(" old, since older ids are not remembered"),
              nanos -> assertThat(nanos).contains(" ahead of the enforcer's clock"));
    }
  }

  @Test
  void requestEvent_tooOldOrTooFarAhead_isPutAside() {
    try (TopologyFixture topology = new TopologyFixture(state, FIXED)) {
      RequestEvent now = event(topology, "old", CountedBy.ENFORCER, 1);
      topology.advance(Duration.ofMinutes(11));
      topology.emit(now);
      topology.emit(at(now, now.timeMicros() + Duration.ofHours(3).toMillis() * 1000));
      assertThat(topology.deadLetters()).hasSize(2);
      assertThat(topology.deadLetters()).isEmpty();
    }
  }

  @Test
  void poison_onEveryInput_isPutAsideAndNothingStops() {
    SplittableRandom random = new SplittableRandom(7);
    try (TopologyFixture topology = new TopologyFixture(state, FIXED)) {
      List<String> inputs =
          List.of(
              topology.wire.topics().usage().name(),
              topology.wire.topics().usageEvents().name(),
              topology.wire.topics().requestEvents().name());
      for (String input : inputs) {
        byte[] noise = new byte[64];
        random.nextBytes(noise);
        topology.send(input, null, noise);
        topology.send(input, noise, null);
        topology.send(input, null, new byte[0]);
      }
      assertThat(topology.deadLetters()).hasSize(9);
      topology.report("a", KEY, 10);
      topology.commit();
      assertThat(topology.snapshots()).hasSize(1);
    }
  }

  @Test
  void report_ofAnUnknownRule_isPutAsideWithItsName() {
    try (TopologyFixture topology = new TopologyFixture(state, FIXED)) {
      topology.report("a", TopologyFixture.key(SLIDING, "1"), 10);
      topology.commit();
      assertThat(topology.deadLetters()).singleElement().asString().contains("test/sliding");
      assertThat(topology.snapshots()).hasSize(1);
    }
  }

  @Test
  void idleKey_afterRetention_leavesNoRow() {
    try (TopologyFixture topology = new TopologyFixture(state, FIXED)) {
      topology.report("a", KEY, 10);
      topology.commit();
      CellGrant grant = topology.snapshots().get(0).quotas().get(0).cells().get(0);
      topology.report("a", KEY, 0, used(grant, 1, true));
      for (int i = 0; i < 30; i++) {
        topology.advance(Duration.ofMinutes(1));
      }
      assertThat(topology.ledgerRows()).isZero();
      topology.advance(Duration.ofHours(23).plusMinutes(29));
      assertThat(topology.counted()).containsEntry(KEY, 1L);
      // Counts go some windows at a time: a sixteenth of their retention.
      topology.advance(Duration.ofHours(2));
      topology.advance(Duration.ofSeconds(1));
      assertThat(topology.counted()).isEmpty();
    }
  }

  @Test
  void count_ofAWindowLongerThanRetention_lastsUntilRetentionAfterItsEnd() {
    Rule longRule =
        TopologyFixture.rule("long", new FixedWindow(10, Duration.ofDays(10).toNanos()));
    QuotaKey key = TopologyFixture.key(longRule, "1");
    try (TopologyFixture topology = new TopologyFixture(state, longRule)) {
      topology.report("a", key, 10);
      topology.commit();
      CellGrant grant = topology.snapshots().get(0).quotas().get(0).cells().get(0);
      for (int hour = 0; hour < 40; hour++) {
        topology.report("a", key, 0, used(grant, 1, false));
        topology.advance(Duration.ofHours(1));
      }
      topology.report("a", key, 0, used(grant, 3, true));
      topology.commit();
      assertThat(topology.counted()).containsEntry(key, 3L);

      for (int hour = 0; hour < 24 * 7; hour++) {
        topology.advance(Duration.ofHours(1));
      }
      assertThat(topology.counted()).containsEntry(key, 3L);
      for (int hour = 0; hour < 24 * 5; hour++) {
        topology.advance(Duration.ofHours(1));
      }
      assertThat(topology.counted()).isEmpty();
    }
  }

  private static long granted(List<QuotaSnapshot> answers) {
    return answers.stream()
        .flatMap(answer -> answer.quotas().stream())
        .flatMap(quota -> quota.cells().stream())
        .mapToLong(CellGrant::granted)
        .sum();
  }

  private static CellUsage used(CellGrant grant, long used, boolean closed) {
    long givenBack = closed ? grant.granted() - used : 0;
    return CellUsage.of(grant.id(), grant.windowStartNanos())
        .withGranted(grant.granted())
        .withTaken(used + givenBack)
        .withGivenBack(givenBack)
        .withClosed(closed);
  }

  private static RequestEvent event(
      TopologyFixture topology, String id, CountedBy countedBy, long cost) {
    return new RequestEvent(
        id,
        Request.of("user", "42").withCost(cost),
        topology.epochNanos() / 1_000,
        Outcome.ADMITTED,
        countedBy,
        "test");
  }

  private static RequestEvent at(RequestEvent event, long timeMicros) {
    return new RequestEvent(
        event.id(),
        event.request(),
        timeMicros,
        event.outcome(),
        event.countedBy(),
        event.service());
  }
}
