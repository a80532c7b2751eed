package io.quotaenforcer.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTest {
  private static String[] pairs(int count) {
    String[] all = new String[2 * count];
    for (int i = 0; i < count; i++) {
      all[2 * i] = "name-" + i;
      all[2 * i + 1] = "value-" + i;
    }
    return all;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 12})
  void of_pairs_haveEachAttributeAndCostOne(int count) {
    Request request = Request.of(pairs(count));

    assertThat(request.attributes()).hasSize(count);
    for (int i = 0; i < count; i++) {
      assertThat(request.attributes()).containsEntry("name-" + i, "value-" + i);
    }
    assertThat(request.cost()).isOne();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4})
  void of_aNameThatComesTwice_hasTheLastValue(int count) {
    for (int first = 0; first < count; first++) {
      for (int second = first + 1; second < count; second++) {
        String[] all = pairs(count);
        all[2 * second] = all[2 * first];

        Request request = Request.of(all);

        assertThat(request.attributes())
            .hasSize(count - 1)
            .containsEntry("name-" + first, "value-" + second);
      }
    }
  }

  @Test
  void of_aNameWithoutValue_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Request.of("user"))
        .withMessage("must be names and values in pairs: count=1");
  }

  @ParameterizedTest
  @ValueSource(longs = {1_000_000_000_001L, 2_000_000_000_000_000L, Long.MAX_VALUE})
  void cost_aboveAnyLimit_isRefused(long cost) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Request(Map.of(), cost))
        .withMessage("must be <= 1000000000000: cost=" + cost);
    assertThatIllegalArgumentException().isThrownBy(() -> Request.of().withCost(cost));
  }

  @Test
  void cost_belowOne_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Request(Map.of(), 0))
        .withMessage("must be >= 1: cost=0");
  }

  @Test
  void requests_ofTheSameAttributesAndCost_areEqualWhateverIsKeptWithThem() {
    Request one = Request.of("user", "42");
    Request other = new Request(Map.of("user", "42"), 1);
    Kept.keep(one, new Kept() {});

    assertThat(one).isEqualTo(other).hasSameHashCodeAs(other).hasToString(other.toString());
    assertThat(one).isNotEqualTo(other.withCost(2)).isNotEqualTo(Request.of("user", "43"));
  }
}
