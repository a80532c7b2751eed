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
  private static final String CLIENT = "io.quotaenforcer.client";
  private static final String CLIENT_ANY = "io.quotaenforcer.client..";
  private static final String SCHEMAS = "io.quotaenforcer.schemas..";

  private static final Map<String, List<String>> MAY_IMPORT =
      Map.ofEntries(
          // The process: what runs, and in which order.
          row("", ROOT + "..", CORE, CLIENT_ANY, SCHEMAS),
          row("lifecycle"),
          row("clock"),
          row("logging"),
          row("text"),
          // Settings. It names the class that bounds RocksDB's memory.
          row("config", CORE, "io.quotaenforcer.schemas.codec", in("store")),
          // The topology and what it keeps. What a snapshot is keyed by, the client says.
          row("metrics", CORE),
          row("store", CORE, SCHEMAS),
          row(
              "topology",
              CORE,
              SCHEMAS,
              CLIENT + ".kafka",
              in("clock"),
              in("config"),
              in("deferral"),
              in("metrics"),
              in("store")),
          row("deferral", CORE, SCHEMAS, CLIENT + ".kafka", in("lifecycle"), in("store")),
          // Reading from outside, and writing through topics.
          row("query", CORE, in("store")),
          row("topics", CORE, SCHEMAS, in("config"), in("store")),
          row("deadletters", CORE, SCHEMAS),
          row("rules", CORE, SCHEMAS, CLIENT + ".kafka", in("lifecycle")),
          row("envoy", CORE, in("rules")),
          row("http", CORE, in("config"), in("query"), in("rules")),
          // Judging recorded decisions; no Kafka.
          row("verdict", CORE),
          row("trace", CORE, in("verdict")),
          row("log", CORE, in("text"), in("verdict")),
          row("backtest", CORE, SCHEMAS, in("log"), in("text")),
          // All in one process.
          row("decider", CORE, CLIENT_ANY, SCHEMAS, in("verdict")),
          row("embedded", CORE, CLIENT_ANY, SCHEMAS, ROOT + ".."),
          row(
              "demo",
              CORE,
              CLIENT_ANY,
              in("decider"),
              in("embedded"),
              in("log"),
              in("rules"),
              in("text"),
              in("trace"),
              in("verdict")),
          row("runlog", CORE, CLIENT_ANY, in("embedded"), in("log"), in("topology"), in("verdict")),
          row(
              "cli",
              CORE,
              CLIENT_ANY,
              SCHEMAS,
              ROOT,
              in("backtest"),
              in("config"),
              in("deadletters"),
              in("demo"),
              in("embedded"),
              in("envoy"),
              in("http"),
              in("lifecycle"),
              in("log"),
              in("query"),
              in("rules"),
              in("runlog"),
              in("text"),
              in("topics"),
              in("trace"),
              in("verdict")));

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
  void kafkaStreams_staysInTheTopologyAndItsWiring() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            ROOT,
            in("config"),
            in("deferral"),
            in("embedded"),
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
  void standardStreams_areUsedByCommandsOnly() {
    noClasses()
        .that()
        .resideOutsideOfPackage(in("cli"))
        .should(GeneralCodingRules.ACCESS_STANDARD_STREAMS)
        .check(CLASSES);
  }

  private static String in(String name) {
    return ROOT + "." + name;
  }

  private static Map.Entry<String, List<String>> row(String name, String... mayImport) {
    return Map.entry(name.isEmpty() ? ROOT : in(name), List.of(mayImport));
  }
}
