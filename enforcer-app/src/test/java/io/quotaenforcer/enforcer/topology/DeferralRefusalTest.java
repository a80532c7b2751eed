package io.quotaenforcer.enforcer.topology;

import static io.quotaenforcer.enforcer.topology.DeferralSamples.KEY;
import static io.quotaenforcer.enforcer.topology.DeferralSamples.MANY;
import static io.quotaenforcer.enforcer.topology.DeferralSamples.RULE;
import static io.quotaenforcer.enforcer.topology.DeferralSamples.SECOND;
import static io.quotaenforcer.enforcer.topology.DeferralSamples.SERVICE;
import static io.quotaenforcer.enforcer.topology.DeferralSamples.deferring;
import static io.quotaenforcer.enforcer.topology.DeferralSamples.request;
import static io.quotaenforcer.enforcer.topology.TopologyFixture.key;
import static io.quotaenforcer.enforcer.topology.TopologyFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.message.DeferralAnswer;
import io.quotaenforcer.core.message.DeferralAnswer.Verdict;
import io.quotaenforcer.core.message.DeferralInput;
import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import io.quotaenforcer.core.message.DeferralInput.ReplyTo;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.core.rule.OverLimit.Defer;
import io.quotaenforcer.core.rule.OverLimit.OnDelete;
import io.quotaenforcer.core.rule.OverLimit.Release;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleOverride;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.store.Stores;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that are not released: refused, put aside, or lost. */
class DeferralRefusalTest {
  @TempDir Path folder;

  @Test
  void requestsThatMayNotWait_areRefusedWithTheReason() {
    Rule rule =
        deferring(
            new FixedWindow(1, 60 * SECOND),
            new Defer(10_000, Release.AS_QUOTA_FREES, 2, 1L << 20, 16, OnDelete.RELEASE));
    Rule throttling = rule("throttling", new FixedWindow(1, SECOND));
    try (TopologyFixture topology = new TopologyFixture(folder, rule, throttling)) {
      for (String id : List.of("a", "b", "c", "d", "e")) {
        topology.tell(request(id));
        topology.run(Duration.ofMillis(300));
      }
      topology.tell(request("costly", KEY, 2, Payload.EMPTY));
      topology.tell(request("other", key(throttling, "alice")));
      topology.tell(request("unknown", QuotaKey.parse("test/gone/alice")));
      topology.run(Duration.ofMillis(100));

      assertThat(topology.replays()).extracting(Replay::id).containsExactly("a");
      assertThat(topology.deferralAnswers())
          .filteredOn(answer -> answer.verdict() == Verdict.REFUSED)
          .extracting(answer -> answer.id() + ": " + answer.reason())
          .containsExactly(
              "d: the queue is full: 2 requests wait for its quota key",
              "e: the queue is full: 2 requests wait for its quota key",
              "costly: it costs 2 permits, and the limit never has more than 1",
              "other: the rule does not defer: test/throttling",
              "unknown: no such rule: test/gone");
    }
  }

  @Test
  void requestThatNobodyWaitsFor_becomesADeadLetterWhenItIsRefused() {
    try (TopologyFixture topology = new TopologyFixture(folder, RULE)) {
      topology.tell(request("a", QuotaKey.parse("test/gone/alice")).again());

      assertThat(topology.deadLetters()).containsExactly("refused: no such rule: test/gone");
    }
  }

  @Test
  void sendersThatPoseAsOurQueues_areRefused_andWhatIsNoSnapshotStopsNoQueue() {
    try (TopologyFixture topology = new TopologyFixture(folder, RULE)) {
      topology.tell(request("a"));
      topology.run(Duration.ofSeconds(1));
      for (String instance : List.of("#replays-0", "#folded", "€".repeat(201))) {
        ReplyTo forged = new ReplyTo(instance, 7, 0);
        topology.tell(new DeferralInput.Inquiry("b", KEY, 0, forged));
        topology.tell(requestOf(forged));
      }
      assertThat(topology.deadLetters())
          .hasSize(6)
          .allMatch(reason -> reason.startsWith("deferral refused: must be told to an instance"));

      topology.tellQueues(
          topology.wire.encode(new DeferralAnswer("a", 7, "a", "", Verdict.ACCEPTED, "", 0, 0)));
      topology.tellQueues(new byte[] {1, 2, 3});
      topology.tell(request("c"));
      topology.run(Duration.ofSeconds(1));

      assertThat(topology.replays()).extracting(Replay::id).containsExactly("a", "c");
    }
  }

