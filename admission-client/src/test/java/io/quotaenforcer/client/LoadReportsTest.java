package io.quotaenforcer.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.AdaptStep;
import io.quotaenforcer.core.adapt.AdaptTerms;
import io.quotaenforcer.core.adapt.LoadCondition;
import io.quotaenforcer.core.adapt.LoadQuantity;
import io.quotaenforcer.core.adapt.LoadScope;
import io.quotaenforcer.core.adapt.LoadSignal;
import io.quotaenforcer.core.adapt.Lowering;
import io.quotaenforcer.core.adapt.Recovery;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.message.LoadReport;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class LoadReportsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Rule FIXED =
      Rule.of(new RuleId("api", "all"), List.of(), new SlidingWindow(10, SECOND));
  private static final Rule ADAPTING =
      FIXED.withAdapt(
          AdaptTerms.of(
              1,
              new AdaptStep(
                  LoadCondition.parse("cpu > 80%"),
                  0,
                  new Lowering.To(5_000),
                  Recovery.Growing.DEFAULT)));

  private static final Rule OWN =
      FIXED
          .withEnforcement(Enforcement.PER_INSTANCE)
          .withAdapt(ADAPTING.adapt().orElseThrow().withScope(LoadScope.INSTANCE));

  private final Load load = new Load();
  private RuleSet rules = RuleSet.of(List.of(ADAPTING));
  private final List<Integer> inForce = new ArrayList<>();
  private final LoadReports reports =
      new LoadReports(
          load,
          "a",
          Set.of("api"),
          () -> rules,
          new OwnLoad(limits -> inForce.add(limits.basisPoints(OWN.id())), ClientTelemetry.NONE),
          new Clocks(() -> SECOND, () -> SECOND));

  @Test
  void load_isSaidOnceASecond_withTheDomainsOfTheInstance() {
    load.measure(LoadQuantity.CPU, () -> 0.5);
    assertThat(reports.due(SECOND + SECOND / 2)).isEmpty();
    LoadReport said = reports.due(2 * SECOND).orElseThrow();
    assertThat(said.instance()).isEqualTo("a");
    assertThat(said.domains()).containsExactly("api");
    assertThat(said.signal().value(LoadQuantity.CPU)).hasValue(0.5);
    assertThat(reports.due(2 * SECOND + 1)).isEmpty();
    assertThat(reports.due(3 * SECOND)).isPresent();
  }

  @Test
  void nothingRecorded_isNotSaid() {
    assertThat(reports.due(5 * SECOND)).isEmpty();
    assertThat(reports.leaving()).isEmpty();
  }

  @Test
  void withoutARuleThatFollowsIt_nothingIsSaid_andNothingOfThatTimeLater() {
    rules = RuleSet.of(List.of(FIXED));
    load.ended(Duration.ofMillis(5), true);
    assertThat(reports.due(2 * SECOND)).isEmpty();
    assertThat(reports.leaving()).isEmpty();
    rules = RuleSet.of(List.of(ADAPTING));
    LoadSignal later = reports.due(3 * SECOND).orElseThrow().signal();
    assertThat(later.value(LoadQuantity.THROUGHPUT)).hasValue(0);
  }

  @Test
  void limitByTheOwnLoad_isWorkedOutHere_andNotSaid() {
    rules = RuleSet.of(List.of(OWN));
    AtomicReference<Double> cpu = new AtomicReference<>(0.5);
    load.measure(LoadQuantity.CPU, cpu::get);
    assertThat(reports.due(2 * SECOND)).isEmpty();
    cpu.set(0.9);
    assertThat(reports.due(3 * SECOND)).isEmpty();
    assertThat(reports.due(4 * SECOND)).isEmpty();
    assertThat(inForce).startsWith(10_000).endsWith(5_000);
    assertThat(reports.leaving()).isEmpty();
  }

  @Test
  void limitByTheOwnLoad_nothingMeasured_isHeld_andThenTheOneWithoutSignal() {
    AdaptTerms terms = OWN.adapt().orElseThrow();
    AdaptTerms cautious =
        new AdaptTerms(LoadScope.INSTANCE, terms.steps(), 1_000, 10_000, 3_000, 10 * SECOND, 1);
    rules = RuleSet.of(List.of(OWN.withAdapt(cautious)));
    for (int second = 2; second < 11; second++) {
      reports.due(second * SECOND);
    }
    assertThat(inForce).containsOnly(10_000);
    for (int second = 11; second < 16; second++) {
      reports.due(second * SECOND);
    }
    assertThat(inForce).endsWith(3_000);
  }

  @Test
  void end_isSaidOfAnInstanceThatHasSaidSomething() {
    load.measure(LoadQuantity.CPU, () -> 0.5);
    reports.due(2 * SECOND);
    Optional<LoadReport> leaving = reports.leaving();
    assertThat(leaving).hasValueSatisfying(it -> assertThat(it.leaving()).isTrue());
  }
}
