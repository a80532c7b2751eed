package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.lab.limits.LimitKind;
import io.quotaenforcer.lab.outage.Fault;
import io.quotaenforcer.lab.outage.Outage;
import io.quotaenforcer.lab.outage.OutageRow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A short form of {@code quota bench outage}. {@link FailoverIT} kills one of two enforcers. */
@Tag("alone")
@Timeout(1440)
class OutageIT {
  private static final Duration WATCHED = Duration.ofSeconds(12);
  private static final int WARM_UP_SECONDS = 10;

  /**
   * The least part of the limit that is admitted once something is granted again: far less than on
   * an idle machine.
   */
  private static final double LEAST_AFTER_PCT = 10;

  @TempDir Path folder;

  @Test
  void strictLimits_enforcersAway_areNeverOverAndGrantedAgain() throws Exception {
    Outage outage =
        new Outage(
            List.of(Fault.ENFORCERS_AWAY),
            List.of(LimitKind.FIXED_WINDOW, LimitKind.TOKEN_BUCKET, LimitKind.SLIDING_WINDOW),
            Outage.TERM,
            WATCHED,
            WARM_UP_SECONDS);

    List<OutageRow> rows = outage.run(folder, line -> System.out.println("outage: " + line));

    System.out.println("outage: " + OutageRow.HEADER);
    rows.forEach(row -> System.out.println("outage: " + row.line()));
    assertThat(rows)
        .hasSize(9)
        .allSatisfy(row -> assertThat(row.overPct()).as(row.name()).isZero())
        .allSatisfy(row -> assertThat(row.grantSeconds()).as(row.name()).isNotNull())
        .allSatisfy(
            row -> assertThat(row.afterPct()).as(row.name()).isGreaterThan(LEAST_AFTER_PCT));
  }
}
