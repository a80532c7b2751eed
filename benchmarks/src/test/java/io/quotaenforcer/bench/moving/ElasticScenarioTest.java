package io.quotaenforcer.bench.moving;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.bench.moving.scenario.ElasticLoad;
import io.quotaenforcer.bench.moving.scenario.ElasticRow;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.lab.limits.LimitKind;
import org.junit.jupiter.api.Test;

class ElasticScenarioTest {
  @Test
  void poolThatIsShort_servesWhoIsWithinTheLimit_andLendsTheRest() {
    ElasticRow row =
        new ElasticScenario(new ElasticLoad(LimitKind.FIXED_WINDOW, Enforcement.STRICT, 0.8), 7)
            .run();

    assertThat(row.within()).as("%s", row).isGreaterThanOrEqualTo(0.999);
    assertThat(row.least()).as("%s", row).isGreaterThan(1.5 * row.ownLimit());
    assertThat(row.most() - row.least()).as("%s", row).isLessThan(0.15);
    assertThat(row.used()).as("%s", row).isGreaterThanOrEqualTo(0.97);
    assertThat(row.over()).as("%s", row).isZero();
    assertThat(row.toString()).startsWith("fixed-window").contains("strict");
  }

  /** It is known of the kind only that its users are served: that was not so once. */
  @Test
  void bucketThatIsRefilledAtLongIntervals_servesWhoIsWithinTheLimit() {
    ElasticRow row =
        new ElasticScenario(
                new ElasticLoad(LimitKind.INTERVAL_BUCKET, Enforcement.BALANCED, 1.2), 7)
            .run();

    assertThat(row.within()).as("%s", row).isGreaterThanOrEqualTo(0.999);
    assertThat(row.over()).as("%s", row).isZero();
  }
}
