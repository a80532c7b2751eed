package io.quotaenforcer.bench.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.simulation.explore.Exploration;
import io.quotaenforcer.simulation.explore.Explored;
import io.quotaenforcer.simulation.explore.Scope;
import io.quotaenforcer.simulation.explore.Scope.Algorithm;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeapBudgetTest {
  private static final Scope SCOPE =
      Scope.of(Algorithm.FIXED_WINDOW).withWindows(2, 1).withFaults(2, 2);
  private static final HeapBudget SMALL = new HeapBudget(20_000_000);

  @Test
  void budget_ofStatesOrOfParts_isFilledByEither() {
    assertThat(SMALL.hasRoomFor(found(100_000, 1_000, 1_000))).isTrue();
    assertThat(SMALL.hasRoomFor(found(200_000, 1_000, 1_000))).isFalse();
    assertThat(SMALL.hasRoomFor(found(100_000, 6_000, 1_000))).isFalse();
    assertThat(SMALL.hasRoomFor(found(100_000, 1_000, 6_000))).isFalse();
  }

  @Test
  void exploration_beyondTheBudget_endsAtADepth() {
    Explored explored = new Exploration(SCOPE, SMALL::hasRoomFor).run();

    assertThat(explored.isComplete()).isFalse();
    assertThat(explored.isKept()).isTrue();
    assertThat(explored.depth()).isPositive();
    assertThat(explored.states()).isBetween(10_000L, 200_000L);
  }

  private static Explored found(long states, int books, int ledgers) {
    return new Explored(SCOPE, false, 9, states, 5 * states, books, ledgers, "", List.of());
  }
}
