package io.quotaenforcer.bench.moving.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SlotLogTest {
  private final SlotLog log = new SlotLog();

  @Test
  void slots_areHeldFromBeginToEnd_whateverTheOrderInWhichTheyAreTold() {
    log.ends(2, 30);
    log.begins(2, 10);
    log.begins(1, 20);

    assertThat(log.most()).isEqualTo(3);
    assertThat(log.mean(10, 30)).isEqualTo(2.5);
    assertThat(log.mean(30, 50)).isEqualTo(1);
  }

  @Test
  void slotThatIsTakenAsAnotherComesBack_isNotOneMore() {
    log.begins(1, 10);
    log.begins(1, 20);
    log.ends(1, 20);

    assertThat(log.most()).isEqualTo(1);
  }

  @Test
  void firstMoment_isThatOfTheLastOfThem_andAfterTheGivenOne() {
    log.begins(2, 10);
    log.ends(2, 20);
    log.begins(1, 25);
    assertThat(log.firstAfter(20, 2)).isEmpty();

    log.begins(1, 40);
    assertThat(log.firstAfter(20, 2)).hasValue(40);
    assertThat(log.firstAfter(5, 2)).hasValue(10);
  }
}
