package io.quotaenforcer.client;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** Who may import what. Think before adding to a row: a new package may be what is missing. */
class ArchitectureTest {
  private static final String ROOT = "io.quotaenforcer.client";
  private static final String CORE = "io.quotaenforcer.core";
  private static final String SCHEMAS = "io.quotaenforcer.schemas";

  private static final Map<String, List<String>> MAY_IMPORT =
      Map.of(
          ROOT,
          List.of(ROOT + "..", CORE + "..", SCHEMAS + ".codec", SCHEMAS + ".topic"),
          ROOT + ".kafka",
          List.of(
              ROOT + ".spi",
              CORE,
              CORE + ".allotment",
              CORE + ".message",
              CORE + ".rule",
              SCHEMAS + ".topic"),
          ROOT + ".spi",
          List.of(CORE));

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  @Test
  void classes_areThere() {
    assertThat(CLASSES.size()).isGreaterThan(15);
  }

  @Test
  void packages_areAllInTheTable_andNullMarked() {
    assertThat(CLASSES.stream().map(type -> type.getPackage()).distinct())
        .allSatisfy(it -> assertThat(MAY_IMPORT).containsKey(it.getName()))
        .allMatch(it -> it.isAnnotatedWith(NullMarked.class));
  }

  @Test
  void packages_importWhatTheyMay() {
    MAY_IMPORT.forEach(
        (name, allowed) ->
            noClasses()
                .that()
                .resideInAPackage(name)
                .should()
                .dependOnClassesThat(
                    resideInAnyPackage("io.quotaenforcer..")
                        .and(not(resideInAnyPackage(name)))
                        .and(not(resideInAnyPackage(allowed.toArray(String[]::new)))))
                .check(CLASSES));
  }

  @Test
  void client_neverImportsTheLedger() {
    noClasses().should().dependOnClassesThat().resideInAPackage(CORE + ".ledger").check(CLASSES);
  }

  @Test
  void spi_knowsNeitherKafkaNorAvro() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + ".spi")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache..")
        .check(CLASSES);
  }

  @Test
  void standardStreams_areNotUsed() {
    NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(CLASSES);
  }
}
