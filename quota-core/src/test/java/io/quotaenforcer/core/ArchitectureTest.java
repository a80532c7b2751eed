package io.quotaenforcer.core;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** Who may import what. Think before adding to a row: a new package may be what is missing. */
class ArchitectureTest {
  private static final String ROOT = "io.quotaenforcer.core";

  private static final Map<String, List<String>> MAY_IMPORT =
      Map.of(
          ROOT,
          List.of(),
          ROOT + ".setting",
          List.of(ROOT),
          ROOT + ".algorithm",
          List.of(ROOT),
          ROOT + ".rule",
          List.of(ROOT, ROOT + ".algorithm"),
          ROOT + ".message",
          List.of(ROOT),
          ROOT + ".ledger",
          List.of(ROOT, ROOT + ".algorithm", ROOT + ".rule", ROOT + ".message"),
          ROOT + ".allotment",
          List.of(ROOT, ROOT + ".algorithm", ROOT + ".rule", ROOT + ".message"));

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  @Test
  void classes_areThere() {
    assertThat(CLASSES.size()).isGreaterThan(60);
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
  void core_knowsOnlyTheJdkAndJSpecify() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("io.quotaenforcer.core..", "java..", "org.jspecify..")
        .check(CLASSES);
  }

  @Test
  void time_isAnArgument() {
    noClasses()
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(Instant.class, "now")
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Clock.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Thread.class)
        .check(CLASSES);
  }

  @Test
  void standardStreams_areNotUsed() {
    NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(CLASSES);
  }
}
