package io.quotaenforcer.schemas.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.adapt.LimitCause;
import io.quotaenforcer.core.adapt.LimitInForce;
import io.quotaenforcer.core.adapt.LoadQuantity;
import io.quotaenforcer.core.adapt.LoadSignal;
import io.quotaenforcer.core.adapt.LoadUnit;
import io.quotaenforcer.core.message.LoadReport;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdaptMappingTest {

  @Test
  void anyLoad_isWhatWasWritten() {
    Seeded.check(
        500,
        random -> {
          Map<LoadQuantity, Double> values = new EnumMap<>(LoadQuantity.class);
          for (LoadQuantity each : LoadQuantity.values()) {
            if (random.nextBoolean()) {
              int most = each.unit() == LoadUnit.PART ? 1 : random.nextInt(1_000_000);
              values.put(each, random.nextDouble() * most);
            }
          }
          LoadReport report =
              new LoadReport(
                  "shop-" + random.nextInt(9),
                  random.nextBoolean() ? Set.of() : Set.of("a", "b"),
                  random.nextBoolean(),
                  new LoadSignal(values));
          assertThat(AdaptMapping.fromRecord(AdaptMapping.toRecord(report))).isEqualTo(report);
        });
  }

  private static io.quotaenforcer.schemas.LoadSignal load(
      String instance, List<String> domains, Double cpu) {
    return new io.quotaenforcer.schemas.LoadSignal(
        instance, domains, false, cpu, null, null, null, null, null, null);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, Double.NaN, Double.POSITIVE_INFINITY, 1.51, 85})
  void loadThatIsNoPart_isRefused(double cpu) {
    assertThatThrownBy(() -> AdaptMapping.fromRecord(load("a", List.of(), cpu)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be a part from 0 to 1, such as 0.85 for 85%: cpu=" + cpu);
  }

  /** As clients in other languages measure it. */
  @Test
  void loadThatIsALittleMoreThanTheWhole_isTheWhole() {
    assertThat(AdaptMapping.fromRecord(load("a", List.of(), 1.02)).signal().value(LoadQuantity.CPU))
        .hasValue(1);
  }

  @Test
  void loadOfNobody_orOfWhatIsNoDomain_isRefused() {
    assertThatThrownBy(() -> AdaptMapping.fromRecord(load("", List.of(), 0.5)))
        .hasMessageContaining("must have 1 to 200 characters");
    assertThatThrownBy(() -> AdaptMapping.fromRecord(load("x".repeat(201), List.of(), 0.5)))
        .hasMessageContaining("instance has 201");
    assertThatThrownBy(() -> AdaptMapping.fromRecord(load("a", List.of("no domain"), 0.5)))
        .hasMessageContaining("names of domains");
  }

  @Test
  void limitInForce_isWhatWasWritten_andRefusedOutOfBounds() {
    LimitInForce half = new LimitInForce(5_000, LimitCause.LOWERED, "cpu > 80%: it was 95%", 1_234);
    assertThat(AdaptMapping.fromRecord(AdaptMapping.toRecord(half))).isEqualTo(half);
    for (int no : new int[] {0, -1, 100_001}) {
      assertThatThrownBy(
              () ->
                  AdaptMapping.fromRecord(
                      new io.quotaenforcer.schemas.LimitInForce(
                          no, "", 0L, io.quotaenforcer.schemas.LimitCause.UNSAID)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("basisPoints=" + no);
    }
  }
}
