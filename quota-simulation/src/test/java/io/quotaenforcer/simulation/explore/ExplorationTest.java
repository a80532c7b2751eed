package io.quotaenforcer.simulation.explore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.simulation.Extent;
import io.quotaenforcer.simulation.explore.Scope.Algorithm;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Scopes that are small enough for every build; {@code quota bench explore} has larger ones. */
class ExplorationTest {
  private static final int SOME_STATES = 1_000;

  private static final int POOL_STATES = Extent.of(10_000, 200_000);

  /** As many as it took to find the use that faded too early, or as many again. */
  private static final int MANY_STATES = Extent.of(450_000, 900_000);

  @ParameterizedTest
  @EnumSource
  void oneWindow_noFaults_keepsThePromises(Algorithm algorithm) {
    Explored explored = explore(Scope.of(algorithm));

    assertThat(explored.violation()).as("%s", explored).isEmpty();
    assertThat(explored.isComplete()).isTrue();
    assertThat(explored.states())
        .isGreaterThan(algorithm == Algorithm.POOL ? 5 * SOME_STATES : 10 * SOME_STATES);
  }

  /** Over two ticks there are more states than a build has time for. */
  @ParameterizedTest
  @EnumSource
  void pool_overTwoTicks_withAFault_keepsThePromises(FaultKind kind) {
    Scope scope =
        Scope.of(Algorithm.POOL).withRequests(2).withWindows(1, 2).withFaults(Set.of(kind), 1, 1);

    Explored explored = new Exploration(scope, soFar -> soFar.states() < POOL_STATES).run();

    assertThat(explored.violation()).as("%s", explored).isEmpty();
    assertThat(explored.states()).isGreaterThanOrEqualTo(POOL_STATES);
  }

  /** Else the pool's scopes show nothing. */
  @Test
  void pool_oneMoreThanItHas_orThanAUserMayBorrow_isTooMany() {
    Parts parts = new Parts(Scope.of(Algorithm.POOL));
    Setting setting = parts.setting;
    List<String> beside = setting.beside.stream().map(it -> it.key().toString()).toList();
    assertThat(beside)
        .containsExactly(
            "test/users/42", "test/users/43", "test/users.borrowed/42", "test/users.borrowed/43");
    int ofOne = 1 << 8;
    int ofOther = 2 << 8;
    int borrowed = 3 << 8;

    int one = parts.admissions.admit(parts.admissions.none(), ofOne, 0);
    assertThat(parts.admissions.admit(one, ofOne, 0)).isEqualTo(Admissions.TOO_MANY);
    int three = parts.admissions.admit(parts.admissions.admit(one, borrowed, 0), borrowed, 0);
    assertThat(parts.admissions.total(three)).as("each takes two permits").isEqualTo(6);
    assertThat(parts.admissions.admit(three, ofOther, 0)).isEqualTo(Admissions.TOO_MANY);
    int another = parts.admissions.admit(three, ofOther | 1 << 4 | 1, 0);
    assertThat(parts.admissions.total(another)).as("in the next window").isEqualTo(8);
  }

  @Test
  void twoWindows_everyFaultOnce_keepsThePromises() {
    Scope scope = Scope.of(Algorithm.FIXED_WINDOW).withWindows(2, 1).withFaults(1, 1);

    Explored explored = explore(scope);

    assertThat(explored.violation()).as("%s", explored).isEmpty();
    assertThat(explored.isComplete()).isTrue();
  }

  @Test
  void tightBucket_dividedIntoShares_keepsThePromises() {
    Explored explored = explore(Scope.of(Algorithm.TIGHT_BUCKET).withRequests(3));

    assertThat(explored.violation()).as("%s", explored).isEmpty();
    assertThat(explored.isComplete()).isTrue();
  }

  /** Borders stay where true time has them, as the clocks of enforcers agree here. */
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.MATCH_ANY,
      names = {"SLIDING_.*WINDOW.*", "INTERVAL_BUCKET"})
  void bordersThatMatter_anotherEnforcerTakesOver_keepsThePromises(Algorithm algorithm) {
    Scope scope =
        Scope.of(algorithm).withWindows(2, 2).withFaults(Set.of(FaultKind.FAILOVER), 1, 1);

    Explored explored = new Exploration(scope, soFar -> soFar.states() < MANY_STATES).run();

    assertThat(explored.violation()).as("%s", explored).isEmpty();
    assertThat(explored.states()).isGreaterThanOrEqualTo(MANY_STATES);
  }

  @Test
  void exploration_runTwice_findsTheSame() {
    Scope scope = Scope.of(Algorithm.FIXED_WINDOW).withWindows(2, 1);

    assertThat(explore(scope)).isEqualTo(explore(scope));
  }

  @Test
  void exploration_toldToStop_saysThatItIsNotComplete() {
    Explored explored =
        new Exploration(
                Scope.of(Algorithm.TOKEN_BUCKET).withFaults(1, 1),
                soFar -> soFar.states() < SOME_STATES)
            .run();

    assertThat(explored.isComplete()).isFalse();
    assertThat(explored.depth()).isPositive();
  }

  @Test
  void symmetry_namesOfInstances_makeNoOtherState() {
    Parts parts = new Parts(Scope.of(Algorithm.FIXED_WINDOW));
    Steps steps = new Steps(parts, Scope.of(Algorithm.FIXED_WINDOW));
    World one = parts.first(2);
    World other = parts.first(2);
    for (Step.Kind kind : List.of(Step.Kind.ASK, Step.Kind.REPORT)) {
      steps.happens(one, kind, 0);
      steps.happens(other, kind, 1);
    }
    steps.happens(one, Step.Kind.DELIVER, 0);
    steps.happens(other, Step.Kind.DELIVER, 0);
    assertThat(one.desk).isNotEqualTo(other.desk);

    new Symmetry(parts.desks, 2).apply(one);
    new Symmetry(parts.desks, 2).apply(other);

    assertThat(words(one)).isEqualTo(words(other));
  }

  @Test
  void scope_outOfBounds_isRefused() {
    assertThatThrownBy(() -> Scope.of(Algorithm.FIXED_WINDOW).withInstances(4))
        .hasMessage("must be between 1 and 3: instances=4");
  }

  private static Explored explore(Scope scope) {
    return new Exploration(scope, soFar -> true).run();
  }

  private static int[] words(World world) {
    int[] words = new int[World.words(world.instances)];
    world.write(words, 0);
    return words;
  }
}
