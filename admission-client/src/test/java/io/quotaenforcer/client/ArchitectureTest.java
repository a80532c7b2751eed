package io.quotaenforcer.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.quotaenforcer.core.PackageRules;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who may import what. Think before adding to a row: a new package may be what is missing. */
class ArchitectureTest {
  private static final String ROOT = "io.quotaenforcer.client";
  private static final String CORE = "io.quotaenforcer.core";
  private static final String SCHEMAS = "io.quotaenforcer.schemas";

  private static final String INTERNAL = ROOT + ".internal";

  private static final Map<String, List<String>> MAY_IMPORT =
      Map.of(
          // What services call and implement.
          ROOT,
          List.of(ROOT + "..", CORE + "..", SCHEMAS + ".."),
          ROOT + ".replay",
          List.of(),
          ROOT + ".spi",
          List.of(CORE, CORE + ".adapt", CORE + ".message"),
          // What they do not.
          INTERNAL,
          List.of(ROOT + ".spi", CORE, CORE + ".adapt", SCHEMAS + ".topic"),
          INTERNAL + ".config",
          List.of(
              INTERNAL + ".replay",
              CORE,
              CORE + ".allotment",
              CORE + ".hash",
              SCHEMAS + ".codec",
              SCHEMAS + ".setting",
              SCHEMAS + ".topic"),
          INTERNAL + ".kafka",
          List.of(
              ROOT + ".spi",
              INTERNAL,
              CORE,
              CORE + ".allotment",
              CORE + ".message",
              CORE + ".rule",
              SCHEMAS + ".rules",
              SCHEMAS + ".topic"),
          INTERNAL + ".replay",
          List.of(
              ROOT + ".replay",
              ROOT + ".spi",
              INTERNAL,
              CORE,
              CORE + ".message",
              SCHEMAS + ".codec",
              SCHEMAS + ".topic"));

  private static final JavaClasses CLASSES = PackageRules.classesBelow(ROOT);

  @Test
  void classes_areThere() {
    assertThat(CLASSES.size()).isGreaterThan(15);
  }

  @Test
  void packages_areInTheTable_andImportWhatTheyMay() {
    PackageRules.checkTable(CLASSES, MAY_IMPORT);
  }

  @Test
  void packages_haveNoCycles() {
    PackageRules.checkNoCycles(CLASSES);
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
