package io.quotaenforcer.enforcer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.library.GeneralCodingRules;
import io.quotaenforcer.core.PackageRules;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who may import what. Think before adding to a row: a new package may be what is missing. */
class ArchitectureTest {
  private static final String ROOT = "io.quotaenforcer.enforcer";
  private static final String CORE = "io.quotaenforcer.core..";
  private static final String SCHEMAS = "io.quotaenforcer.schemas..";
  private static final String SERVER = "io.quotaenforcer.server..";

  private static final Map<String, List<String>> MAY_IMPORT =
      Map.ofEntries(
          // The program: what runs, and in which order.
          row("", ROOT + "..", CORE, SCHEMAS, SERVER),
          row("clock"),
          row("consumer", SERVER),
          row("logging"),
          // Settings. It names the class that bounds RocksDB's memory.
          row("config", CORE, SCHEMAS, in("store")),
          // The topology and what it keeps.
          row("metrics", CORE),
          row("store", CORE, SCHEMAS),
          row(
              "topology",
              CORE,
              SCHEMAS,
              in("activity"),
              in("clock"),
              in("config"),
              in("deferral"),
              in("metrics"),
              in("store"),
              in("transaction")),
          row("transaction", in("config"), in("topics")),
          row("deferral", CORE, SCHEMAS, SERVER, in("consumer"), in("store")),
          // Reading from outside, and writing through topics.
          row("query", CORE, "io.quotaenforcer.schemas.setting", in("store")),
          row("topics", CORE, SCHEMAS, in("config"), in("store")),
          row("rules", CORE, SCHEMAS, "io.quotaenforcer.rules", SERVER, in("consumer")),
          row("http", CORE, SERVER, in("config"), in("query"), in("rules")),
          row("activity", CORE),
          // What operators do through Kafka.
          row("deadletters", CORE, SCHEMAS),
          row(
              "operations",
              CORE,
              SCHEMAS,
              in("config"),
              in("deadletters"),
              in("query"),
              in("topics")),
          row("console"),
          row("backtest", CORE, SCHEMAS, in("config"), in("topics")),
          row(
              "api",
              CORE,
              SERVER,
              "io.quotaenforcer.rules",
              "io.quotaenforcer.schemas.setting",
              in("activity"),
              in("backtest"),
              in("config"),
              in("deadletters"),
              in("http"),
              in("metrics"),
              in("operations"),
              in("query"),
              in("rules")));

  private static final JavaClasses CLASSES = PackageRules.classesBelow(ROOT);

  @Test
  void classes_areThere() {
    assertThat(CLASSES.size()).isGreaterThan(150);
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
  void ledgerOfTheCore_isUsedByTheEnforcerOnly_bookOfTheClientIsNot() {
    noClasses()
        .that()
        .resideInAnyPackage(in("topology"), in("store"), in("query"), in("http"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.quotaenforcer.core.allotment")
        .check(CLASSES);
  }

  @Test
  void deployedClasses_knowNoClientAndNoBroker() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.quotaenforcer.client..", "kafka..", "io.quotaenforcer.broker..")
        .check(CLASSES);
  }

  @Test
  void kafkaStreams_staysInTheTopologyAndItsWiring() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            ROOT,
            in("config"),
            in("deferral"),
            in("logging"),
            in("query"),
            in("store"),
            in("topology"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.apache.kafka.streams..")
        .check(CLASSES);
  }

  @Test
  void standardStreams_areUsedByNobody() {
    noClasses().should(GeneralCodingRules.ACCESS_STANDARD_STREAMS).check(CLASSES);
  }

  private static String in(String name) {
    return ROOT + "." + name;
  }

  private static Map.Entry<String, List<String>> row(String name, String... mayImport) {
    return Map.entry(name.isEmpty() ? ROOT : in(name), List.of(mayImport));
  }
}
