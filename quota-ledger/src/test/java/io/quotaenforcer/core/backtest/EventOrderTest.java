package io.quotaenforcer.core.backtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventOrderTest {
  private static final long LATENESS = 60;

  private final List<String> passed = new ArrayList<>();

  @Test
  void stragglers_withinTheLateness_arePutInOrder() {
    EventOrder<String> order = order(100);

    add(order, 100, 130, 110, 160, 120);
    assertThat(passed).isEmpty();
    add(order, 181);
    assertThat(passed).containsExactly("100@100", "110@110", "120@120");
    order.end();

    assertThat(passed)
        .containsExactly("100@100", "110@110", "120@120", "130@130", "160@160", "181@181");
    assertThat(order.late()).isZero();
  }

  @Test
  void straggler_beyondTheLateness_isPassedOnAtTheTimeOfTheLast() {
    EventOrder<String> order = order(100);

    add(order, 100, 200, 300, 90, 200);
    assertThat(passed).containsExactly("100@100", "200@200", "90@200", "200@200");
    order.end();

    assertThat(passed).containsExactly("100@100", "200@200", "90@200", "200@200", "300@300");
    assertThat(order.late()).isEqualTo(1);
  }

  @Test
  void tooManyHeldBack_theEarliestPasses() {
    EventOrder<String> order = order(2);

    add(order, 30, 20, 10, 15);

    assertThat(passed).containsExactly("10@10", "15@15");
  }

  @Test
  void oneEventFarAhead_doesNotMoveTheTimeOfTheOthers() {
    EventOrder<String> order = order(100);

    add(order, 100, 1_000_000, 110, 120, 130);
    order.end();

    assertThat(passed)
        .containsExactly("100@100", "110@110", "120@120", "130@130", "1000000@1000000");
    assertThat(order.late()).isZero();
  }

  @Test
  void anyOrder_withinTheLateness_isSortedAndKeepsTheOrderOfEqualTimes() {
    Seeded.check(
        50,
        random -> {
          List<long[]> events = new ArrayList<>();
          long time = 0;
          for (int i = 0; i < 500; i++) {
            time += random.nextInt(10);
            events.add(new long[] {Math.max(0, time - random.nextLong(LATENESS)), i});
          }
          List<long[]> out = new ArrayList<>();
          EventOrder<long[]> order =
              new EventOrder<>(
                  new BacktestBounds(1, 1, 1_000, LATENESS),
                  (event, at) -> {
                    assertThat(at).isEqualTo(event[0]);
                    out.add(event);
                  });

          events.forEach(event -> order.add(event, event[0]));
          order.end();

          List<long[]> sorted = new ArrayList<>(events);
          sorted.sort(Comparator.comparingLong(event -> event[0]));
          assertThat(out).containsExactlyElementsOf(sorted);
          assertThat(order.late()).isZero();
        });
  }

  @Test
  void anyOrder_atAll_passesEachEventOnceAndNeverRunsBackwards() {
    Seeded.check(
        50,
        random -> {
          List<Integer> out = new ArrayList<>();
          long[] last = {Long.MIN_VALUE};
          EventOrder<Integer> order =
              new EventOrder<>(
                  new BacktestBounds(1, 1, 1 + random.nextInt(20), LATENESS),
                  (event, at) -> {
                    assertThat(at).isGreaterThanOrEqualTo(last[0]);
                    last[0] = at;
                    out.add(event);
                  });

          for (int i = 0; i < 500; i++) {
            order.add(i, random.nextLong(1_000));
          }
          order.end();

          assertThat(out).hasSize(500).doesNotHaveDuplicates();
        });
  }

  private EventOrder<String> order(int maxHeldBack) {
    return new EventOrder<>(
        new BacktestBounds(1, 1, maxHeldBack, LATENESS),
        (event, at) -> passed.add(event + "@" + at));
  }

  private static void add(EventOrder<String> order, long... times) {
    for (long time : times) {
      order.add(Long.toString(time), time);
    }
  }
}
