package io.quotaenforcer.core;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.NullMarked;

/** Rules for the packages of every module. */
public final class PackageRules {
  private PackageRules() {}

  /** The classes below a package, without tests. */
  public static JavaClasses classesBelow(String root) {
    return new ClassFileImporter()
        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
        .importPackages(root);
  }

  /** Every package is null-marked and has a row that says what of ours it may import. */
  public static void checkTable(JavaClasses classes, Map<String, List<String>> mayImport) {
    assertThat(classes.stream().map(JavaClass::getPackage).distinct())
        .allSatisfy(it -> assertThat(mayImport).containsKey(it.getName()))
        .allMatch(it -> it.isAnnotatedWith(NullMarked.class));
    mayImport.forEach(
        (name, allowed) ->
            noClasses()
                .that()
                .resideInAPackage(name)
                .should()
                .dependOnClassesThat(
                    resideInAnyPackage("io.quotaenforcer..")
                        .and(not(resideInAnyPackage(name)))
                        .and(not(resideInAnyPackage(allowed.toArray(String[]::new)))))
                .check(classes));
  }

  /**
   * No class uses what a module keeps to itself.
   *
   * @param internals packages, with {@code ..} for those below
   * @param exceptions names of classes that may
   */
  public static void checkKeepsOut(JavaClasses classes, String internals, Set<String> exceptions) {
    noClasses()
        .that(
            DescribedPredicate.describe(
                "are not among " + exceptions, it -> !exceptions.contains(outermost(it).getName())))
        .should()
        .dependOnClassesThat(resideInAnyPackage(internals))
        .check(classes);
  }

  private static JavaClass outermost(JavaClass type) {
    return type.getEnclosingClass().map(PackageRules::outermost).orElse(type);
  }

  /** No package depends on itself by way of others; the root package is one of them. */
  public static void checkNoCycles(JavaClasses classes) {
    slices().assignedFrom(new ByPackage()).should().beFreeOfCycles().check(classes);
  }

  private static final class ByPackage implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      return SliceIdentifier.of(type.getPackageName());
    }

    @Override
    public String getDescription() {
      return "packages";
    }
  }
}
