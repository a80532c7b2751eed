package io.quotaenforcer.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountedDemandTest {
  private static final double SECOND = 1e9;

  @Test
  void perSecond_oneRequestInTwoSeconds_isHalfARequestASecond() {
    assertThat(CountedDemand.perSecond(7.7, 1, 1, 2 * SECOND)).isEqualTo(0.5);
  }

  @Test
  void perSecond_soonAfterTheReportBefore_isAsMeasured() {
    assertThat(CountedDemand.perSecond(7.7, 0, 1, SECOND / 20)).isEqualTo(7.7);
  }

  @Test
  void perSecond_demandThatEnded_isAsMeasured() {
    assertThat(CountedDemand.perSecond(0, 500, 1, SECOND)).isZero();
    assertThat(CountedDemand.perSecond(0, 1, 1, SECOND)).isZero();
    assertThat(CountedDemand.perSecond(20, 500, 1, SECOND)).isEqualTo(20);
  }

  @Test
  void perSecond_fewRequestsInAPauseOfOneWhoHasMany_isAsMeasured() {
    assertThat(CountedDemand.perSecond(500, 20, 1, 0.3 * SECOND)).isEqualTo(500);
    assertThat(CountedDemand.perSecond(40, 1, 1, 0.3 * SECOND)).isLessThan(4);
  }

  /** A fall from 500 to 400 a second is one by chance where a request costs 100. */
  @Test
  void perSecond_ofCostlyRequests_isLikeThatOfAsManyCheapOnes() {
    assertThat(CountedDemand.perSecond(50_000, 2_000, 100, 0.3 * SECOND)).isEqualTo(50_000);
    assertThat(CountedDemand.perSecond(770, 100, 100, 2 * SECOND)).isEqualTo(50);
    assertThat(CountedDemand.perSecond(500, 120, 1, 0.3 * SECOND)).isEqualTo(400);
    assertThat(CountedDemand.perSecond(500, 40, 1, 0.3 * SECOND)).isEqualTo(500);
    assertThat(CountedDemand.perSecond(500, 40, 100, 0.3 * SECOND)).isLessThan(134);
  }

  @Test
  void perSecond_steadyDemand_isWhatWasCounted() {
    assertThat(CountedDemand.perSecond(118, 25, 1, SECOND / 4)).isEqualTo(100);
    assertThat(CountedDemand.perSecond(118, 20, 1, SECOND / 5)).isEqualTo(100);
  }
}
