package io.quotaenforcer.lab;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.library.GeneralCodingRules;
import io.quotaenforcer.core.PackageRules;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who may import what. Think before adding to a row: a new package may be what is missing. */
class ArchitectureTest {
  private static final String ROOT = "io.quotaenforcer.lab";
  private static final String CORE = "io.quotaenforcer.core..";
  private static final String CLIENT = "io.quotaenforcer.client..";
  private static final String SCHEMAS = "io.quotaenforcer.schemas..";
  private static final String CLI = "io.quotaenforcer.cli";
  private static final String ENFORCER = "io.quotaenforcer.enforcer";
  private static final String SERVER = "io.quotaenforcer.server..";
  private static final String RULES = "io.quotaenforcer.rules";

  private static final Map<String, List<String>> MAY_IMPORT =
      Map.ofEntries(
          // Judging recorded decisions; no Kafka, and nothing of what it judges.
          row("verdict", CORE),
          row("trace", CORE, in("verdict")),
          row("limits", CORE),
          // Each in a process of its own.
          row("process", CORE, CLI, ENFORCER),
          row("service", CORE, CLIENT, RULES, in("trace"), in("verdict")),
          row(
              "outage",
              CORE,
              RULES,
              in("limits"),
              in("process"),
              in("service"),
              in("trace"),
              in("verdict")),
          // All in one process.
          row("decider", CORE, CLIENT, SCHEMAS, in("verdict")),
          row("embedded", CORE, SCHEMAS, SERVER, ENFORCER + "..", "io.quotaenforcer.broker"),
          row(
              "demo",
              CORE,
              CLIENT,
              SCHEMAS,
              CLI + ".text",
              ENFORCER + ".rules",
              RULES,
              in("decider"),
              in("embedded"),
              in("trace"),
              in("verdict")),
          row(
              "runlog",
              CORE,
              CLIENT,
              SCHEMAS,
              CLI + ".log",
              CLI + ".text",
              SERVER,
              ENFORCER + ".topology",
              in("embedded"),
              in("verdict")),
          row(
              "up",
              CORE,
              SCHEMAS,
              ENFORCER + "..",
              RULES,
              "io.quotaenforcer.broker",
              "io.quotaenforcer.gateway",
              "io.quotaenforcer.server.access",
              "io.quotaenforcer.server.lifecycle"),
          row(
              "command",
              CORE,
              CLI + "..",
              ENFORCER + "..",
              RULES,
              SERVER,
              "io.quotaenforcer.broker",
              in("demo"),
              in("runlog"),
              in("up")));

  private static final JavaClasses CLASSES = PackageRules.classesBelow(ROOT);

  @Test
  void classes_areThere() {
    assertThat(CLASSES.size()).isGreaterThan(80);
  }

  @Test
  void packages_areInTheTable_andImportWhatTheyMay() {
    PackageRules.checkTable(CLASSES, MAY_IMPORT);
  }

  /** Other ways to decide run over the client's own background threads. */
  @Test
  void internalsOfTheClient_areUsedByOtherWaysToDecideOnly() {
    PackageRules.checkKeepsOut(
        CLASSES,
        "io.quotaenforcer.client.internal..",
        Set.of(ROOT + ".decider.DelayedCountDecider"));
  }

  @Test
  void packages_haveNoCycles() {
    PackageRules.checkNoCycles(CLASSES);
  }

  @Test
  void standardStreams_areUsedByCommandsOnly() {
    noClasses()
        .that()
        .resideOutsideOfPackage(in("command"))
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
