package io.quotaenforcer.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.quotaenforcer.core.PackageRules;
import io.quotaenforcer.core.PureRules;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who may import what. Think before adding to a row: a new package may be what is missing. */
class ArchitectureTest {
  private static final String ROOT = "io.quotaenforcer.core";

  private static final Map<String, List<String>> MAY_IMPORT =
      Map.of(
          ROOT + ".deferral",
          List.of(ROOT, ROOT + ".algorithm", ROOT + ".rule"),
          ROOT + ".backtest",
          List.of(
              ROOT,
              ROOT + ".algorithm",
              ROOT + ".hash",
              ROOT + ".ledger",
              ROOT + ".match",
              ROOT + ".rule"),
          ROOT + ".activity",
          List.of(ROOT, ROOT + ".ledger", ROOT + ".message"),
          ROOT + ".ledger",
          List.of(ROOT, ROOT + ".algorithm", ROOT + ".rule", ROOT + ".message"));

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(MAY_IMPORT.keySet().toArray(String[]::new));

  @Test
  void classes_areThere() {
    assertThat(CLASSES.size()).isGreaterThan(70);
  }

  @Test
  void packages_areInTheTable_andImportWhatTheyMay() {
    PackageRules.checkTable(CLASSES, MAY_IMPORT);
  }

  @Test
  void ledger_isPure() {
    PureRules.check(CLASSES);
  }
}
