package io.quotaenforcer.rules;

import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.quotaenforcer.core.PackageRules;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The rule language knows the core, and how settings are spelled; no Kafka. */
class ArchitectureTest {
  private static final String ROOT = "io.quotaenforcer.rules";
  private static final JavaClasses CLASSES = PackageRules.classesBelow(ROOT);

  @Test
  void classes_areThere() {
    assertThat(CLASSES.size()).isGreaterThan(40);
  }

  @Test
  void package_importsWhatItMay() {
    PackageRules.checkTable(
        CLASSES,
        Map.of(
            ROOT,
            List.of("io.quotaenforcer.core..", "io.quotaenforcer.schemas.setting"),
            ROOT + ".envoy",
            List.of("io.quotaenforcer.core..", ROOT)));
  }

  @Test
  void standardStreams_areNotUsed() {
    NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(CLASSES);
  }
}
