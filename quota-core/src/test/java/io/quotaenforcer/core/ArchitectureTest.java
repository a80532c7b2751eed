package io.quotaenforcer.core;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Timer;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** Who may import what. Think before adding to a row: a new package may be what is missing. */
class ArchitectureTest {
  private static final String ROOT = "io.quotaenforcer.core";

  private static final Map<String, List<String>> MAY_IMPORT =
      Map.ofEntries(
          Map.entry(ROOT, List.of()),
          Map.entry(ROOT + ".algorithm", List.of(ROOT)),
          Map.entry(ROOT + ".match", List.of(ROOT)),
          Map.entry(ROOT + ".rule", List.of(ROOT, ROOT + ".algorithm", ROOT + ".match")),
          Map.entry(ROOT + ".message", List.of(ROOT)),
          Map.entry(ROOT + ".deferral", List.of(ROOT, ROOT + ".algorithm", ROOT + ".rule")),
          Map.entry(ROOT + ".backtest", List.of(ROOT, ROOT + ".algorithm", ROOT + ".rule")),
          Map.entry(ROOT + ".standalone", List.of(ROOT, ROOT + ".algorithm", ROOT + ".rule")),
          Map.entry(
              ROOT + ".ledger",
              List.of(ROOT, ROOT + ".algorithm", ROOT + ".rule", ROOT + ".message")),
          Map.entry(
              ROOT + ".allotment",
              List.of(
                  ROOT, ROOT + ".algorithm", ROOT + ".match", ROOT + ".rule", ROOT + ".message")));

  private static final JavaClasses CLASSES = PackageRules.classesBelow(ROOT);

  @Test
  void classes_areThere() {
    assertThat(CLASSES.size()).isGreaterThan(60);
  }

  @Test
  void packages_areInTheTable_andImportWhatTheyMay() {
    PackageRules.checkTable(CLASSES, MAY_IMPORT);
  }

  @Test
  void packages_haveNoCycles() {
    PackageRules.checkNoCycles(CLASSES);
  }

  /** Book, what decides, keys, a key, its cells: who is below knows nobody above. */
  @Test
  void allotment_classesKnowEachOtherOneWay() {
    SliceAssignment outermost =
        new SliceAssignment() {
          @Override
          public SliceIdentifier getIdentifierOf(JavaClass type) {
            return type.getPackageName().equals(ROOT + ".allotment")
                ? SliceIdentifier.of(type.getName().replaceFirst("\\$.*", ""))
                : SliceIdentifier.ignore();
          }

          @Override
          public String getDescription() {
            return "outermost classes of allotment";
          }
        };
    slices().assignedFrom(outermost).should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void core_knowsOnlyTheJdkAndAnnotationsForTheCompiler() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.quotaenforcer.core..",
            "java..",
            "org.jspecify..",
            "com.google.errorprone.annotations.concurrent..")
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
        .callMethodWhere(target(owner(resideInAPackage("java.time.."))).and(target(name("now"))))
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Clock.class)
        .check(CLASSES);
  }

  @Test
  void threads_areTheCallers_andNobodyWaits() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Executor.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Timer.class)
        .orShould()
        .dependOnClassesThat()
        .resideInAPackage("java.util.concurrent.locks..")
        .check(CLASSES);
  }

  /** Stripes and scratch memory ask which thread it is only for where in memory it goes. */
  @Test
  void whichThreadItIs_decidesNothing() {
    noClasses()
        .that()
        .doNotHaveSimpleName("Stripes")
        .and()
        .doNotHaveSimpleName("Scratch")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Thread.class)
        .check(CLASSES);
  }

  @Test
  void standardStreams_areNotUsed() {
    NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(CLASSES);
  }
}
