package io.quotaenforcer.core.ledger;

import static io.quotaenforcer.core.ledger.TestLedger.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.ClassDemand;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.message.Need;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.DemandClasses;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a report may say at the most. */
class UsageCheckTest {
  private static final long MOST_COUNTED = 1L << 61;
  private static final long MOST = PermitCount.MAX_REPORTED;
  private static final CellUsage CELL = CellUsage.of(7, START);

  private static QuotaUsage usage(double demand, long needed, CellUsage... cells) {
    return new QuotaUsage(
        QuotaKey.of(new RuleId("test", "rule"), List.of("42")), 1, demand, needed, List.of(cells));
  }

  private static QuotaUsage bounded(String instance, QuotaUsage usage) {
    return UsageCheck.bounded(new UsageReport(instance, 1, START, 0, 0, List.of(usage)), usage);
  }

  private static QuotaUsage bounded(QuotaUsage usage) {
    return bounded("a", usage);
  }

  private static void assertRefused(QuotaUsage usage, String message) {
    assertThatThrownBy(() -> bounded(usage))
        .isInstanceOf(InvalidReportException.class)
        .hasMessageContaining(message);
  }

  @Test
  void counts_thatCanBeAdded_areTaken_largerOnesAreNot() {
    CellUsage most = CELL.withTaken(MOST_COUNTED).withPutBack(MOST_COUNTED - 1).withGivenBack(1);
    assertThat(bounded(usage(0, 0, most)).cells()).containsExactly(most);

    String message = "counts of a cell";
    assertRefused(usage(0, 0, CELL.withTaken(MOST_COUNTED + 1)), message);
    assertRefused(usage(0, 0, most.withPutBack(MOST_COUNTED + 1)), message);
    assertRefused(usage(0, 0, most.withGivenBack(MOST_COUNTED + 1)), message);
    assertRefused(usage(0, 0, CELL.ofShare(-1)), message);
    assertRefused(usage(0, 0, most.withGivenBack(2)), "no more than was taken");
  }

  @Test
  void report_ofAHundredCells_isTaken_oneOfMoreIsNot() {
    CellUsage[] cells = Collections.nCopies(101, CELL).toArray(new CellUsage[0]);
    CellUsage[] fewer = Collections.nCopies(100, CELL).toArray(new CellUsage[0]);

    assertThat(bounded(usage(0, 0, fewer)).cells()).hasSize(100);
    assertRefused(usage(0, 0, cells), "at most 100 cells");
  }

  @Test
  void whatIsAskedForOrRefused_isCutToWhatCanBeCounted() {
    QuotaUsage within = usage(MOST, MOST, CELL.withThrottled(MOST));
    assertThat(bounded(within)).isSameAs(within);
    assertThat(bounded(usage(MOST * 2.0, MOST, CELL.withThrottled(MOST)))).isEqualTo(within);
    assertThat(bounded(usage(MOST, MOST + 1, CELL.withThrottled(MOST)))).isEqualTo(within);
    assertThat(bounded(usage(MOST, MOST, CELL.withThrottled(MOST + 1)))).isEqualTo(within);
    assertThat(bounded(usage(MOST, MOST, CELL.withThrottled(MOST + 1), CELL)).cells())
        .containsExactly(CELL.withThrottled(MOST), CELL);
  }

  private static QuotaUsage ofClasses(int classes, double perSecond) {
    List<ClassDemand> demands = Collections.nCopies(classes, new ClassDemand(perSecond, 0));
    QuotaUsage none = usage(0, 0);
    return new QuotaUsage(none.quotaKey(), 1, 0, Need.NONE, demands, none.cells());
  }

  @Test
  void classes_areRates_ofNoMoreThanARuleCanHave() {
    assertThat(bounded(ofClasses(DemandClasses.MAX, 0)).classes()).hasSize(DemandClasses.MAX);
    assertRefused(ofClasses(DemandClasses.MAX + 1, 0), "rates of at most");
    assertRefused(ofClasses(1, -1), "rates of at most");
    assertRefused(ofClasses(1, Double.NaN), "rates of at most");
  }

  /** Ids that begin with # are ours. */
  @Test
  void holder_isAnInstance_orAQueue() {
    String longest = "x".repeat(HolderId.Instance.MAX_CHARS);
    assertThat(bounded(longest, usage(0, 0))).isNotNull();
    assertThat(bounded(HolderId.Replays.of(3).text(), usage(0, 0))).isNotNull();

    String tooLong = longest + "y";
    assertThatThrownBy(() -> bounded(tooLong, usage(0, 0)))
        .hasMessageContaining("instance=" + "x".repeat(50) + " (201 characters)");
    for (HolderId ours : List.of(HolderId.Unrecorded.ONE, HolderId.Reserved.FOLDED)) {
      assertThatThrownBy(() -> bounded(ours.text(), usage(0, 0)))
          .isInstanceOf(InvalidReportException.class)
          .hasMessageContaining("not begin with #");
    }
  }
}
