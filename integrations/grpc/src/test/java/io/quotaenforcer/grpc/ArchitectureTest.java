package io.quotaenforcer.grpc;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.quotaenforcer.core.PackageRules;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who may import what. */
class ArchitectureTest {
  private static final String ROOT = "io.quotaenforcer.grpc";

  private static final JavaClasses CLASSES = PackageRules.classesBelow(ROOT);

  @Test
  void classes_areThere() {
    assertThat(CLASSES.size()).isGreaterThan(10);
  }

  @Test
  void adapter_importsTheClientAndItsWords() {
    PackageRules.checkTable(
        CLASSES, Map.of(ROOT, List.of("io.quotaenforcer.client", "io.quotaenforcer.core")));
  }

  @Test
  void adapter_importsNoTransportAndNoKafka() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.grpc.netty..", "io.grpc.inprocess..", "io.grpc.internal..", "org.apache..")
        .check(CLASSES);
  }

  @Test
  void standardStreams_areNotUsed() {
    NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(CLASSES);
  }
}
