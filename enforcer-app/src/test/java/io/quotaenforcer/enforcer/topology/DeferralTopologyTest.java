package io.quotaenforcer.enforcer.topology;

import static io.quotaenforcer.enforcer.topology.TopologyFixture.key;
import static io.quotaenforcer.enforcer.topology.TopologyFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.DeferralAnswer;
import io.quotaenforcer.core.message.DeferralAnswer.Verdict;
import io.quotaenforcer.core.message.DeferralInput;
import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import io.quotaenforcer.core.message.DeferralInput.ReplyTo;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.OverLimit.Defer;
import io.quotaenforcer.core.rule.OverLimit.OnDelete;
import io.quotaenforcer.core.rule.OverLimit.Release;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DeferralTopologyTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Defer MANY =
      new Defer(2_000, Release.AS_QUOTA_FREES, 1_000, 1L << 20, 1_000, OnDelete.RELEASE);
  private static final Rule RULE = deferring(new FixedWindow(10, SECOND), MANY);
  private static final QuotaKey KEY = key(RULE, "alice");
  private static final ReplyTo SERVICE = new ReplyTo("service", 7, 0);

  @TempDir Path folder;

  @Test
  void deferredRequest_isAnsweredOnceItIsCommitted_andReleasedForPermits() {
    try (TopologyFixture topology = new TopologyFixture(folder, RULE)) {
      topology.tell(request("a"));
      assertThat(topology.deferralAnswers()).as("before the commit").isEmpty();

      topology.run(Duration.ofSeconds(1));

      assertThat(topology.deferralAnswers())
          .containsExactly(new DeferralAnswer("service", 7, "a", Verdict.ACCEPTED, "", 0, 1));
      List<Replay> replays = topology.replays();
      assertThat(replays).extracting(Replay::id).containsExactly("a");
      assertThat(replays.get(0).paid()).containsExactly(KEY);
      assertThat(replays.get(0).payload()).isEqualTo(payload("a"));
      assertThat(topology.counted()).isEqualTo(Map.of(KEY, 1L));
    }
  }

  static Stream<Limit> limits() {
    return Stream.of(
        new FixedWindow(10, SECOND), new SlidingWindow(10, SECOND), new TokenBucket(10, SECOND, 5));
  }

  /** 40 requests at 10 a second: no second has more than the limit, and few have less. */
  @ParameterizedTest
  @MethodSource("limits")
  void burst_isReleasedInOrderAtTheLimit_andCountedExactly(Limit limit) {
    Rule rule = deferring(limit, MANY);
    try (TopologyFixture topology = new TopologyFixture(folder, rule)) {
      for (int i = 0; i < 40; i++) {
        topology.tell(request("r" + i));
      }
      List<Replay> replays = new ArrayList<>();
      for (int second = 0; second < 7; second++) {
        topology.run(Duration.ofSeconds(1));
        replays.addAll(topology.replays());
        assertThat(replays).hasSizeLessThanOrEqualTo((int) limit.capacity() + 10 * (second + 1));
      }

      assertThat(replays).extracting(Replay::id).containsExactlyElementsOf(ids(40));
      assertThat(replays).extracting(Replay::number).isSorted();
      assertNeverOver(replays, limit);
      assertThat(topology.counted().values().stream().mapToLong(Long::longValue).sum())
          .isEqualTo(40);
    }
  }

  @Test
  void priorities_shareTheReleases_eachInOrder() {
    try (TopologyFixture topology = new TopologyFixture(folder, RULE)) {
      for (int i = 0; i < 10; i++) {
        for (Priority priority : Priority.values()) {
          topology.tell(request(priority + "" + i, priority, 0));
        }
      }
      topology.run(Duration.ofMillis(1500));
      List<Replay> replays = topology.replays();

      assertThat(replays).hasSizeBetween(10, 20);
      for (Priority priority : Priority.values()) {
        List<String> ids =
            replays.stream().filter(it -> it.priority() == priority).map(Replay::id).toList();
        assertThat(ids).isNotEmpty();
        for (int i = 0; i < ids.size(); i++) {
          assertThat(ids.get(i)).isEqualTo(priority + "" + i);
        }
      }
    }
  }

  @Test
  void replaysWithoutResult_holdUpTheNext() {
    Rule rule =
        deferring(
            new FixedWindow(100, SECOND),
            new Defer(2_000, Release.AS_QUOTA_FREES, 100, 1L << 20, 2, OnDelete.RELEASE));
    try (TopologyFixture topology = new TopologyFixture(folder, rule)) {
      for (int i = 0; i < 5; i++) {
        topology.tell(request("r" + i));
      }
      topology.run(Duration.ofSeconds(3));
      assertThat(topology.replays()).extracting(Replay::id).containsExactly("r0", "r1");

      topology.tell(new DeferralInput.ReplayResult("r1", KEY, true, "", 1));
      topology.tell(new DeferralInput.ReplayResult("r1", KEY, true, "", 1));
      topology.run(Duration.ofSeconds(1));
      assertThat(topology.replays()).extracting(Replay::id).containsExactly("r2");

      topology.tell(new DeferralInput.ReplayResult("r0", KEY, false, "no such account", 3));
      topology.tell(new DeferralInput.ReplayResult("r0", KEY, false, "no such account", 3));
      topology.run(Duration.ofSeconds(1));
      assertThat(topology.replays()).extracting(Replay::id).containsExactly("r3");
      assertThat(topology.deadLetters())
          .containsExactly("not run after 3 attempts: no such account");
    }
  }

  @Test
  void steadyRule_releasesOneAfterTheOther() {
    Rule rule =
        deferring(
            new TokenBucket(20, SECOND, 20),
            new Defer(2_000, Release.STEADY, 100, 1L << 20, 1_000, OnDelete.RELEASE));
    try (TopologyFixture topology = new TopologyFixture(folder, rule)) {
      for (int i = 0; i < 60; i++) {
        topology.tell(request("r" + i));
      }
      topology.run(Duration.ofMillis(300));
      topology.replays();
      int released = 0;
      for (int tenth = 1; tenth <= 10; tenth++) {
        topology.run(Duration.ofMillis(100));
        released += topology.replays().size();
        // At the very rate of the limit, permits come a loop late now and then.
        assertThat(released).isBetween(2 * tenth - 3, 2 * tenth + 1);
      }
    }
  }

  @Test
  void requestSentTwice_isReleasedOnce_andAnsweredTwice() {
    try (TopologyFixture topology = new TopologyFixture(folder, RULE)) {
      topology.tell(request("a"));
      topology.tell(request("a"));
      topology.run(Duration.ofSeconds(1));
      topology.tell(new DeferralInput.ReplayResult("a", KEY, true, "", 1));
      topology.tell(request("a"));
      topology.tell(new DeferralInput.Inquiry("a", KEY, 1, SERVICE));
      topology.tell(new DeferralInput.Inquiry("b", KEY, 1, SERVICE));
      topology.run(Duration.ofSeconds(1));

      assertThat(topology.replays()).hasSize(1);
      assertThat(topology.deferralAnswers())
          .extracting(DeferralAnswer::verdict)
          .containsExactly(
              Verdict.ACCEPTED,
              Verdict.ACCEPTED,
              Verdict.ACCEPTED,
              Verdict.ACCEPTED,
              Verdict.UNKNOWN);
    }
  }

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
      topology.rules.post(RuleSet.empty(), Map.of());
      topology.tell(refused);
      topology.rules.post(RuleSet.of(List.of(RULE)), Map.of());
      topology.tell(refused);
      topology.redrive(refused);
      topology.run(Duration.ofSeconds(1));
      assertThat(topology.replays()).extracting(Replay::id).containsExactly("refused");

      topology.tell(new DeferralInput.ReplayResult("refused", KEY, false, "no account", 2));
      topology.redrive(refused);
      topology.run(Duration.ofSeconds(1));
      assertThat(topology.replays()).extracting(Replay::id).containsExactly("refused");

      topology.tell(new DeferralInput.ReplayResult("refused", KEY, true, "", 1));
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
  void expeditedRequest_getsTheNextPermits() {
    Rule rule = deferring(new FixedWindow(1, 10 * SECOND), MANY);
    try (TopologyFixture topology = new TopologyFixture(folder, rule)) {
      for (int i = 0; i < 4; i++) {
        topology.tell(request("r" + i));
      }
      topology.run(Duration.ofSeconds(1));
      topology.tell(new DeferralInput.Expedite("r3", KEY));
      topology.run(Duration.ofSeconds(25));

      assertThat(topology.replays()).extracting(Replay::id).startsWith("r0", "r3", "r1");
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

        topology.rules.post(RuleSet.empty(), Map.of());
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
  void limitThatIsRaised_endsTheWaitOfAQueueThatWasPutAway() {
    Rule rule = deferring(new FixedWindow(1, 3_600 * SECOND), MANY);
    try (TopologyFixture topology = new TopologyFixture(folder, rule)) {
      topology.tell(request("a"));
      topology.tell(request("b"));
      topology.run(Duration.ofSeconds(2));
      assertThat(topology.replays()).hasSize(1);

      Rule raised = rule.withLimit(new FixedWindow(10_000, 3_600 * SECOND)).withVersion(2, 1);
      topology.rules.post(RuleSet.of(List.of(raised)), Map.of());
      topology.run(Duration.ofSeconds(3));

      assertThat(topology.replays()).extracting(Replay::id).containsExactly("b");
    }
  }

  @Test
  void inputThatCannotBeRight_becomesADeadLetter() {
    try (TopologyFixture topology = new TopologyFixture(folder, RULE)) {
      topology.send(topology.wire.topics().deferred().name(), new byte[0], new byte[] {1, 2, 3});
      topology.tell(request("large", KEY, 1, Payload.of(new byte[Payload.MAX_BYTES + 1])));

      assertThat(topology.deadLetters())
          .hasSize(2)
          .allMatch(reason -> reason.startsWith("deferral refused: "))
          .anyMatch(reason -> reason.contains("at most 1048576 bytes: it has 1048577"));
    }
  }

  @Test
  void instanceThatPassesForAQueue_isNotHeard() {
    try (TopologyFixture topology = new TopologyFixture(folder, RULE)) {
      topology.report("#replays-0", KEY, 10);
      topology.run(Duration.ofMillis(100));

      assertThat(topology.deadLetters())
          .containsExactly("instance must not begin with #replays-: it is #replays-0");
      assertThat(topology.snapshots()).isEmpty();
    }
  }

  @Test
  void metrics_sayWhatWaits() {
    Rule rule = deferring(new FixedWindow(1, 3_600 * SECOND), MANY);
    try (TopologyFixture topology = new TopologyFixture(folder, rule)) {
      for (int i = 0; i < 4; i++) {
        topology.tell(request("r" + i));
      }
      topology.run(Duration.ofSeconds(2));

      assertThat(topology.registry.get("quota.deferred.waiting").gauge().value()).isEqualTo(3);
      assertThat(topology.registry.get("quota.replays.released").counter().count()).isEqualTo(1);
      assertThat(topology.registry.get("quota.deferred.oldest.age").gauge().value()).isPositive();
    }
  }

  private static void assertNeverOver(List<Replay> replays, Limit limit) {
    if (limit instanceof FixedWindow) {
      replays.stream()
          .map(Replay::windowStartNanos)
          .distinct()
          .forEach(
              window ->
                  assertThat(replays.stream().filter(it -> it.windowStartNanos() == window).count())
                      .isLessThanOrEqualTo(limit.permits()));
    }
  }

  private static List<String> ids(int count) {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ids.add("r" + i);
    }
    return ids;
  }

  private static Rule deferring(Limit limit, Defer defer) {
    return rule("deferring", limit).withEnforcement(Enforcement.STRICT).withOverLimit(defer);
  }

  private static DeferredRequest request(String id) {
    return request(id, Priority.NORMAL, 0);
  }

  private static DeferredRequest request(String id, QuotaKey key) {
    return request(id, key, 1, payload(id));
  }

  private static DeferredRequest request(String id, QuotaKey key, long cost, Payload payload) {
    return new DeferredRequest(
        id,
        key,
        Request.of("user", "alice").withCost(cost),
        payload,
        Map.of(),
        Priority.NORMAL,
        0,
        TopologyFixture.START.toEpochMilli(),
        SERVICE);
  }

  private static DeferredRequest request(String id, Priority priority, long deadlineMillis) {
    return new DeferredRequest(
        id,
        KEY,
        Request.of("user", "alice"),
        payload(id),
        Map.of("id", id),
        priority,
        deadlineMillis,
        TopologyFixture.START.toEpochMilli(),
        SERVICE);
  }

  private static Payload payload(String id) {
    return Payload.of(id.getBytes(StandardCharsets.UTF_8));
  }
}
