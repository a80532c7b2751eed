package io.quotaenforcer.schemas;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final String ROOT = "io.quotaenforcer.schemas";

  private final JavaClasses classes =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  @Test
  void classes_areThere() {
    assertThat(classes.size()).isGreaterThan(40);
  }

  @Test
  void packages_haveNoCycles() {
    slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(classes);
  }

  @Test
  void packages_areNullMarked() {
    assertThat(classes.stream().map(type -> type.getPackage()).distinct())
        .filteredOn(it -> !it.getName().equals(ROOT))
        .allMatch(it -> it.isAnnotatedWith(NullMarked.class));
  }

  @Test
  void confluentsClient_isTouchedInOnePlace() {
    noClasses()
        .that()
        .haveNameNotMatching(".*\\.ConfluentSchemaRegistry(\\$.*)?")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.confluent..")
        .check(classes);
  }

  @Test
  void codecs_knowNeitherTopicsNorRecords() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + ".codec")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(ROOT, ROOT + ".topic")
        .check(classes);
  }
}
