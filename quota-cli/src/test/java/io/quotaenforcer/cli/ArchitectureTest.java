package io.quotaenforcer.cli;

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
  private static final String ROOT = "io.quotaenforcer.cli";
  private static final String CORE = "io.quotaenforcer.core..";
  private static final String CLIENT = "io.quotaenforcer.client..";
  private static final String SCHEMAS = "io.quotaenforcer.schemas..";
  private static final String ENFORCER = "io.quotaenforcer.enforcer";
  private static final String RULES = "io.quotaenforcer.rules..";
  private static final String SERVER = "io.quotaenforcer.server..";
  private static final String GATEWAY = "io.quotaenforcer.gateway";

  private static final Map<String, List<String>> MAY_IMPORT =
      Map.ofEntries(
          row("", ROOT + "..", CORE, CLIENT, SCHEMAS, RULES, SERVER, GATEWAY, ENFORCER + ".."),
          row("text", SERVER),
          row("log", CORE, in("text")),
          row("backtest", CORE, ENFORCER + ".backtest", in("log"), in("text"), SERVER),
          row("entitlements", CORE, in("log")),
          // Facts and what they mean; asks nobody.
          row("doctor"),
          row("examine", CORE, SCHEMAS, RULES, ENFORCER + "..", in("doctor")));

  private static final JavaClasses CLASSES = PackageRules.classesBelow(ROOT);

  @Test
  void classes_areThere() {
    assertThat(CLASSES.size()).isGreaterThan(80);
  }

  @Test
  void packages_areInTheTable_andImportWhatTheyMay() {
    PackageRules.checkTable(CLASSES, MAY_IMPORT);
  }

  @Test
  void internalsOfTheClient_areNotUsed() {
    PackageRules.checkKeepsOut(CLASSES, "io.quotaenforcer.client.internal..", Set.of());
  }

  @Test
  void packages_haveNoCycles() {
    PackageRules.checkNoCycles(CLASSES);
  }

  @Test
  void standardStreams_areUsedByCommandsOnly() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT)
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
