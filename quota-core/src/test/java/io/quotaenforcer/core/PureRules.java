package io.quotaenforcer.core;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.util.List;
import java.util.Timer;
import java.util.concurrent.Executor;

/** Rules that keep code pure: time is an argument, threads are the caller's, and nobody waits. */
public final class PureRules {
  private static final List<ArchRule> ALL =
      List.of(
          classes()
              .should()
              .onlyDependOnClassesThat()
              .resideInAnyPackage(
                  "io.quotaenforcer.core..",
                  "java..",
                  "javax.crypto..",
                  "org.jspecify..",
                  "com.google.errorprone.annotations.concurrent.."),
          noClasses()
              .should()
              .callMethod(System.class, "nanoTime")
              .orShould()
              .callMethod(System.class, "currentTimeMillis")
              .orShould()
              .callMethodWhere(
                  target(owner(resideInAPackage("java.time.."))).and(target(name("now"))))
              .orShould()
              .dependOnClassesThat()
              .areAssignableTo(Clock.class),
          noClasses()
              .should()
              .dependOnClassesThat()
              .areAssignableTo(Executor.class)
              .orShould()
              .dependOnClassesThat()
              .areAssignableTo(Timer.class)
              .orShould()
              .dependOnClassesThat()
              .resideInAPackage("java.util.concurrent.locks.."),
          // These ask which thread it is only for where in memory something goes.
          noClasses()
              .that()
              .doNotHaveSimpleName("Stripes")
              .and()
              .doNotHaveSimpleName("Scratch")
              .and()
              .doNotHaveSimpleName("ThreadCounts")
              .should()
              .dependOnClassesThat()
              .areAssignableTo(Thread.class),
          NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS);

  private PureRules() {}

  /** Checks all of it. */
  public static void check(JavaClasses classes) {
    ALL.forEach(rule -> rule.check(classes));
  }
}
