package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ThreadCommitsTest {
  private static final long MILLI = 1_000_000L;

  private final ThreadCommits commits = new ThreadCommits(0);

  @Test
  void nextDue_isAsLongAfterACommitAsThatTook() {
    commits.begin(100 * MILLI);
    assertThat(commits.end(112 * MILLI, 0)).isEqualTo(12 * MILLI);
    assertThat(commits.isNextDue(124 * MILLI - 1)).isFalse();
    assertThat(commits.isNextDue(124 * MILLI)).isTrue();
  }

  @Test
  void nextDue_isNeverSoonerThanFiveNorLaterThanTwentyMillis() {
    assertThat(commits.isNextDue(5 * MILLI - 1)).isFalse();
    assertThat(commits.isNextDue(5 * MILLI)).isTrue();
    commits.begin(100 * MILLI);
    commits.end(400 * MILLI, 0);
    assertThat(commits.isNextDue(420 * MILLI - 1)).isFalse();
    assertThat(commits.isNextDue(420 * MILLI)).isTrue();
  }

  @Test
  void transaction_tookAsLongAsItsFirstRecordWaited() {
    commits.begin(100 * MILLI);
    commits.end(112 * MILLI, 90 * MILLI);
    assertThat(commits.transactionNanos()).isEqualTo(90 * MILLI);
    commits.begin(200 * MILLI);
    commits.end(212 * MILLI, 0);
    assertThat(commits.transactionNanos()).isEqualTo(12 * MILLI);
  }

  @Test
  void commit_afterOneThatWasGivenUp_isTimedFromItsOwnBeginning() {
    commits.begin(100 * MILLI);
    commits.begin(900 * MILLI);
    assertThat(commits.end(910 * MILLI, 0)).isEqualTo(10 * MILLI);
    assertThat(commits.count()).isEqualTo(1);
  }
}
