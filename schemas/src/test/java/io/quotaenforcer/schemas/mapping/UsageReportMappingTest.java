package io.quotaenforcer.schemas.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.ClassDemand;
import io.quotaenforcer.core.message.Need;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.RequestCost;
import io.quotaenforcer.core.message.UsageReport;
import java.util.List;
import org.junit.jupiter.api.Test;

class UsageReportMappingTest {
  private static final QuotaKey KEY = QuotaKey.parse("shop/orders/42");

  private static UsageReport report(RequestCost cost) {
    QuotaUsage usage =
        new QuotaUsage(
            KEY,
            3,
            12.5,
            new Need(40, 20, cost),
            List.of(new ClassDemand(10, 30), new ClassDemand(2.5, 10)),
            List.of(CellUsage.of(7, 9).withTaken(5)));
    return new UsageReport("a", 1, 2, 3, 4, List.of(usage));
  }

  @Test
  void report_comesBack_withWhatItsRequestsCost() {
    for (RequestCost cost : List.of(RequestCost.ONE, new RequestCost(3, 17))) {
      UsageReport report = report(cost);
      assertThat(UsageReportMapping.fromRecord(UsageReportMapping.toRecord(report)))
          .isEqualTo(report);
    }
  }

  @Test
  void cost_thatNobodyMayTell_isOneThatMayBe() {
    io.quotaenforcer.schemas.QuotaUsage told =
        UsageReportMapping.toRecord(report(new RequestCost(3, 17))).quotas().get(0);
    assertThat(told.meanCost()).isEqualTo(3);
    assertThat(told.typicalCost()).isEqualTo(17);
    assertThat(RequestCost.told(0, 0)).isEqualTo(RequestCost.ONE);
    assertThat(RequestCost.told(Long.MIN_VALUE, Long.MAX_VALUE).mean()).isEqualTo(1);
    assertThat(RequestCost.told(5, 9).atMost(7)).isEqualTo(new RequestCost(5, 7));
    assertThat(RequestCost.told(5, 9).atMost(0)).isEqualTo(RequestCost.ONE);
  }
}
