package io.quotaenforcer.core.allotment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaUsage;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PartitionReportTest {
  @Test
  void parts_ofShortKeys_haveFiveHundredEach() {
    PartitionReport report = new PartitionReport(3, 7, usages(1_001, 1, "u", 1));

    assertThat(report.parts())
        .extracting(part -> part.quotas().size())
        .containsExactly(500, 500, 1);
    assertThat(together(report.parts())).isEqualTo(report.quotas());
    assertThat(report.parts()).allMatch(part -> part.partition() == 3 && part.loopNanos() == 7);
  }

  @Test
  void parts_ofLongKeysOrManyCells_areFewer_inOrder() {
    for (List<QuotaUsage> quotas :
        List.of(usages(500, 2, "€".repeat(194), 1), usages(500, 1, "u", 60))) {
      PartitionReport report = new PartitionReport(0, 0, quotas);

      assertThat(report.parts()).hasSizeBetween(5, 20);
      assertThat(together(report.parts())).isEqualTo(quotas);
    }
  }

  @Test
  void parts_ofOneKeyThatIsLarge_areOne() {
    PartitionReport report =
        new PartitionReport(0, 0, usages(2, QuotaKey.MAX_VALUES, "€".repeat(194), 100));

    assertThat(report.parts()).hasSize(1);
    assertThat(new PartitionReport(0, 0, List.of()).parts()).isEmpty();
  }

  private static List<QuotaUsage> together(List<PartitionReport> parts) {
    return parts.stream().flatMap(part -> part.quotas().stream()).toList();
  }

  private static List<QuotaUsage> usages(int number, int attributes, String value, int cells) {
    return IntStream.range(0, number)
        .mapToObj(
            i ->
                new QuotaUsage(
                    QuotaKey.of(
                        new RuleId("shop", "orders"), Collections.nCopies(attributes, value + i)),
                    1,
                    1.5,
                    1,
                    Collections.nCopies(cells, CellUsage.of(1, 1).withGranted(1).withTaken(1))))
        .toList();
  }
}