  private static DeferredRequest requestOf(ReplyTo sender) {
    DeferredRequest like = request("b");
    return new DeferredRequest(
        like.id(),
        like.quotaKey(),
        like.request(),
        like.payload(),
        like.headers(),
        like.priority(),
        like.deadlineMillis(),
        like.deferredMillis(),
        sender);
  }

  @Test
  void reasonsAndScopesOfAnyLength_makeNoLargeRow() {
    String reason = "€".repeat(500_000);
    try (TopologyFixture topology = new TopologyFixture(folder, RULE)) {
      topology.tell(request("a"));
      topology.tell(new DeferralInput.Purge("test/deferring", reason));
      topology.tell(new DeferralInput.Purge("x".repeat(QuotaKey.MAX_TEXT_CHARS), reason));
      assertThat(topology.largestRow(Stores.DEFERRAL)).isBetween(6_000, 100_000);
      topology.tell(new DeferralInput.Cancel("a", KEY, reason));

      assertThat(topology.deadLetters())
          .anyMatch(it -> it.startsWith("cancelled: €") && it.length() < 3_000);
    }
    assertThatThrownBy(
            () -> new DeferralInput.Purge("x".repeat(QuotaKey.MAX_TEXT_CHARS + 1), reason))
        .hasMessage("must have at most 65536 characters: scope has 65537");
  }

  @Test
  void deadline_tooFarAwayToTellInNanoseconds_neverPasses() {
    try (TopologyFixture topology = new TopologyFixture(folder, RULE)) {
      topology.tell(request("a", Priority.NORMAL, 10_000_000_000_000L));
      topology.tell(request("b", Priority.NORMAL, Long.MAX_VALUE));
      topology.run(Duration.ofSeconds(2));

      assertThat(topology.replays()).extracting(Replay::id).containsExactly("a", "b");
      assertThat(topology.deadLetters()).isEmpty();
    }
  }

  @Test
  void keyThatIsDenied_defersNothing_andWhatWaitsBecomesADeadLetter() {
    Rule rule = deferring(new FixedWindow(1, 60 * SECOND), MANY);
    Rule denying =
        rule.withOverrides(List.of(RuleOverride.denied(Map.of("user", "alice")))).withVersion(2, 1);
    QuotaKey key = TopologyFixture.key(rule, "alice");
    try (TopologyFixture topology = new TopologyFixture(folder, rule)) {
      topology.tell(request("first", key));
      topology.tell(request("waits", key));
      topology.run(Duration.ofSeconds(2));
      topology.rules.post(RuleSet.of(List.of(denying)));
      topology.run(Duration.ofSeconds(70));
      topology.tell(request("late", key).again());

      assertThat(topology.replays()).extracting(Replay::id).containsExactly("first");
      assertThat(topology.deadLetters())
          .containsExactly("its quota key is denied", "refused: the quota key is denied: " + key);
    }
  }

