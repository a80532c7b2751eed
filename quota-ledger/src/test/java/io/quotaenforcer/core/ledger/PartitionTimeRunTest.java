package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.MILLI;
import static io.quotaenforcer.core.ledger.TestLedger.SETTINGS;
import static io.quotaenforcer.core.ledger.TestLedger.START;
import static io.quotaenforcer.core.ledger.TestLedger.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.ledger.PartitionTime.Kept;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * One enforcer of a partition after the other, with clocks that differ as much as they may,
 * crashing and handing over between any two transactions: what is answered never goes back in time.
 */
class PartitionTimeRunTest {
  private static final long SKEW = SETTINGS.maxClockSkewNanos();
  private static final int STEPS = 300;

  private static final class Run {
    private final SplittableRandom random;
    private PartitionTime time = new PartitionTime(SETTINGS, Optional.empty());
    private Optional<Kept> committed = Optional.empty();
    private Optional<Kept> pending = Optional.empty();
    private long commit = 1;
    private long trueTime = START;
    private long offset;
    private long answered = Long.MIN_VALUE;
    private long answeredByPredecessors = Long.MIN_VALUE;
    private long answeredInThisTurn = Long.MIN_VALUE;
    private long answeredInCrashedTurns = Long.MIN_VALUE;
    private long tenure;
    private int answers;
    private long stepNanos = 60 * MILLI;
    private long transactionBegan = START;

    Run(SplittableRandom random) {
      this.random = random;
      this.offset = offset();
    }

    private long offset() {
      return random.nextLong(SKEW + 1);
    }

    void step(boolean enforcersChange) {
      trueTime += random.nextLong(stepNanos);
      int which = random.nextInt(40);
      if (which == 0 && enforcersChange) {
        successor(Optional.empty());
      } else if (which == 1 && enforcersChange) {
        Optional<Kept> last = time.handOver();
        assertThat(time.mayAnswer(commit)).as("after it handed over").isFalse();
        successor(last);
      } else {
        turn();
      }
    }

    private void turn() {
      long now = time.now(trueTime + offset);
      time.toKeep(commit).ifPresent(kept -> pending = Optional.of(kept));
      if (time.mayAnswer(commit)) {
        answers++;
        assertThat(now).as("never back").isGreaterThanOrEqualTo(answered);
        assertThat(committed.orElseThrow().aheadNanos())
            .as("a committed time lies ahead of it")
            .isGreaterThanOrEqualTo(now);
        answered = now;
        answeredInThisTurn = now;
        Tenure own = time.tenure(commit);
        if (answeredByPredecessors > Long.MIN_VALUE) {
          assertThat(own.predecessorsLatestNanos()).isGreaterThanOrEqualTo(answeredByPredecessors);
          assertThat(now).isGreaterThan(answeredByPredecessors);
        }
        if (answeredInCrashedTurns > Long.MIN_VALUE) {
          assertThat(own.predecessorsUntilNanos())
              .as("leases of those that crashed")
              .isGreaterThanOrEqualTo(answeredInCrashedTurns + TTL);
        }
      }
      if (random.nextInt(3) == 0) {
        time.toKeepAtEnd(commit).ifPresent(kept -> pending = Optional.of(kept));
        committed = pending.isPresent() ? pending : committed;
        pending = Optional.empty();
        commit++;
        time.committed(trueTime - transactionBegan);
        transactionBegan = trueTime;
      }
    }

    /**
     * @param handedOver what the one before kept as its last; empty after a crash, of which nothing
     *     but what was committed is left
     */
    private void successor(Optional<Kept> handedOver) {
      committed = handedOver.isPresent() ? handedOver : committed;
      pending = Optional.empty();
      commit++;
      answeredByPredecessors = Math.max(answeredByPredecessors, answered);
      if (handedOver.isEmpty()) {
        answeredInCrashedTurns = Math.max(answeredInCrashedTurns, answeredInThisTurn);
      }
      answeredInThisTurn = Long.MIN_VALUE;
      time = new PartitionTime(SETTINGS, committed);
      offset = offset();
      Tenure next = time.tenure(commit);
      if (committed.isPresent()) {
        assertThat(next.number()).isEqualTo(committed.get().tenure() + 1);
        assertThat(next.number()).isGreaterThanOrEqualTo(tenure);
        tenure = next.number();
        boolean recorded = committed.get().handedOver();
        assertThat(next.recordedSince() == next.number())
            .as("what was before is recorded only if it was handed over")
            .isEqualTo(!recorded);
      }
    }
  }

  @Test
  void anyEnforcers_answersNeverGoBackInTime_andNeverBeyondWhatIsCommitted() {
    int[] answers = new int[1];
    Seeded.check(
        300,
        random -> {
          Run run = new Run(random);
          for (int i = 0; i < STEPS; i++) {
            run.step(true);
          }
          answers[0] += run.answers;
        });
    assertThat(answers[0]).as("answers, or nothing was tested").isGreaterThan(300 * STEPS / 10);
  }

  /** One that goes on answers nearly always, however its transactions fall. */
  @Test
  void oneEnforcer_transactionsOftenEnough_answersNearlyAlways() {
    Seeded.check(
        100,
        random -> {
          Run run = new Run(random);
          for (int i = 0; i < STEPS; i++) {
            run.step(false);
          }
          assertThat(run.answers).isGreaterThan(STEPS * 7 / 10);
        });
  }

  /** Transactions of seconds, as of an enforcer that is behind, or whose brokers are slow. */
  @Test
  void oneEnforcer_transactionsThatTakeLong_goesOnAnswering() {
    Seeded.check(
        100,
        random -> {
          Run run = new Run(random);
          run.stepNanos = 600 * MILLI;
          for (int i = 0; i < STEPS; i++) {
            run.step(false);
          }
          assertThat(run.answers).isGreaterThan(STEPS * 7 / 10);
        });
  }

  /** Time follows the clock of who reads it, but for what a predecessor's was ahead. */
  @Test
  void anyEnforcers_timeStaysNearTrueTime() {
    Seeded.check(
        200,
        random -> {
          Run run = new Run(random);
          for (int i = 0; i < STEPS; i++) {
            run.step(true);
            long now = run.time.now(run.trueTime + run.offset);
            assertThat(now - run.trueTime)
                .as("step %d", i)
                .isBetween(0L, SKEW + SETTINGS.mostAheadNanos() + 1);
          }
        });
  }
}
