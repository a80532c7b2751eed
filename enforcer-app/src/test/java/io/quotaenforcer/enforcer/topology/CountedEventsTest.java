package io.quotaenforcer.enforcer.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CountedEventsTest {
  private static final int PARTITIONS = 4;
  private static final long EPOCH = 7;

  private final CountedEvents counted = new CountedEvents();

  @Test
  void events_ofOneKeyAndWindow_areOneCellNumberedByTheNewest() {
    counted.add(key("42"), 1, 0, 1, 0, 11);
    counted.add(key("42"), 1, 0, 2, 5, 12);

    assertThat(cells(take()))
        .containsExactly(CellUsage.of(-12, 0).withTaken(3).withThrottled(5).asClosed());
  }

  @Test
  void events_ofTwoWindowsOfAKey_areTwoCellsOfItsOneUsage() {
    counted.add(key("42"), 1, 1_000, 1, 0, 11);
    counted.add(key("42"), 1, 2_000, 1, 0, 12);

    Map<Integer, List<UsageReport>> reports = take();

    assertThat(quotas(reports)).hasSize(1);
    assertThat(cells(reports)).extracting(CellUsage::id).containsExactlyInAnyOrder(-11L, -12L);
  }

  @Test
  void keys_ofLongValues_areReportedInRecordsThatABrokerTakes() {
    Wire wire = Wire.of("quota.", Codecs.withoutRegistry());
    for (int i = 0; i < 100; i++) {
      counted.add(longKey(i), 1, 0, 1, 0, i + 1);
    }

    Map<Integer, List<UsageReport>> reports = counted.take(HolderId.Combiner.of(0), EPOCH, 1);

    assertThat(quotas(reports)).hasSize(100);
    assertThat(reports.get(0))
        .allSatisfy(report -> assertThat(wire.encode(report)).hasSizeLessThan(500_000));
  }

  private static QuotaKey longKey(int number) {
    return QuotaKey.of(
        new RuleId("shop", "orders"), Collections.nCopies(6, "€".repeat(194) + number));
  }

  @Test
  void take_again_givesNothing() {
    counted.add(key("42"), 1, 0, 1, 0, 11);
    take();

    assertThat(counted.isEmpty()).isTrue();
    assertThat(take()).isEmpty();
  }

  @Test
  void keys_areReportedToTheirPartition_inRecordsThatAreNotLarge() {
    for (int user = 0; user < 4_000; user++) {
      counted.add(key("u" + user), 1, 0, 1, 0, user + 1);
    }

    Map<Integer, List<UsageReport>> reports = take();

    assertThat(quotas(reports)).hasSize(4_000);
    reports.forEach(
        (partition, ofPartition) -> {
          assertThat(ofPartition).hasSizeGreaterThan(1);
          for (UsageReport report : ofPartition) {
            assertThat(report.quotas()).hasSizeLessThanOrEqualTo(100);
            assertThat(report.quotas())
                .allMatch(usage -> usage.quotaKey().partition(PARTITIONS) == partition);
          }
        });
  }

  private Map<Integer, List<UsageReport>> take() {
    return counted.take(HolderId.Combiner.of(0), EPOCH, PARTITIONS);
  }

  private static List<QuotaUsage> quotas(Map<Integer, List<UsageReport>> reports) {
    return reports.values().stream()
        .flatMap(List::stream)
        .flatMap(report -> report.quotas().stream())
        .toList();
  }

  private static List<CellUsage> cells(Map<Integer, List<UsageReport>> reports) {
    return quotas(reports).stream().flatMap(usage -> usage.cells().stream()).toList();
  }

  private static QuotaKey key(String user) {
    return QuotaKey.of(new RuleId("d", "r"), List.of(user));
  }
}
