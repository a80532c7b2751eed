package io.quotaenforcer.bench.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The input of the benchmark, read back. */
class ReportersTest {
  private static final int KEYS = 50;
  private static final int PARTITIONS = 4;

  private final Wire wire = Wire.of(Topics.under("quota.", PARTITIONS, Codecs.withoutRegistry()));
  private final List<UsageReport> reports = new ArrayList<>();
  private final ReportingFleet.Outlet outlet = this::receive;

  @Test
  void fleet_onceSettled_hasReportedEveryPermitThatItTook() {
    ReportingFleet fleet = fleet(Load.UNIFORM);
    fleet.begin();
    for (int round = 0; round < 20; round++) {
      fleet.round(outlet);
    }
    fleet.settle(outlet);

    assertThat(fleet.permits()).isPositive();
    assertThat(used()).isEqualTo(fleet.permits());
    assertThat(fleet.reports()).isEqualTo(reports.size());
  }

  @Test
  void fleet_thatSettlesSoon_countsOnlyWhatItReported() {
    ReportingFleet fleet = fleet(Load.UNIFORM);
    fleet.begin();
    fleet.settle(outlet);

    assertThat(fleet.permits()).isEqualTo(used());
  }

  @Test
  void fleet_thatHasBegun_reportsOneCellOfNearlyEachKey() {
    ReportingFleet fleet = fleet(Load.UNIFORM);
    fleet.begin();
    for (int round = 0; round < 20; round++) {
      fleet.round(outlet);
    }

    long keys = reports.stream().mapToLong(report -> report.quotas().size()).sum();
    assertThat(keys).isPositive();
    assertThat(fleet.updates()).isBetween(keys, keys + keys / 20);
  }

  @Test
  void instanceWithoutRequests_isNearlySilent() {
    ReportingFleet fleet = fleet(Load.UNIFORM);
    for (int i = 0; i < 50; i++) {
      fleet.round(outlet);
    }
    // An interval between reports is 20 ms.
    fleet.rest(5 * 50, outlet);
    long busy = fleet.reports();

    fleet.rest(60 * 50, outlet);

    assertThat((fleet.reports() - busy) / 60.0 / 2).isLessThan(2);
  }

  @Test
  void hotKey_isNineOfTen() {
    SplittableRandom random = new SplittableRandom(1);
    long hot =
        IntStream.range(0, 10_000)
            .filter(i -> Load.ONE_HOT_KEY.key(random, 1_000_000) == 0)
            .count();
    assertThat(hot).isBetween(8_800L, 9_200L);
  }

  private ReportingFleet fleet(Load load) {
    return new ReportingFleet(
        wire, CountedRule.rule(), new TopologyScale(KEYS, 2, 1, 1, 1), load, 1_000_000_000L);
  }

  private void receive(int partition, byte[] record) {
    UsageReport report = wire.decodeReport(record);
    assertThat(report.quotas())
        .allMatch(usage -> usage.quotaKey().partition(PARTITIONS) == partition);
    reports.add(report);
  }

  /** The newest report of each cell counts. */
  private long used() {
    Map<String, Long> newest = new HashMap<>();
    for (UsageReport report : reports) {
      for (QuotaUsage usage : report.quotas()) {
        for (CellUsage cell : usage.cells()) {
          newest.put(
              report.instance() + " " + usage.quotaKey() + " " + cell.id(),
              cell.taken() - cell.putBack() - cell.givenBack());
        }
      }
    }
    return newest.values().stream().mapToLong(Long::longValue).sum();
  }
}
