package io.quotaenforcer.core;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.onlyDependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.core.domain.properties.HasOwner;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.time.Clock;
import java.time.temporal.Temporal;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Who may import what in this module, and what nothing in it may touch. */
class ArchitectureTest {
  private static final String ROOT = "io.quotaenforcer.core";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .importUrl(Request.class.getProtectionDomain().getCodeSource().getLocation());

  /** A map of the module; think before adding to it. */
  static Stream<Arguments> imports() {
    return Stream.of(
        arguments("", List.of()),
        arguments(".algorithm", List.of("")),
        arguments(".setting", List.of("")),
        arguments(".rule", List.of("", ".algorithm")),
        arguments(".message", List.of("", ".algorithm")),
        arguments(".ledger", List.of("", ".algorithm", ".rule", ".message")),
        arguments(".allotment", List.of("", ".algorithm", ".rule", ".message")));
  }

  @ParameterizedTest
  @MethodSource("imports")
  void package_imports_onlyWhatItMayKnow(String name, List<String> allowed) {
    List<String> known =
        Stream.concat(
                Stream.of("java..", "org.jspecify.annotations", ROOT + name),
                allowed.stream().map(other -> ROOT + other))
            .toList();
    classes()
        .that()
        .resideInAPackage(ROOT + name)
        .should(onlyDependOnClassesThat(resideInAnyPackage(known.toArray(String[]::new))))
        .check(CLASSES);
  }

  @Test
  void packages_all_areOnTheMap() {
    TreeSet<String> onTheMap = new TreeSet<>();
    imports().forEach(each -> onTheMap.add(ROOT + each.get()[0]));
    TreeSet<String> found = new TreeSet<>();
    CLASSES.forEach(each -> found.add(each.getPackageName()));
    assertThat(found).isEqualTo(onTheMap);
  }

  @Test
  void packages_dependOnEachOther_withoutCycles() {
    slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void packages_all_areNullMarked() {
    JavaPackage root = CLASSES.getPackage(ROOT);
    assertThat(root.getSubpackagesInTree()).hasSizeGreaterThanOrEqualTo(6);
    assertThat(Stream.concat(Stream.of(root), root.getSubpackagesInTree().stream()))
        .allMatch(each -> each.isAnnotatedWith(NullMarked.class));
  }

  @Test
  void time_everywhere_isAnArgument() {
    noClasses()
        .should()
        .callMethodWhere(isCallOf(System.class, "nanoTime|currentTimeMillis"))
        .orShould()
        .callMethodWhere(isCallOf(Temporal.class, "now"))
        .orShould()
        .dependOnClassesThat(assignableTo(Clock.class))
        .check(CLASSES);
  }

  @Test
  void threads_nowhere_areStartedOrWaitedFor() {
    noClasses()
        .should()
        .dependOnClassesThat(
            assignableTo(Thread.class)
                .or(assignableTo(Executor.class))
                .or(resideInAPackage("java.util.concurrent.locks..")))
        .orShould()
        .callMethodWhere(isCallOf(Object.class, "wait|notify|notifyAll"))
        .check(CLASSES);
  }

  @Test
  void outsideWorld_nowhere_isTouched() {
    noClasses()
        .should(ACCESS_STANDARD_STREAMS)
        .orShould()
        .callMethodWhere(isCallOf(System.class, "getenv|getProperty|getProperties|exit"))
        .orShould()
        .dependOnClassesThat(
            resideInAnyPackage("java.net.http..", "java.nio.channels..", "java.util.logging..")
                .or(assignableTo(Files.class))
                .or(assignableTo(Socket.class))
                .or(assignableTo(InetAddress.class)))
        .check(CLASSES);
  }

  @Test
  void import_ofThisModule_findsItsClasses() {
    assertThat(CLASSES).hasSizeGreaterThanOrEqualTo(90);
  }

  private static DescribedPredicate<JavaCall<?>> isCallOf(Class<?> owner, String names) {
    return JavaCall.Predicates.target(
        HasOwner.Predicates.With.<JavaClass>owner(assignableTo(owner))
            .and(HasName.Predicates.nameMatching(names)));
  }
}
