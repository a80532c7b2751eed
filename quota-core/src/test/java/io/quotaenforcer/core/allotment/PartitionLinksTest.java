package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.OFFSET;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.START;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import org.junit.jupiter.api.Test;

/** One link for all partitions until their number is known, then one of each. */
class PartitionLinksTest {
  private static final QuotaKey KEY = key("rule", "42");

  private final PartitionLinks links = new PartitionLinks(BookSettings.defaults(), OFFSET);

  @Test
  void numberNotKnown_aReportThatCouldNotLeave_countsAsUnanswered_untilItIs() {
    PartitionLink first = links.of(KEY);
    assertThat(links.isUnassigned(first)).isTrue();
    assertThat(links.partitionOf(KEY)).isEqualTo(-1);
    assertThat(links.count()).isZero();
    links.couldNotSend(START);
    assertThat(first.isAwayAt(START + SECOND)).isTrue();

    assertThat(links.assign(3, START + SECOND)).isTrue();
    assertThat(first.isAwayAt(START + SECOND)).isFalse();
    assertThat(first.toEnforcer(START)).isEqualTo(START + OFFSET);
  }

  @Test
  void numberKnown_eachPartitionHasALink_andItStays() {
    links.assign(3, START);
    assertThat(links.count()).isEqualTo(3);
    PartitionLink of = links.of(KEY);
    assertThat(links.isUnassigned(of)).isFalse();
    assertThat(links.get(links.partitionOf(KEY))).isSameAs(of);
    assertThat(of.toEnforcer(START)).isEqualTo(START + OFFSET);

    assertThat(links.assign(5, START)).isFalse();
    assertThat(links.of(KEY)).isSameAs(of);
  }

  @Test
  void away_andUnanswered_areOfAllPartitions() {
    links.assign(3, START);
    links.get(0).sent(START);
    links.get(2).sent(START + 100 * MILLI);
    assertThat(links.unansweredNanos(START + SECOND)).isEqualTo(SECOND);
    assertThat(links.awayAt(START + SECOND)).isEqualTo(1);
    assertThat(links.awayAt(START + SECOND + 100 * MILLI)).isEqualTo(2);
  }

  @Test
  void cycle_isAReportIntervalAndALoop_onceThatIsKnown() {
    links.assign(1, START);
    assertThat(links.cycleNanos(0)).isZero();
    links.get(0).answered(START, START + OFFSET, START + 30 * MILLI);
    assertThat(links.cycleNanos(0)).isEqualTo(50 * MILLI);
  }

  @Test
  void timeStoodStill_isSoForEachPartition() {
    links.assign(2, START);
    for (int i = 0; i < 2; i++) {
      links.get(i).answered(START, START + OFFSET, START);
    }
    links.stoodStill(40 * SECOND);
    for (int i = 0; i < 2; i++) {
      assertThat(links.get(i).toEnforcer(START)).isLessThan(START + OFFSET - 39 * SECOND);
    }
  }
}
