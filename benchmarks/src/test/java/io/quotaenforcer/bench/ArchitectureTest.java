package io.quotaenforcer.bench;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final String ROOT = "io.quotaenforcer.bench";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          // What JMH generates.
          .withImportOption(location -> !location.contains("/jmh_generated/"))
          .importPackages(ROOT);

  @Test
  void classes_areThere() {
    assertThat(CLASSES.size()).isGreaterThan(5);
  }

  @Test
  void packages_areNullMarked() {
    assertThat(CLASSES.stream().map(type -> type.getPackage()).distinct())
        .allMatch(it -> it.isAnnotatedWith(NullMarked.class));
  }

  /** Fleets are simulated with the client's waiting requests, or watched at its own threads. */
  @Test
  void internalsOfTheClient_areUsedByFleetsOnly() {
    noClasses()
        .that()
        .haveNameNotMatching(".*\\.(SimulatedFleet|ObservedClient)(\\$.*)?")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.quotaenforcer.client.internal..")
        .check(CLASSES);
  }

  @Test
  void packages_haveNoCycles() {
    slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void standardStreams_areNotUsed() {
    NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(CLASSES);
  }
}