  @Test
  void whatIsNotToBeRun_becomesADeadLetterOnce() {
    Rule rule = deferring(new FixedWindow(1, 60 * SECOND), MANY);
    try (TopologyFixture topology = new TopologyFixture(folder, rule)) {
      topology.tell(request("runs"));
      topology.run(Duration.ofMillis(500));
      long soon = topology.epochNanos() / 1_000_000 + 2_000;
      topology.tell(request("late", Priority.HIGH, soon));
      topology.tell(request("cancelled"));
      topology.tell(request("purged"));
      topology.tell(request("spared", key(rule, "bob")));
      topology.tell(new DeferralInput.Cancel("cancelled", KEY, "by bob"));
      topology.tell(new DeferralInput.Cancel("cancelled", KEY, "by bob"));
      topology.run(Duration.ofMillis(500));
      topology.tell(new DeferralInput.Purge(KEY.toString(), "too many"));
      topology.run(Duration.ofSeconds(3));

      assertThat(topology.deadLetters())
          .containsExactly("cancelled: by bob", "purged: too many", "purged: too many");
      assertThat(topology.replays()).extracting(Replay::id).containsExactly("runs", "spared");
    }
  }

  @Test
  void requestThatWasPutAside_waitsAgainForAnOperator_andNotForItsClient() {
    Rule rule = deferring(new FixedWindow(1, 60 * SECOND), MANY);
    try (TopologyFixture topology = new TopologyFixture(folder, rule)) {
      long later = topology.epochNanos() / 1_000_000 + 5_000;
      topology.tell(request("runs"));
      topology.run(Duration.ofMillis(500));
      DeferredRequest cancelled = request("cancelled", Priority.NORMAL, later);
      topology.tell(cancelled);
      topology.tell(new DeferralInput.Cancel("cancelled", KEY, "by hand"));
      topology.tell(cancelled);
      topology.tell(new DeferralInput.Inquiry("cancelled", KEY, 1, SERVICE));
      topology.run(Duration.ofMillis(500));
      assertThat(topology.deferralAnswers())
          .extracting(DeferralAnswer::verdict)
          .containsOnly(Verdict.ACCEPTED);

      topology.redrive(cancelled);
      topology.redrive(cancelled);
      topology.tell(cancelled);
      topology.run(Duration.ofSeconds(150));

      assertThat(topology.replays())
          .extracting(Replay::id)
          .as("after the deadline that it had before")
          .containsExactly("runs", "cancelled");
      assertThat(topology.deadLetters()).containsExactly("cancelled: by hand");
    }
  }

  @Test
  void requestThatWasRefusedOrNotRun_waitsAgainForAnOperator() {
    try (TopologyFixture topology = new TopologyFixture(folder, RULE)) {
      DeferredRequest refused = request("refused").again();
      topology.rules.post(RuleSet.empty());
      topology.tell(refused);
      topology.rules.post(RuleSet.of(List.of(RULE)));
      topology.tell(refused);
      topology.redrive(refused);
      topology.run(Duration.ofSeconds(1));
      assertThat(topology.replays()).extracting(Replay::id).containsExactly("refused");

      topology.tell(new DeferralInput.ReplayResult("refused", KEY, false, "no account", 2, 0));
      topology.redrive(refused);
      topology.run(Duration.ofSeconds(1));
      assertThat(topology.replays()).extracting(Replay::id).containsExactly("refused");

      topology.tell(new DeferralInput.ReplayResult("refused", KEY, true, "", 1, 0));
      topology.redrive(refused);
      topology.run(Duration.ofSeconds(1));
      assertThat(topology.replays()).as("it was run").isEmpty();
    }
  }

  @Test
  void deadlineThatPasses_endsTheWait() {
    Rule rule = deferring(new FixedWindow(1, 60 * SECOND), MANY);
    try (TopologyFixture topology = new TopologyFixture(folder, rule)) {
      long soon = topology.epochNanos() / 1_000_000 + 2_000;
      topology.tell(request("runs"));
      topology.run(Duration.ofMillis(500));
      topology.tell(request("late", Priority.HIGH, soon));
      topology.run(Duration.ofSeconds(4));

      assertThat(topology.deadLetters())
          .containsExactly("deadline passed: it waited until " + soon);
      assertThat(topology.replays()).extracting(Replay::id).containsExactly("runs");
    }
  }

