package io.quotaenforcer.bench.accuracy.innocents;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class VisitsTest {
  private static final Visitors VISITORS = new Visitors(1_200);
  private static final Visits VISITS = new Visits(VISITORS, 8, 60, 3);

  @Test
  void visits_areInOrderOfTime() {
    for (int i = 1; i < VISITS.size(); i++) {
      assertThat(VISITS.at(i)).isGreaterThanOrEqualTo(VISITS.at(i - 1));
    }
    assertThat(VISITS.at(VISITS.size() - 1)).isLessThan(VISITS.endNanos());
  }

  @Test
  void visits_sameSeed_areTheSame() {
    Visits again = new Visits(VISITORS, 8, 60, 3);

    assertThat(again.size()).isEqualTo(VISITS.size());
    for (int i = 0; i < VISITS.size(); i++) {
      assertThat(again.at(i)).isEqualTo(VISITS.at(i));
      assertThat(again.user(i)).isEqualTo(VISITS.user(i));
      assertThat(again.instance(i)).isEqualTo(VISITS.instance(i));
    }
  }

  @Test
  void abusers_areOneInFifty_andAskOfAllInstances() {
    Map<Integer, Set<Integer>> instances = new HashMap<>();
    Map<Integer, Integer> requests = new HashMap<>();
    for (int i = 0; i < VISITS.size(); i++) {
      int user = VISITS.user(i);
      instances.computeIfAbsent(user, any -> new HashSet<>()).add(VISITS.instance(i));
      requests.merge(user, 1, Integer::sum);
    }

    for (int user = 0; user < VISITORS.count(); user++) {
      assertThat(VISITORS.isAbuser(user)).isEqualTo(user < 24);
      if (VISITORS.isAbuser(user)) {
        assertThat(instances.get(user)).hasSize(8);
        assertThat(requests.get(user)).isGreaterThan((int) (2 * VISITORS.limitOf(user).permits()));
      }
    }
  }

  @Test
  void visitsOfOneUser_goToOneInstanceEachOrEachRequestToItsOwn() {
    Map<Integer, Integer> changes = new HashMap<>();
    Map<Integer, Integer> together = new HashMap<>();
    Map<Integer, Integer> lastIndex = new HashMap<>();
    for (int i = 0; i < VISITS.size(); i++) {
      int user = VISITS.user(i);
      Integer last = lastIndex.put(user, i);
      // Within a visit requests are a second apart at most, and visits further than that.
      if (last != null && VISITS.at(i) - VISITS.at(last) < 900_000_000L) {
        together.merge(user, 1, Integer::sum);
        changes.merge(user, VISITS.instance(i) == VISITS.instance(last) ? 0 : 1, Integer::sum);
      }
    }

    long spread = 0;
    for (Map.Entry<Integer, Integer> each : together.entrySet()) {
      int user = each.getKey();
      int changed = changes.getOrDefault(user, 0);
      if (!VISITORS.isSpread(user)) {
        assertThat(changed).as("user %d", user).isZero();
      } else if (each.getValue() >= 20) {
        assertThat(changed).as("user %d", user).isGreaterThan(each.getValue() / 2);
        spread++;
      }
    }
    assertThat(spread).isPositive();
  }
}
