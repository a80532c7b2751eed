package io.quotaenforcer.core.adapt;

import static io.quotaenforcer.core.adapt.Loads.SECOND;
import static io.quotaenforcer.core.adapt.Loads.signal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

class InstanceLoadsTest {
  private final InstanceLoads loads = new InstanceLoads();

  @Test
  void instances_thatAllSpeak_areMeant() {
    loads.heard("a", signal(LoadQuantity.CPU, 0.2), SECOND);
    loads.heard("b", signal(LoadQuantity.CPU, 0.8), SECOND);

    ServiceLoad load = loads.load(2 * SECOND);

    assertThat(load.mean().value(LoadQuantity.CPU)).hasValueCloseTo(0.5, within(1e-9));
    assertThat(load.isWhole()).isTrue();
  }

  @Test
  void oneInstanceOfThree_thatIsIll_saysNothingOfTheService_butHasItsThroughput() {
    loads.heard("a", signal(LoadQuantity.QUEUE, 2, LoadQuantity.THROUGHPUT, 100), SECOND);
    loads.heard("b", signal(LoadQuantity.QUEUE, 3, LoadQuantity.THROUGHPUT, 100), SECOND);
    loads.heard("c", signal(LoadQuantity.QUEUE, 500, LoadQuantity.THROUGHPUT, 10), SECOND);

    LoadSignal mean = loads.load(2 * SECOND).mean();

    assertThat(mean.value(LoadQuantity.QUEUE)).hasValue(3);
    assertThat(mean.value(LoadQuantity.THROUGHPUT)).hasValue(70);
  }

  @Test
  void quantity_thatOneDoesNotSay_isNotKnown_butLatencyOfOneThatEndedNothing() {
    loads.heard("a", signal(LoadQuantity.CPU, 0.2, LoadQuantity.LATENCY_P99, 5e6), SECOND);
    loads.heard("b", signal(LoadQuantity.QUEUE, 3), SECOND);

    LoadSignal mean = loads.load(2 * SECOND).mean();

    assertThat(mean.value(LoadQuantity.CPU)).isEmpty();
    assertThat(mean.value(LoadQuantity.LATENCY_P99)).hasValue(5e6);
  }

  @Test
  void latency_whereNothingRan_isNone_butWhereRequestsHangUnknown() {
    assertThat(signal(LoadQuantity.IN_FLIGHT, 0).value(LoadQuantity.LATENCY_P99)).hasValue(0);
    assertThat(signal(LoadQuantity.IN_FLIGHT, 3).value(LoadQuantity.LATENCY_P99)).isEmpty();
  }

  @Test
  void instance_thatFallsSilent_isMissedForAMinute_thenGone() {
    loads.heard("a", signal(LoadQuantity.CPU, 0.2), SECOND);
    loads.heard("b", signal(LoadQuantity.CPU, 0.8), 5 * SECOND);

    ServiceLoad missed = loads.load(5 * SECOND);
    loads.heard("b", signal(LoadQuantity.CPU, 0.8), 62 * SECOND);
    ServiceLoad gone = loads.load(62 * SECOND);

    assertThat(missed.isWhole()).isFalse();
    assertThat(missed.isLost()).isFalse();
    assertThat(missed.mean().value(LoadQuantity.CPU)).hasValue(0.8);
    assertThat(gone.isWhole()).isTrue();
    assertThat(gone.known()).isEqualTo(1);
  }

  @Test
  void instance_thatLeaves_isNotMissed() {
    loads.heard("a", signal(LoadQuantity.CPU, 0.2), SECOND);
    loads.heard("b", signal(LoadQuantity.CPU, 0.8), 5 * SECOND);
    loads.left("a");

    assertThat(loads.load(5 * SECOND).isWhole()).isTrue();
  }

  @Test
  void mostInstances_areSilent_loadIsLost() {
    for (int i = 0; i < 10; i++) {
      loads.heard("i" + i, signal(LoadQuantity.CPU, 0.2), i < 6 ? SECOND : 10 * SECOND);
    }

    assertThat(loads.load(10 * SECOND).isLost()).isTrue();
  }

  @Test
  void signal_olderThanTheNewest_changesNothing() {
    loads.heard("a", signal(LoadQuantity.CPU, 0.2), 2 * SECOND);

    assertThat(loads.heard("a", signal(LoadQuantity.CPU, 0.9), SECOND)).isFalse();
    assertThat(loads.load(2 * SECOND).mean().value(LoadQuantity.CPU)).hasValue(0.2);
  }

  @Test
  void instances_withoutEnd_haveABound_andComeInOnceOthersAreGone() {
    LoadSignal signal = signal(LoadQuantity.CPU, 0.2);
    for (int i = 0; i < InstanceLoads.MAX; i++) {
      loads.heard("i" + i, signal, SECOND);
    }

    assertThat(loads.heard("one-more", signal, SECOND)).isFalse();
    assertThat(loads.load(SECOND).known()).isEqualTo(InstanceLoads.MAX);
    assertThat(loads.heard("one-more", signal, 100 * SECOND)).isTrue();
    assertThat(loads.load(100 * SECOND).known()).isEqualTo(1);
  }

  @Test
  void values_thatAreNone_areRefused() {
    for (double value : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> new LoadSignal(Map.of(LoadQuantity.QUEUE, value)))
          .hasMessageContaining("must be finite and not negative: queue=");
    }
    for (double value : new double[] {-1, Double.NaN, 1.0001, 85}) {
      assertThatThrownBy(() -> new LoadSignal(Map.of(LoadQuantity.CPU, value)))
          .hasMessage("must be a part from 0 to 1, such as 0.85 for 85%%: cpu=%s", value);
    }
  }
}
