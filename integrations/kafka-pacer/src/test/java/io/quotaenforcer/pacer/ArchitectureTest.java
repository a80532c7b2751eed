package io.quotaenforcer.pacer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import io.quotaenforcer.core.PackageRules;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.junit.jupiter.api.Test;

/** Who may import what. */
class ArchitectureTest {
  private static final String ROOT = "io.quotaenforcer.pacer";

  private static final JavaClasses CLASSES = PackageRules.classesBelow(ROOT);

  @Test
  void classes_areThere() {
    assertThat(CLASSES.size()).isGreaterThan(8);
  }

  @Test
  void adapter_importsTheClientAndItsWords() {
    PackageRules.checkTable(
        CLASSES, Map.of(ROOT, List.of("io.quotaenforcer.client", "io.quotaenforcer.core")));
  }

  @Test
  void pacer_aloneKnowsTheConsumerAndReadsTheClock() {
    noClasses()
        .that()
        .doNotBelongToAnyOf(Pacer.class)
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Consumer.class)
        .orShould()
        .callMethod(System.class, "nanoTime")
        .check(CLASSES);
  }

  @Test
  void standardStreams_areNotUsed() {
    NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(CLASSES);
  }
}
