package io.quotaenforcer.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.simulation.Mutant.Patch;
import io.quotaenforcer.simulation.explore.Scope.Algorithm;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Breaks the ledger on purpose: the seeded simulation and the exploration must each see every
 * break, for windows and buckets; with {@code -Dlong} each of them for each algorithm.
 */
class MutantTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void mutant_isFoundByExplorationAndSimulation(Mutant mutant)
      throws IOException, ReflectiveOperationException, URISyntaxException {
    try (MutantClasses classes = MutantClasses.of(mutant.patches, folder)) {
      Function<String, String> probe = classes.probe();
      for (Algorithm algorithm : Extent.of(mutant.explored, mutant.ordinal())) {
        String order = order(mutant, algorithm);
        assertThat(probe.apply(order)).as("%s, %s", mutant, order).isNotEmpty();
      }
      for (String limit : Extent.of(mutant.limits(), mutant.ordinal())) {
        if (!mutant.isRare()) {
          assertThat(seedThatTells(mutant, limit, probe))
              .as("%s, %s", mutant, limit)
              .isNotNegative();
        }
      }
    }
  }

  @Test
  void mutant_ofTwoClasses_isFoundByExploration()
      throws IOException, ReflectiveOperationException, URISyntaxException {
    isFoundByExploration(Mutant.OUTSTANDING_IS_NOT_SUBTRACTED.patches, "TWO_CLASSES LOSS 0");
  }

  @Test
  void mutant_ofSlotsAtATakeover_isFoundByExploration()
      throws IOException, ReflectiveOperationException, URISyntaxException {
    Patch patch = SlotMutant.SLOT_IS_GIVEN_TWICE_AT_A_TAKEOVER.patch;
    isFoundByExploration(List.of(patch), "SLOTS FAILOVER 1");
  }

  private void isFoundByExploration(List<Patch> patches, String scope)
      throws IOException, ReflectiveOperationException, URISyntaxException {
    try (MutantClasses classes = MutantClasses.of(patches, folder)) {
      assertThat(classes.probe().apply("explore " + scope)).as(scope).contains("over the limit");
    }
    assertThat(new MutantProbe().apply("explore " + scope)).as("without: %s", scope).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("orders")
  void noMutant_nothingIsFoundWhereEachOneIs(String order) {
    assertThat(new MutantProbe().apply(order)).as(order).isEmpty();
  }

  static List<String> orders() {
    return Arrays.stream(Mutant.values())
        .flatMap(
            mutant ->
                Extent.of(mutant.explored, mutant.ordinal()).stream()
                    .map(algorithm -> order(mutant, algorithm)))
        .distinct()
        .toList();
  }

  private static String order(Mutant mutant, Algorithm algorithm) {
    return "explore %s %s %d".formatted(algorithm.name(), mutant.fault, mutant.faults);
  }

  /** A seed that breaks a promise with the mutant, and keeps it without; -1 for none. */
  private static long seedThatTells(Mutant mutant, String limit, Function<String, String> probe) {
    String name = MutantSeeds.name(mutant) + "." + limit;
    OptionalLong last = MutantSeeds.last(name);
    if (last.isPresent() && tells(last.getAsLong(), limit, probe)) {
      return last.getAsLong();
    }
    long first = 0;
    while (true) {
      OptionalLong found = found(first, limit, probe);
      if (found.isEmpty()) {
        return -1;
      }
      long seed = found.getAsLong();
      if (isKept(seed)) {
        MutantSeeds.keep(name, seed);
        return seed;
      }
      first = seed + 1;
    }
  }

  private static boolean tells(long seed, String limit, Function<String, String> probe) {
    OptionalLong found = found(seed, limit, probe);
    return found.isPresent() && found.getAsLong() == seed && isKept(seed);
  }

  private static OptionalLong found(long first, String limit, Function<String, String> probe) {
    String found = probe.apply("simulate %s %d".formatted(limit, first));
    return found.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(Long.parseLong(found.substring(0, found.indexOf(' '))));
  }

  private static boolean isKept(long seed) {
    return SeedRun.strict(seed).violation().isEmpty() && SeedRun.counted(seed).isKept();
  }
}
