package io.quotaenforcer.core.adapt;

import static io.quotaenforcer.core.adapt.Loads.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for all terms, loads and times; drawn from a seed, which failures print. */
class AdaptationPropertiesTest {
  private static final int SECONDS = 400;

  static LongStream seeds() {
    return LongStream.range(0, 200);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void limit_underAnyLoad_staysWithinItsBounds_andRisesOnlyWhenAllIsWellAndHeard(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    AdaptTerms terms = terms(random);
    AdaptState state = AdaptState.start(terms, 0);
    for (int i = 0; i < SECONDS; i++) {
      ServiceLoad load = load(random);
      long now = state.atNanos() + random.nextLong(-SECOND, 4 * SECOND);
      AdaptState next = Adaptation.next(terms, state, load, now);
      String what = "seed %d, second %d, %s: %s to %s".formatted(seed, i, load, state, next);

      assertThat(next).as(what).isEqualTo(Adaptation.next(terms, state, load, now));
      assertThat(next.basisPoints())
          .as(what)
          .isBetween(terms.floorBasisPoints(), terms.ceilingBasisPoints());
      assertThat(next.steps()).as(what).hasSameSizeAs(terms.steps());
      assertThat(next.atNanos()).as(what).isGreaterThanOrEqualTo(state.atNanos());
      if (next.basisPoints() > state.basisPoints()) {
        assertThat(load.isWhole() && terms.missing(load.mean()).isEmpty()).as(what).isTrue();
        assertThat(someConditionIsOver(terms, load)).as(what).isTrue();
      }
      if (next.basisPoints() != state.basisPoints()) {
        assertThat(next.sinceNanos()).as(what).isEqualTo(next.atNanos());
      }
      state = next;
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void limit_underWhicheverLoadBefore_isBackAtTheCeiling_onceAllIsWellForLong(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    AdaptTerms terms = terms(random);
    AdaptState state = AdaptState.start(terms, 0);
    for (int i = 0; i < SECONDS; i++) {
      state = Adaptation.next(terms, state, load(random), i * SECOND);
    }
    ServiceLoad well = new ServiceLoad(wellFor(terms), 5, 5);
    for (int i = 0; i < 3 * AdaptTerms.MAX_CEILING / 100; i++) {
      state = Adaptation.next(terms, state, well, state.atNanos() + 12 * SECOND);
    }

    assertThat(state.basisPoints()).as("seed %d", seed).isEqualTo(terms.ceilingBasisPoints());
    assertThat(state.reason()).as("seed %d", seed).isEqualTo(new AdaptReason.AtRest());
  }

  private static boolean someConditionIsOver(AdaptTerms terms, ServiceLoad load) {
    return terms.steps().stream()
        .anyMatch(step -> step.when().isOverAt(step.measured(load.mean())));
  }

  private static LoadSignal wellFor(AdaptTerms terms) {
    Map<LoadQuantity, Double> values = new HashMap<>();
    for (LoadQuantity quantity : LoadQuantity.values()) {
      values.put(quantity, quantity == LoadQuantity.THROUGHPUT ? 1e9 : 0);
    }
    assertThat(terms.missing(new LoadSignal(values))).isEmpty();
    return new LoadSignal(values);
  }

  private static AdaptTerms terms(SplittableRandom random) {
    List<AdaptStep> steps = new ArrayList<>();
    int count = random.nextInt(1, 4);
    for (int i = 0; i < count; i++) {
      steps.add(
          new AdaptStep(
              condition(random),
              random.nextLong(0, 8 * SECOND),
              lowering(random),
              recovery(random)));
    }
    int floor = random.nextInt(1, AdaptTerms.WHOLE);
    int ceiling = random.nextInt(floor, AdaptTerms.MAX_CEILING);
    return new AdaptTerms(
        steps,
        floor,
        ceiling,
        random.nextInt(floor, ceiling + 1),
        random.nextLong(0, 20 * SECOND),
        random.nextDouble(1, 100_000));
  }

  private static Recovery recovery(SplittableRandom random) {
    int basisPoints = random.nextInt(100, 2_000);
    long everyNanos = random.nextLong(1, 10 * SECOND);
    return random.nextBoolean()
        ? new Recovery.Even(basisPoints, everyNanos)
        : new Recovery.Growing(basisPoints, everyNanos, random.nextInt(basisPoints, 4_000));
  }

  private static LoadCondition condition(SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> new LoadCondition.Above(LoadQuantity.CPU, random.nextDouble(0.1, 1));
      case 1 -> new LoadCondition.Above(LoadQuantity.LATENCY_P99, random.nextDouble(1e6, 1e9));
      case 2 -> new LoadCondition.Above(LoadQuantity.QUEUE, random.nextDouble(1, 100));
      default -> new LoadCondition.Below(LoadQuantity.THROUGHPUT, random.nextDouble(1, 1_000));
    };
  }

  private static Lowering lowering(SplittableRandom random) {
    return switch (random.nextInt(3)) {
      case 0 -> new Lowering.To(random.nextInt(1, 10_001));
      case 1 -> new Lowering.By(random.nextInt(1, 10_000));
      default -> new Lowering.ToServed(random.nextInt(1, 10_001), random.nextLong(1, 10 * SECOND));
    };
  }

  /** Any, hostile ones among them. */
  private static ServiceLoad load(SplittableRandom random) {
    if (random.nextInt(8) == 0) {
      return ServiceLoad.UNKNOWN;
    }
    int known = random.nextInt(1, 20);
    int heard = random.nextInt(3) == 0 ? random.nextInt(0, known + 1) : known;
    Map<LoadQuantity, Double> values = new HashMap<>();
    for (LoadQuantity quantity : LoadQuantity.values()) {
      if (random.nextInt(30) > 0) {
        values.put(quantity, value(quantity, random));
      }
    }
    return new ServiceLoad(new LoadSignal(values), heard, known);
  }

  private static double value(LoadQuantity quantity, SplittableRandom random) {
    return switch (random.nextInt(20)) {
      case 0 -> 0;
      case 1 -> quantity.unit() == LoadUnit.PART ? 1 : Double.MAX_VALUE;
      case 2 -> Double.MIN_VALUE;
      default ->
          switch (quantity.unit()) {
            case PART -> random.nextDouble();
            case COUNT -> random.nextDouble(200);
            case PER_SECOND -> random.nextDouble(2_000);
            case NANOS -> random.nextDouble(2e9);
          };
    };
  }
}
