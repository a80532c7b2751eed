package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.balanced;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.RequestCost;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestCostsTest {
  private final RequestCosts costs = new RequestCosts(0, 0);
  private long now;

  private void sees(long cost) {
    now += MILLI;
    costs.saw(cost, now);
  }

  @Test
  void cost_ofNoRequest_isOne() {
    assertThat(costs.cost()).isEqualTo(RequestCost.ONE);
  }

  @Test
  void requests_inTheSameMillisecond_areNotedOnce() {
    costs.saw(20, MILLI);
    costs.saw(1_000, 2 * MILLI - 1);
    assertThat(costs.cost()).isEqualTo(new RequestCost(20, 20));
  }

  /** After many that cost 1, one that costs 600 is what comes next hardly ever. */
  @Test
  void oneCostlyRequest_afterManyCheapOnes_isNoneToReckonWith() {
    RequestCosts rare = new RequestCosts(1_000_000, 0);
    rare.saw(600, MILLI);

    assertThat(rare.cost().mean()).isEqualTo(1);
    assertThat(rare.cost().typical()).isEqualTo(78);
  }

  @Test
  void typical_ofRequestsThatCostTheSame_isThat() {
    for (int i = 0; i < 10_000; i++) {
      sees(20);
      assertThat(costs.cost().typical()).isEqualTo(20);
      assertThat(costs.cost().mean()).isEqualTo(20);
    }
  }

  @Test
  void typical_ofTheCostliest_isWithinBounds() {
    for (int i = 0; i < 100_000; i++) {
      sees(PermitCount.MAX_COST);
    }
    assertThat(costs.cost().typical()).isEqualTo(PermitCount.MAX_COST);
  }

  /** 100 permits in requests of 1 and 100 in one of 100: half of the permits cost 1, half 100. */
  @Test
  void typical_isTheMeanOverPermits_notOverRequests() {
    for (int i = 0; i < 100_000; i++) {
      sees(i % 101 == 0 ? 100 : 1);
    }
    assertThat((double) costs.cost().typical()).isCloseTo(50.5, within(2.0));
    assertThat(costs.cost().mean()).isEqualTo(2);
  }

  @Test
  void typical_followsRequestsThatBecomeCheaper() {
    for (int i = 0; i < 1_000; i++) {
      sees(100);
    }
    for (int i = 0; i < 50_000; i++) {
      sees(1);
    }
    assertThat(costs.cost().typical()).isLessThan(3);
  }

  @Test
  void requestsOfLongAgo_areForgottenByTimeToo() {
    for (int i = 0; i < 1_000; i++) {
      sees(1_000);
    }
    for (int i = 0; i < 1_200; i++) {
      now += 500 * MILLI - MILLI;
      sees(1);
    }
    assertThat(costs.cost()).isEqualTo(RequestCost.ONE);
  }

  @Test
  void report_namesTheTypicalCost_ofAdmittedAndRefusedRequests_butOfNoneBeyondTheLimit() {
    assertThat(reported(1, 1, 1)).isOne();
    assertThat(reported(20)).as("the first request").isEqualTo(20);
    assertThat(reported(40, 40, 40)).as("the last one is refused").isEqualTo(40);
    assertThat(reported(1, 30)).isEqualTo(29);
    assertThat(reported(10, 20)).isEqualTo(17);
    assertThat(reported(20, 101)).isEqualTo(20);
  }

  private static long reported(long... asked) {
    TestBook client = new TestBook(balanced(new FixedWindow(100, 10 * SECOND)));
    for (long cost : asked) {
      client.decide("42", cost);
      client.passes(2 * MILLI);
    }
    client.passes(100 * MILLI);
    List<QuotaUsage> usages = client.reports();
    return usages.get(0).need().cost().typical();
  }
}