  @Test
  void deletedRule_releasesOrPutsAsideWhatWaits() {
    for (OnDelete onDelete : OnDelete.values()) {
      Rule rule =
          deferring(
              new FixedWindow(1, 3_600 * SECOND),
              new Defer(10_000, Release.AS_QUOTA_FREES, 100, 1L << 20, 100, onDelete));
      try (TopologyFixture topology = new TopologyFixture(folder.resolve(onDelete.name()), rule)) {
        for (int i = 0; i < 4; i++) {
          topology.tell(request("r" + i));
        }
        topology.run(Duration.ofSeconds(1));
        assertThat(topology.replays()).hasSize(1);

        topology.rules.post(RuleSet.empty());
        topology.run(Duration.ofSeconds(3));

        List<Replay> replays = topology.replays();
        if (onDelete == OnDelete.RELEASE) {
          assertThat(replays).extracting(Replay::id).containsExactly("r1", "r2", "r3");
          assertThat(replays).allMatch(replay -> replay.paid().isEmpty());
        } else {
          assertThat(replays).isEmpty();
          assertThat(topology.deadLetters()).hasSize(3).containsOnly("its rule was deleted");
        }
      }
    }
  }

  @Test
  void inputThatCannotBeRight_becomesADeadLetter() {
    try (TopologyFixture topology = new TopologyFixture(folder, RULE)) {
      topology.send(topology.wire.topics().deferred().name(), new byte[0], new byte[] {1, 2, 3});
      topology.tell(request("large", KEY, 1, Payload.of(new byte[Payload.MAX_BYTES + 1])));
      topology.tell(withHeader(request("wide"), "x".repeat(Payload.MAX_BYTES * 3 / 2)));

      assertThat(topology.deadLetters())
          .hasSize(3)
          .allMatch(reason -> reason.startsWith("deferral refused: "))
          .anyMatch(reason -> reason.contains("at most 1048576 bytes: it has 1048577"));
    }
  }

  @Test
  void requestThatWasRefused_isTriedAgainWhenItsClientHandsItOverAgain() {
    Rule rule =
        deferring(
            new FixedWindow(1, 60 * SECOND),
            new Defer(10_000, Release.AS_QUOTA_FREES, 1, 1L << 20, 16, OnDelete.RELEASE));
    try (TopologyFixture topology = new TopologyFixture(folder, rule)) {
      for (String id : List.of("runs", "waits", "refused")) {
        topology.tell(request(id));
        topology.run(Duration.ofMillis(300));
      }
      topology.tell(new DeferralInput.Cancel("waits", KEY, "makes room"));
      topology.tell(request("refused"));
      topology.run(Duration.ofMillis(300));

      assertThat(topology.deferralAnswers())
          .filteredOn(answer -> answer.id().equals("refused"))
          .extracting(DeferralAnswer::verdict)
          .containsExactly(Verdict.REFUSED, Verdict.ACCEPTED);
    }
  }

  @Test
  void requestsThatTheirStoreHasLost_areMissed_andTheOthersGoOn() {
    Rule rule = deferring(new FixedWindow(1, 10 * SECOND), MANY);
    try (TopologyFixture topology = new TopologyFixture(folder, rule)) {
      for (String id : List.of("runs", "lost")) {
        topology.tell(request(id));
        topology.run(Duration.ofMillis(300));
      }
      topology.loseDeferredRequests();
      topology.tell(request("after"));
      topology.run(Duration.ofSeconds(25));
      topology.tell(request("new"));
      topology.run(Duration.ofSeconds(15));

      assertThat(topology.replays()).extracting(Replay::id).containsExactly("runs", "after", "new");
      assertThat(topology.registry.find("quota.deferred.waiting").gauge()).isNull();
    }
  }

  private static DeferredRequest withHeader(DeferredRequest request, String value) {
    return new DeferredRequest(
        request.id(),
        request.quotaKey(),
        request.request(),
        request.payload(),
        Map.of("header", value),
        request.priority(),
        request.deadlineMillis(),
        request.deferredMillis(),
        request.replyTo());
  }
}
