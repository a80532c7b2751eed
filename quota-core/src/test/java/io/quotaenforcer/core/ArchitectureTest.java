package io.quotaenforcer.core;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who may import what. Think before adding to a row: a new package may be what is missing. */
class ArchitectureTest {
  private static final String ROOT = "io.quotaenforcer.core";

  private static final Map<String, List<String>> MAY_IMPORT =
      Map.ofEntries(
          Map.entry(ROOT, List.of(ROOT + ".adapt")),
          Map.entry(ROOT + ".algorithm", List.of(ROOT)),
          Map.entry(ROOT + ".adapt", List.of()),
          Map.entry(ROOT + ".match", List.of(ROOT)),
          Map.entry(ROOT + ".hash", List.of(ROOT)),
          Map.entry(
              ROOT + ".rule",
              List.of(ROOT, ROOT + ".adapt", ROOT + ".algorithm", ROOT + ".match", ROOT + ".hash")),
          Map.entry(ROOT + ".message", List.of(ROOT, ROOT + ".adapt")),
          Map.entry(
              ROOT + ".standalone",
              List.of(ROOT, ROOT + ".adapt", ROOT + ".algorithm", ROOT + ".rule", ROOT + ".hash")),
          Map.entry(
              ROOT + ".allotment",
              List.of(
                  ROOT,
                  ROOT + ".adapt",
                  ROOT + ".algorithm",
                  ROOT + ".match",
                  ROOT + ".hash",
                  ROOT + ".rule",
                  ROOT + ".message")));

  private static final JavaClasses CLASSES = PackageRules.classesBelow(ROOT);

  @Test
  void classes_areThere() {
    assertThat(CLASSES.size()).isGreaterThan(60);
  }

  @Test
  void packages_areInTheTable_andImportWhatTheyMay() {
    PackageRules.checkTable(CLASSES, MAY_IMPORT);
  }

  @Test
  void packages_haveNoCycles() {
    PackageRules.checkNoCycles(CLASSES);
  }

  /** Book, what decides, keys, a key, its cells: who is below knows nobody above. */
  @Test
  void allotment_classesKnowEachOtherOneWay() {
    SliceAssignment outermost =
        new SliceAssignment() {
          @Override
          public SliceIdentifier getIdentifierOf(JavaClass type) {
            return type.getPackageName().equals(ROOT + ".allotment")
                ? SliceIdentifier.of(type.getName().replaceFirst("\\$.*", ""))
                : SliceIdentifier.ignore();
          }

          @Override
          public String getDescription() {
            return "outermost classes of allotment";
          }
        };
    slices().assignedFrom(outermost).should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void core_isPure() {
    PureRules.check(CLASSES);
  }
}
