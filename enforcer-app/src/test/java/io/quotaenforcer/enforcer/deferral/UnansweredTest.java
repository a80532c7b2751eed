package io.quotaenforcer.enforcer.deferral;

import static io.quotaenforcer.enforcer.deferral.QueueLoop.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.OverLimit.Defer;
import io.quotaenforcer.core.rule.OverLimit.OnDelete;
import io.quotaenforcer.core.rule.OverLimit.Release;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.schemas.topic.Topics;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Replays that nobody answers, in a queue that lets out two without an answer. */
class UnansweredTest {
  private static final Duration KEPT = Topics.REPLAYS_KEPT;
  private static final Rule RULE =
      Rule.of(new RuleId("test", "deferring"), List.of("user"), new FixedWindow(10, SECOND))
          .withEnforcement(Enforcement.STRICT)
          .withOverLimit(
              new Defer(2_000, Release.AS_QUOTA_FREES, 10_000, 64L << 20, 2, OnDelete.RELEASE))
          .withVersion(1, 1);

  private final QueueLoop loop = new QueueLoop(RULE);

  @AfterEach
  void close() {
    loop.close();
  }

  private List<String> released() {
    return loop.released.stream().map(Replay::id).toList();
  }

  private void releasesTwoThatNobodyRuns() {
    loop.serviceRuns = false;
    loop.defer("ann", 5);
    loop.passes(5 * SECOND);
    assertThat(released()).containsExactly("0", "1");
  }

  @Test
  void replays_thatTheirTopicMayStillHold_areWaitedFor() {
    releasesTwoThatNobodyRuns();

    loop.jumps(KEPT.minusDays(1));

    assertThat(loop.deadLetters).isEmpty();
    loop.acknowledge(loop.released.get(0));
    loop.passes(2 * SECOND);
    assertThat(released()).containsExactly("0", "1", "2");
  }

  @Test
  void replays_thatTheirTopicHasForgotten_becomeDeadLettersOnce_andOthersAreReleased() {
    releasesTwoThatNobodyRuns();

    loop.jumps(KEPT.plusDays(2));
    loop.passes(5 * SECOND);

    String reason = "no service has answered in the 46 days since it was released";
    assertThat(loop.deadLetters).containsExactly("0: " + reason, "1: " + reason);
    assertThat(released()).containsExactly("0", "1", "2", "3");

    loop.acknowledge(loop.released.get(0));
    loop.passes(2 * SECOND);
    assertThat(released()).as("an answer that comes too late frees nothing").hasSize(4);
    loop.jumps(KEPT.plusDays(2));
    assertThat(loop.deadLetters).hasSize(4);
  }

  @Test
  void replays_thatWereAnswered_areNotGivenUp_whateverOthersAre() {
    loop.defer("ann", 3);
    loop.passes(5 * SECOND);
    loop.jumps(Duration.ofDays(1));
    loop.serviceRuns = false;
    loop.defer("bob", 1);
    loop.passes(2 * SECOND);
    assertThat(released()).hasSize(4);

    loop.jumps(KEPT.plusDays(2));

    assertThat(loop.deadLetters).hasSize(1);
  }
}
