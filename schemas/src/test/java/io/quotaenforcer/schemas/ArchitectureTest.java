package io.quotaenforcer.schemas;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.quotaenforcer.core.PackageRules;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final String ROOT = "io.quotaenforcer.schemas";

  private static final JavaClasses CLASSES = PackageRules.classesBelow(ROOT);

  @Test
  void classes_areThere() {
    assertThat(CLASSES.size()).isGreaterThan(40);
  }

  @Test
  void packages_haveNoCycles() {
    PackageRules.checkNoCycles(CLASSES);
  }

  @Test
  void packages_areNullMarked() {
    assertThat(CLASSES.stream().map(type -> type.getPackage()).distinct())
        .filteredOn(it -> !it.getName().equals(ROOT))
        .allMatch(it -> it.isAnnotatedWith(NullMarked.class));
  }

  @Test
  void confluentsClientAndAvro_areTouchedInOnePlace() {
    noClasses()
        .that()
        .haveNameNotMatching(".*\\.(ConfluentSchemaRegistry|PortableSchemas)(\\$.*)?")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.confluent..", "org.apache.avro..", "com.fasterxml..")
        .check(CLASSES);
  }

  @Test
  void codecs_knowNeitherTopicsNorRecords() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + ".codec")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(ROOT, ROOT + ".topic")
        .check(CLASSES);
  }

  @Test
  void mapping_knowsRecordsAndCore_andNothingElseOfOurs() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + ".mapping")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(ROOT + ".codec", ROOT + ".topic", "org.apache.kafka..")
        .check(CLASSES);
  }

  @Test
  void generatedRecords_knowTheirEncoding_andNothingElseOfOurs() {
    noClasses()
        .that()
        .resideInAPackage(ROOT)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            ROOT + ".codec", ROOT + ".mapping", ROOT + ".topic", "io.quotaenforcer.core..")
        .check(CLASSES);
  }

  @Test
  void encoding_knowsNothingOfOurs() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + ".avro")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            ROOT,
            ROOT + ".codec",
            ROOT + ".mapping",
            ROOT + ".topic",
            "io.quotaenforcer.core..",
            "org.apache.kafka..")
        .check(CLASSES);
  }

  @Test
  void settings_knowNothingOfOurs_butSuggestions() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + ".setting")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(ROOT, ROOT + ".codec", ROOT + ".mapping", ROOT + ".topic")
                .or(resideInAPackage("io.quotaenforcer.core.*..")))
        .check(CLASSES);
  }

  @Test
  void schemas_knowOfTheCoreOnly() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.quotaenforcer.client..", "io.quotaenforcer.enforcer..")
        .check(CLASSES);
  }

  @Test
  void core_isKnownByMappingAndTopics() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + ".codec")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.quotaenforcer.core..")
        .check(CLASSES);
  }

  @Test
  void standardStreams_areNotUsed() {
    NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(CLASSES);
  }
}
