package io.quotaenforcer.bench.accuracy.innocents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class RealInnocentsTest {
  private static final long NOW = Visits.START;
  private static final Visitors VISITORS = new Visitors(60);

  /** Of the limit of 60 per 1 s. */
  private static final int USER = 31;

  @Test
  void judge_putsRequestsOfAllInstancesInOrder_andTakesThemWhenTheyWereAsked() {
    RealLog.Entry late = entry(NOW + 20, NOW + 500, true);
    RealLog.Entry away = entry(NOW + 10, NOW + 10, false);
    RealLog.Entry first = entry(NOW, NOW, true);

    Judge judge =
        RealInnocents.judge(
            LimitKind.TOKEN_BUCKET, VISITORS, List.of(late, away, first), 1_000_000);

    Figures figures = judge.figures(UserLimit.PER_SECOND, UserClass.INNOCENT);
    assertThat(VISITORS.limitOf(USER)).isEqualTo(UserLimit.PER_SECOND);
    assertThat(figures.requests()).isEqualTo(3);
    assertThat(figures.admitted()).isEqualTo(2);
    assertThat(figures.turnedAway().turnedAway()).isEqualTo(1);
    assertThat(judge.waitsOfInnocents()).containsExactlyInAnyOrder(0L, 480L);
  }

  @Test
  void log_writtenAndRead_isTheSame() throws IOException {
    RealLog log = new RealLog(List.of(entry(1, 2, true), entry(3, 3, false)), 7.5);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    log.write(new DataOutputStream(bytes));

    assertThat(RealLog.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()))))
        .isEqualTo(log);
  }

  @Test
  void load_ofAllInstances_isEachRequestOnce_ofRulesOfItsOwnCase() {
    RealLoad load = new RealLoad(60, 5, 3, "user-");
    int size = 0;
    for (int i = 0; i < RealLoad.INSTANCES; i++) {
      size += load.of(i).size();
    }
    int all = 0;
    for (int of = 0; of < RealLoad.CASES.size(); of++) {
      all += new Visits(load.visitors(of), RealLoad.INSTANCES, 5, 3 + of).size();
    }

    assertThat(size).isEqualTo(all);
    assertThat(load.rules()).doesNotHaveDuplicates().hasSize(3 * RealLoad.CASES.size());
    assertThat(load.rules().stream().map(rule -> rule.id()).distinct())
        .hasSize(3 * RealLoad.CASES.size());
  }

  private static RealLog.Entry entry(long asked, long decided, boolean admitted) {
    return new RealLog.Entry(0, USER, asked, decided, admitted, 0);
  }
}
