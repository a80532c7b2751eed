package io.quotaenforcer.server;

import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.quotaenforcer.core.PackageRules;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who may import what. Think before adding to a row: a new package may be what is missing. */
class ArchitectureTest {
  private static final String ROOT = "io.quotaenforcer.server";

  private static final JavaClasses CLASSES = PackageRules.classesBelow(ROOT);

  @Test
  void packages_areInTheTable_andImportWhatTheyMay() {
    PackageRules.checkTable(
        CLASSES,
        Map.of(
            ROOT,
            List.of("io.quotaenforcer.schemas.setting"),
            ROOT + ".access",
            List.of(ROOT),
            ROOT + ".lifecycle",
            List.of(),
            ROOT + ".text",
            List.of()));
  }

  @Test
  void packages_haveNoCycles() {
    PackageRules.checkNoCycles(CLASSES);
  }

  @Test
  void standardStreams_areNotUsed() {
    NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(CLASSES);
  }
}
