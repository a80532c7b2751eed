package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.balanced;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.QuotaUsage;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Traces that the costliest requests leave in an instance's reports. */
class HugeCostsTest {
  private static final Limit LIMIT = new FixedWindow(10, 10 * SECOND);

  private final TestBook client = new TestBook(balanced(LIMIT));

  private static QuotaUsage nextReport(TestBook book) {
    for (int i = 0; i < 10_000; i++) {
      book.passes(book.settings.urgentIntervalNanos());
      List<QuotaUsage> usages = book.reports();
      if (!usages.isEmpty()) {
        return usages.get(0);
      }
    }
    throw new AssertionError("must be reported");
  }

  @Test
  void decide_costlyRequestsRefusedWithoutEnd_areReportedWithinBounds() {
    assertThat(client.admits()).isTrue();
    for (int i = 0; i < 2_000; i++) {
      assertThat(client.decide("42", PermitCount.MAX_COST).admitted()).isFalse();
    }

    QuotaUsage usage = nextReport(client);

    assertThat(usage.cells().get(0).used()).isOne();
    assertThat(usage.cells().get(0).throttled()).isEqualTo(PermitCount.MAX_REPORTED);
    assertThat(usage.demandPerSecond()).isBetween(0.0, (double) PermitCount.MAX_REPORTED);
  }

  @Test
  void charge_settledBeyondAnyLimit_isRefusedAndStillOpen() {
    Charge charge = client.charge(2);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> charge.settle(PermitCount.MAX_COST + 1, client.now))
        .withMessage("must be <= 1000000000000: actual=1000000000001");
    assertThat(charge.settle(1, client.now)).isTrue();
    assertThat(nextReport(client).cells().get(0).used()).isOne();
  }

  @Test
  void debt_owedWithoutEnd_staysWithinTheBound() {
    Debt debt = new Debt();
    debt.add(5);
    debt.add(Long.MAX_VALUE);

    assertThat(debt.owed()).isEqualTo(PermitCount.MAX_SUM);
  }

  @Test
  void toReport_manyThatWaitForMuch_isWhatCanBeReported() {
    UnmetDemand unmet = new UnmetDemand(SECOND);
    for (int i = 0; i < 2_000; i++) {
      unmet.await(PermitCount.MAX_COST);
    }

    assertThat(unmet.toReport(null, false, 0, 10, client.now).permits())
        .isEqualTo(PermitCount.MAX_REPORTED);
  }

  @Test
  void endWorn_ofACellThatIsTakenFromWithoutEnd_makesRoomForAnother() {
    HeldCells cells = new HeldCells();
    CountingCell counting = new CountingCell(-1, 0);
    synchronized (cells) {
      cells.open(counting, 0);
      cells.endWorn(1);
      assertThat(cells.opened()).isSameAs(counting);

      counting.tryTake(PermitCount.MAX_SUM, 1);
      cells.endWorn(2);

      assertThat(cells.opened()).isNull();
      assertThat(cells.usages(3, 3).get(0).used()).isEqualTo(PermitCount.MAX_SUM);
    }
  }
}
