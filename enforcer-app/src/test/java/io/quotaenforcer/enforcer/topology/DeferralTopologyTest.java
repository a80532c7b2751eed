package io.quotaenforcer.enforcer.topology;

import static io.quotaenforcer.enforcer.topology.DeferralSamples.KEY;
import static io.quotaenforcer.enforcer.topology.DeferralSamples.MANY;
import static io.quotaenforcer.enforcer.topology.DeferralSamples.RULE;
import static io.quotaenforcer.enforcer.topology.DeferralSamples.SECOND;
import static io.quotaenforcer.enforcer.topology.DeferralSamples.SERVICE;
import static io.quotaenforcer.enforcer.topology.DeferralSamples.deferring;
import static io.quotaenforcer.enforcer.topology.DeferralSamples.payload;
import static io.quotaenforcer.enforcer.topology.DeferralSamples.request;
import static io.quotaenforcer.enforcer.topology.TopologyFixture.key;
import static io.quotaenforcer.enforcer.topology.TopologyFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.message.DeferralAnswer;
import io.quotaenforcer.core.message.DeferralAnswer.Verdict;
import io.quotaenforcer.core.message.DeferralInput;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.core.rule.OverLimit.Defer;
import io.quotaenforcer.core.rule.OverLimit.OnDelete;
import io.quotaenforcer.core.rule.OverLimit.Release;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
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
  @TempDir Path folder;

  /** As with ids that each user counts from 1. */
  @Test
  void requestsOfOneId_ofTwoQuotaKeys_areEachReleasedOnce() {
    QuotaKey bob = key(RULE, "bob");
    try (TopologyFixture topology = new TopologyFixture(folder, RULE)) {
      topology.tell(request("17", KEY));
      topology.tell(request("17", bob));
      topology.tell(request("17", bob));
      topology.run(Duration.ofSeconds(1));

      assertThat(topology.replays())
          .extracting(Replay::quotaKey)
          .containsExactlyInAnyOrder(KEY, bob);
      assertThat(topology.deferralAnswers())
          .extracting(DeferralAnswer::quotaKey)
          .containsExactly(KEY.toString(), bob.toString(), bob.toString());
      topology.tell(new DeferralInput.ReplayResult("17", bob, true, "", 1, 0));
      topology.tell(new DeferralInput.ReplayResult("17", KEY, false, "gone", 1, 0));

      assertThat(topology.deadLetters()).containsExactly("not run after 1 attempts: gone");
    }
  }

  @Test
  void requestOfOneId_isCancelledForItsQuotaKeyOnly() {
    QuotaKey bob = key(RULE, "bob");
    try (TopologyFixture topology = new TopologyFixture(folder, RULE)) {
      topology.tell(request("17", bob));
      topology.tell(request("17", KEY));
      topology.tell(new DeferralInput.Cancel("17", KEY, "by hand"));
      topology.run(Duration.ofSeconds(1));

      assertThat(topology.replays()).extracting(Replay::quotaKey).containsExactly(bob);
      assertThat(topology.deadLetters()).containsExactly("cancelled: by hand");
    }
  }

  /** The service that ran it first was slow to say that it could not. */
  @Test
  void resultOfARelease_thatComesAfterTheRequestWasRedriven_settlesNothing() {
    try (TopologyFixture topology = new TopologyFixture(folder, RULE)) {
      topology.tell(request("a", KEY));
      topology.run(Duration.ofSeconds(1));
      Replay first = topology.replays().get(0);
      topology.tell(failed(first));
      topology.redrive(request("a", KEY));
      topology.run(Duration.ofSeconds(1));
      Replay second = topology.replays().get(0);
      assertThat(second.release()).isNotEqualTo(first.release()).isNotZero();
      assertThat(topology.deadLetters()).hasSize(1);

      topology.tell(failed(first));
      assertThat(topology.deadLetters()).isEmpty();
      topology.tell(failed(second));
      assertThat(topology.deadLetters()).hasSize(1);
    }
  }

  @Test
  void releaseThatIsAskedAbout_isUnacknowledged_untilItsResultCame() {
    try (TopologyFixture topology = new TopologyFixture(folder, RULE)) {
      topology.tell(request("a", KEY));
      topology.run(Duration.ofSeconds(1));
      Replay first = topology.replays().get(0);
      topology.tell(question(first));
      topology.tell(failed(first));
      topology.tell(question(first));
      topology.redrive(request("a", KEY));
      topology.run(Duration.ofSeconds(1));
      Replay second = topology.replays().get(0);
      topology.tell(question(first));
      topology.tell(question(second));
      topology.run(Duration.ofSeconds(1));

      assertThat(topology.deferralAnswers())
          .filteredOn(answer -> answer.release() != 0)
          .extracting(DeferralAnswer::release, DeferralAnswer::verdict)
          .containsExactly(
              tuple(first.release(), Verdict.ACCEPTED),
              tuple(first.release(), Verdict.UNKNOWN),
              tuple(first.release(), Verdict.UNKNOWN),
              tuple(second.release(), Verdict.ACCEPTED));
    }
  }

  private static DeferralInput question(Replay replay) {
    return new DeferralInput.Inquiry(
        replay.id(), replay.quotaKey(), replay.deferredMillis(), SERVICE, replay.release());
  }

  private static DeferralInput failed(Replay replay) {
    return new DeferralInput.ReplayResult(
        replay.id(), replay.quotaKey(), false, "gone", 1, replay.release());
  }

  @Test
  void deferredRequest_isAnsweredOnceItIsCommitted_andReleasedForPermits() {
    try (TopologyFixture topology = new TopologyFixture(folder, RULE)) {
      topology.tell(request("a"));
      assertThat(topology.deferralAnswers()).as("before the commit").isEmpty();

      topology.run(Duration.ofSeconds(1));

      assertThat(topology.deferralAnswers())
          .containsExactly(
              new DeferralAnswer("service", 7, "a", KEY.toString(), Verdict.ACCEPTED, "", 0, 1));
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

      topology.tell(new DeferralInput.ReplayResult("r1", KEY, true, "", 1, 0));
      topology.tell(new DeferralInput.ReplayResult("r1", KEY, true, "", 1, 0));
      topology.run(Duration.ofSeconds(1));
      assertThat(topology.replays()).extracting(Replay::id).containsExactly("r2");

      topology.tell(new DeferralInput.ReplayResult("r0", KEY, false, "no such account", 3, 0));
      topology.tell(new DeferralInput.ReplayResult("r0", KEY, false, "no such account", 3, 0));
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
      topology.tell(new DeferralInput.ReplayResult("a", KEY, true, "", 1, 0));
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
  void limitThatIsRaised_endsTheWaitOfAQueueThatWasPutAway() {
    Rule rule = deferring(new FixedWindow(1, 3_600 * SECOND), MANY);
    try (TopologyFixture topology = new TopologyFixture(folder, rule)) {
      topology.tell(request("a"));
      topology.tell(request("b"));
      topology.run(Duration.ofSeconds(2));
      assertThat(topology.replays()).hasSize(1);

      Rule raised = rule.withLimit(new FixedWindow(10_000, 3_600 * SECOND)).withVersion(2, 1);
      topology.rules.post(RuleSet.of(List.of(raised)));
      topology.run(Duration.ofSeconds(3));

      assertThat(topology.replays()).extracting(Replay::id).containsExactly("b");
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
}
