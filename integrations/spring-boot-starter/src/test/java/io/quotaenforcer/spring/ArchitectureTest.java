package io.quotaenforcer.spring;

import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.quotaenforcer.core.PackageRules;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who may import what. */
class ArchitectureTest {
  private static final String ROOT = "io.quotaenforcer.spring";
  private static final String CORE = "io.quotaenforcer.core";
  private static final String CLIENT = "io.quotaenforcer.client";
  private static final String HTTP = "io.quotaenforcer.http";

  private static final JavaClasses CLASSES = PackageRules.classesBelow(ROOT);

  @Test
  void classes_areThere() {
    assertThat(CLASSES.size()).isGreaterThan(30);
  }

  @Test
  void packages_areInTheTable_andImportWhatTheyMay() {
    PackageRules.checkTable(
        CLASSES,
        Map.of(
            ROOT,
            List.of(CLIENT, HTTP),
            ROOT + ".autoconfigure",
            List.of(
                ROOT + "..",
                CLIENT,
                CLIENT + ".spi",
                HTTP,
                "io.quotaenforcer.micrometer",
                "io.quotaenforcer.rules",
                "io.quotaenforcer.servlet"),
            ROOT + ".gateway",
            List.of(CORE, CLIENT, HTTP),
            ROOT + ".health",
            List.of(CLIENT, CORE + ".rule"),
            ROOT + ".method",
            List.of(ROOT, CORE, CLIENT, HTTP),
            ROOT + ".web",
            List.of(CORE, CLIENT, HTTP)));
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
