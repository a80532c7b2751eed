package io.quotaenforcer.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.message.RequestCost;
import org.junit.jupiter.api.Test;

class CountedDemandTest {
  private static final double SECOND = 1e9;
  private static final RequestCost HUNDRED = new RequestCost(100, 100);

  @Test
  void perSecond_oneRequestInTwoSeconds_isHalfARequestASecond() {
    assertThat(CountedDemand.perSecond(7.7, 1, RequestCost.ONE, 2 * SECOND)).isEqualTo(0.5);
  }

  @Test
  void perSecond_soonAfterTheReportBefore_isAsMeasured() {
    assertThat(CountedDemand.perSecond(7.7, 0, RequestCost.ONE, SECOND / 20)).isEqualTo(7.7);
  }

  @Test
  void perSecond_demandThatEnded_isAsMeasured() {
    assertThat(CountedDemand.perSecond(0, 500, RequestCost.ONE, SECOND)).isZero();
    assertThat(CountedDemand.perSecond(0, 1, RequestCost.ONE, SECOND)).isZero();
    assertThat(CountedDemand.perSecond(20, 500, RequestCost.ONE, SECOND)).isEqualTo(20);
  }

  @Test
  void perSecond_fewRequestsInAPauseOfOneWhoHasMany_isAsMeasured() {
    assertThat(CountedDemand.perSecond(500, 20, RequestCost.ONE, 0.3 * SECOND)).isEqualTo(500);
    assertThat(CountedDemand.perSecond(40, 1, RequestCost.ONE, 0.3 * SECOND)).isLessThan(4);
  }

  /** A fall from 500 to 400 a second is one by chance where a request costs 100. */
  @Test
  void perSecond_ofCostlyRequests_isLikeThatOfAsManyCheapOnes() {
    assertThat(CountedDemand.perSecond(50_000, 2_000, HUNDRED, 0.3 * SECOND)).isEqualTo(50_000);
    assertThat(CountedDemand.perSecond(770, 100, HUNDRED, 2 * SECOND)).isEqualTo(50);
    assertThat(CountedDemand.perSecond(500, 120, RequestCost.ONE, 0.3 * SECOND)).isEqualTo(400);
    assertThat(CountedDemand.perSecond(500, 40, RequestCost.ONE, 0.3 * SECOND)).isEqualTo(500);
    assertThat(CountedDemand.perSecond(500, 40, HUNDRED, 0.3 * SECOND)).isLessThan(134);
  }

  @Test
  void perSecond_steadyDemand_isWhatWasCounted() {
    assertThat(CountedDemand.perSecond(118, 25, RequestCost.ONE, SECOND / 4)).isEqualTo(100);
    assertThat(CountedDemand.perSecond(118, 20, RequestCost.ONE, SECOND / 5)).isEqualTo(100);
  }
}
