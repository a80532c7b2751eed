package io.quotaenforcer.core.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.match.Matcher;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DemandClassesTest {
  private static final Map<String, Matcher> CHARGES =
      Map.of("api", new Matcher.Exact("POST /charges"));
  private static final Map<String, Matcher> JOBS = Map.of("job", new Matcher.Any());

  private static final DemandClasses CLASSES =
      new DemandClasses(
          List.of(
              new DemandClass("critical", CHARGES, 2_000, 10_000),
              new DemandClass("normal", Map.of(), 1_000, 10_000),
              new DemandClass("batch", JOBS, 0, 5_000)));

  @Test
  void request_isOfTheFirstClassWhoseConditionsHold_orOfTheOneWithout() {
    assertThat(CLASSES.of(Map.of("api", "POST /charges", "job", "x"))).isZero();
    assertThat(CLASSES.of(Map.of("job", "x"))).isEqualTo(2);
    assertThat(CLASSES.of(Map.of("api", "GET /"))).isEqualTo(1);
    assertThat(CLASSES.of(Map.of())).isEqualTo(1);
  }

  @Test
  void request_ofNoClass_isOfTheLast() {
    DemandClasses classes =
        new DemandClasses(List.of(DemandClass.of("a", CHARGES), DemandClass.of("b", JOBS)));

    assertThat(classes.of(Map.of())).isEqualTo(1);
    assertThat(DemandClasses.NONE.of(Map.of())).isZero();
  }

  @Test
  void withheld_isWhatThoseBeforeReserve_orWhatIsAboveUpTo() {
    assertThat(CLASSES.withheld(0, 1_000)).isZero();
    assertThat(CLASSES.withheld(1, 1_000)).isEqualTo(200);
    assertThat(CLASSES.withheld(2, 1_000)).isEqualTo(500);
    assertThat(CLASSES.withheld(2, 1_000_000_000_000L)).isEqualTo(500_000_000_000L);
    assertThat(CLASSES.withheld(1, 3)).isZero();
  }

  @Test
  void classes_thatContradictEachOther_areRefused() {
    DemandClass half = new DemandClass("half", JOBS, 5_001, 10_000);

    assertThatThrownBy(() -> new DemandClasses(List.of(half, half)))
        .hasMessageStartingWith("must have different names");
    assertThatThrownBy(
            () -> new DemandClasses(List.of(half, new DemandClass("other", JOBS, 5_000, 10_000))))
        .hasMessageStartingWith("must reserve 100 % at most");
    assertThatThrownBy(() -> new DemandClasses(Collections.nCopies(9, half)))
        .hasMessage("must be at most 8: classes=9");
    assertThatThrownBy(() -> new DemandClass("a", JOBS, -1, 1)).hasMessageContaining("reserve");
    assertThatThrownBy(() -> new DemandClass("a", JOBS, 0, 0)).hasMessageContaining("upTo");
  }
}
