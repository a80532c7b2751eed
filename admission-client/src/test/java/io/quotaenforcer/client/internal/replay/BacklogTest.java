package io.quotaenforcer.client.internal.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BacklogTest {
  private static final List<Integer> ALL = List.of(0, 1, 2);

  private final Backlog backlog = new Backlog(new Backlog.Limits(4, 10, 1_000));

  @Test
  void partition_withTooMany_isHeldUntilHalfAreLeft() {
    add(0, 3, 1);
    assertThat(backlog.held(ALL)).isEmpty();
    add(0, 1, 1);
    assertThat(backlog.held(ALL)).containsExactly(0);
    backlog.remove(0, 1);
    assertThat(backlog.held(ALL)).containsExactly(0);
    backlog.remove(0, 1);
    assertThat(backlog.held(ALL)).isEmpty();
  }

  @Test
  void records_tooManyInAll_holdEveryPartitionUntilHalfAreLeft() {
    add(0, 3, 1);
    add(1, 3, 1);
    add(2, 3, 1);
    assertThat(backlog.held(ALL)).isEmpty();
    add(2, 1, 1);
    assertThat(backlog.held(ALL)).containsExactlyInAnyOrder(0, 1, 2);
    for (int i = 0; i < 4; i++) {
      backlog.remove(2, 1);
    }
    assertThat(backlog.held(ALL)).containsExactlyInAnyOrder(0, 1, 2);
    backlog.remove(1, 1);
    assertThat(backlog.held(ALL)).isEmpty();
    assertThat(backlog.records()).isEqualTo(5);
  }

  @Test
  void bytes_tooManyInAll_holdEveryPartition() {
    add(1, 1, 999);
    assertThat(backlog.held(ALL)).isEmpty();
    add(2, 1, 1);
    assertThat(backlog.held(ALL)).containsExactlyInAnyOrder(0, 1, 2);
    backlog.remove(1, 999);
    assertThat(backlog.held(ALL)).isEmpty();
  }

  @Test
  void partition_thatIsNotAsked_isForgotten() {
    add(0, 4, 1);
    assertThat(backlog.held(ALL)).containsExactly(0);
    assertThat(backlog.held(List.of(1))).isEmpty();
    backlog.remove(0, 1);
    assertThat(backlog.held(ALL)).isEmpty();
  }

  private void add(int partition, int records, int bytes) {
    for (int i = 0; i < records; i++) {
      backlog.add(partition, bytes);
    }
  }
}
