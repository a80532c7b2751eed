package io.quotaenforcer.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotaenforcer.core.adapt.LoadQuantity;
import io.quotaenforcer.core.adapt.LoadSignal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoadTest {
  private static final long SECOND = 1_000_000_000L;

  private final Load load = new Load();

  private double value(LoadSignal signal, LoadQuantity quantity) {
    return signal.value(quantity).orElseThrow();
  }

  @Test
  void nothingRecorded_isNothingToSay() {
    assertThat(load.isUsed()).isFalse();
    assertThat(load.take(SECOND)).isEqualTo(LoadSignal.NOTHING);
  }

  @Test
  void requestsThatRun_areInFlight_untilTheyEnd() {
    try (Load.Running first = load.begin();
        Load.Running second = load.begin()) {
      assertThat(first).isNotSameAs(second);
      assertThat(value(load.take(SECOND), LoadQuantity.IN_FLIGHT)).isEqualTo(2);
      second.failed();
      second.close();
      second.close();
      LoadSignal one = load.take(SECOND);
      assertThat(value(one, LoadQuantity.IN_FLIGHT)).isEqualTo(1);
      assertThat(value(one, LoadQuantity.ERRORS)).isEqualTo(1);
      assertThat(value(one, LoadQuantity.THROUGHPUT)).isZero();
    }
    LoadSignal idle = load.take(SECOND / 2);
    assertThat(value(idle, LoadQuantity.IN_FLIGHT)).isZero();
    assertThat(value(idle, LoadQuantity.THROUGHPUT)).isEqualTo(2);
  }

  @Test
  void durations_areTheirPercentiles_withinASixteenth_ofThisSecondOnly() {
    for (int i = 1; i <= 1_000; i++) {
      load.ended(Duration.ofMillis(i), true);
    }
    LoadSignal signal = load.take(SECOND);
    assertThat(value(signal, LoadQuantity.LATENCY_P90)).isEqualTo(900e6, within(900e6 / 16));
    assertThat(value(signal, LoadQuantity.LATENCY_P99)).isEqualTo(990e6, within(990e6 / 16));
    assertThat(value(signal, LoadQuantity.THROUGHPUT)).isEqualTo(1_000);
    assertThat(value(signal, LoadQuantity.ERRORS)).isZero();
    assertThat(load.take(SECOND).value(LoadQuantity.LATENCY_P99)).isEmpty();
  }

  @Test
  void durationsOfAnyLength_areCounted_andNoneIsReportedShorterThanItWas() {
    for (long nanos :
        new long[] {0, 1, 15, 16, 17, 31, 32, 1_000, SECOND, Long.MAX_VALUE / 2, Long.MAX_VALUE}) {
      load.ended(Duration.ofNanos(nanos), true);
      double said = value(load.take(SECOND), LoadQuantity.LATENCY_P99);
      assertThat(said).isBetween((double) nanos, nanos * (1 + 1.0 / 16) + 1);
    }
    load.ended(Duration.ofNanos(-5), true);
    assertThat(value(load.take(SECOND), LoadQuantity.LATENCY_P99)).isZero();
  }

  @Test
  void measure_isAskedEachTime_andWhatIsNoNumberIsNotKnown() {
    double[] cpu = {0.5};
    load.measure(LoadQuantity.CPU, () -> cpu[0]);
    assertThat(load.isUsed()).isTrue();
    assertThat(value(load.take(SECOND), LoadQuantity.CPU)).isEqualTo(0.5);
    for (double no : new double[] {Double.NaN, -1, Double.POSITIVE_INFINITY}) {
      cpu[0] = no;
      assertThat(load.take(SECOND)).isEqualTo(LoadSignal.NOTHING);
    }
    load.measure(
        LoadQuantity.CPU,
        () -> {
          throw new IllegalStateException("no sensor");
        });
    assertThat(load.take(SECOND)).isEqualTo(LoadSignal.NOTHING);
    load.measure(
        LoadQuantity.CPU,
        () -> {
          throw new NoSuchMethodError("of another version");
        });
    assertThat(load.take(SECOND)).isEqualTo(LoadSignal.NOTHING);
  }

  @Test
  void partInPercent_isNotKnown_andALittleMoreThanTheWholeIsTheWhole() {
    double[] cpu = {85};
    load.measure(LoadQuantity.CPU, () -> cpu[0]);
    assertThat(load.take(SECOND)).isEqualTo(LoadSignal.NOTHING);
    cpu[0] = 1.02;
    assertThat(value(load.take(SECOND), LoadQuantity.CPU)).isEqualTo(1);
  }

  @Test
  void cpuOfTheProcess_isAPart() {
    load.measureCpu();
    load.take(SECOND)
        .value(LoadQuantity.CPU)
        .ifPresent(part -> assertThat(part).isBetween(0.0, 1.0));
  }

  @Test
  void threads_recordAtOnce_andNoRequestIsLost() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      all.add(
          threads.submit(
              () -> {
                for (int n = 0; n < 10_000; n++) {
                  load.begin().close();
                }
              }));
    }
    double seen = 0;
    while (all.stream().anyMatch(each -> !each.isDone())) {
      seen += load.take(SECOND).value(LoadQuantity.THROUGHPUT).orElse(0);
    }
    for (Future<?> each : all) {
      each.get(10, TimeUnit.SECONDS);
    }
    threads.shutdown();
    LoadSignal last = load.take(SECOND);
    assertThat(seen + value(last, LoadQuantity.THROUGHPUT)).isEqualTo(40_000);
    assertThat(value(last, LoadQuantity.IN_FLIGHT)).isZero();
  }
}
