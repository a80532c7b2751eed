package io.quotaenforcer.bench.accuracy.innocents;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three instances as processes, on a real broker and enforcer. */
@Timeout(90)
class RealInnocentsIT {
  @Test
  void innocents_real_areJudgedOnEveryCase() throws InterruptedException {
    List<InnocentsRow> rows = new RealInnocents(60, 2, 1, 3).run(name -> true);

    assertThat(rows).extracting(InnocentsRow::of).containsExactlyElementsOf(RealLoad.CASES);
    for (InnocentsRow row : rows) {
      Figures innocents = row.figures(UserClass.INNOCENT);
      assertThat(innocents.requests()).as("%s", row.of()).isPositive();
      assertThat(innocents.turnedAway().allowed()).isEqualTo(innocents.requests());
      assertThat(row.toJson()).containsEntry("mode", "real").containsEntry("seed", 3L);
    }
    assertThat(rows).anySatisfy(row -> assertThat(row.loopMs()).isPositive());
  }

  @Test
  void innocents_noneWanted_startsNothing() throws InterruptedException {
    assertThat(new RealInnocents(60, 2, 1, 3).run(name -> false)).isEmpty();
  }
}
