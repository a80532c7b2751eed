package io.quotaenforcer.client.internal.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.internal.replay.Lanes.Lane;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Seeded;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LanesTest {
  private static final QuotaKey KEY = QuotaKey.parse("posts/per-user/1");
  private static final Lane A = new Lane(KEY, Priority.HIGH);
  private static final Lane B = new Lane(KEY, Priority.LOW);

  private final Lanes<Integer> lanes = new Lanes<>();

  @Test
  void lane_startsItsNextOnlyOnceTheFirstIsFinished() {
    lanes.add(A, 1);
    lanes.add(A, 2);

    assertThat(lanes.startNext()).contains(1);
    assertThat(lanes.startNext()).isEmpty();
    lanes.finish(A);
    assertThat(lanes.startNext()).contains(2);
  }

  @Test
  void lane_startedAgain_keepsItsFirst() {
    lanes.add(A, 1);
    lanes.add(A, 2);
    lanes.startNext();

    lanes.startAgain(A);

    assertThat(lanes.startNext()).contains(1);
  }

  @Test
  void lanes_sideBySide_comeInTurn() {
    lanes.add(A, 1);
    lanes.add(A, 2);
    lanes.add(B, 3);

    assertThat(lanes.startNext()).contains(1);
    assertThat(lanes.startNext()).contains(3);
    lanes.finish(A);
    lanes.finish(B);
    assertThat(lanes.startNext()).contains(2);
    assertThat(lanes.startNext()).isEmpty();
  }

  @Test
  void drop_ofAStartedFirst_readiesTheLaneForTheRest() {
    lanes.add(A, 1);
    lanes.add(A, 2);
    lanes.startNext();

    assertThat(lanes.drop(item -> item == 1)).containsExactly(1);

    assertThat(lanes.startNext()).contains(2);
  }

  @Test
  void drop_ofAll_leavesNothingToStart() {
    lanes.add(A, 1);
    lanes.add(B, 2);
    lanes.add(B, 3);

    assertThat(lanes.drop(item -> true)).containsExactlyInAnyOrder(1, 2, 3);

    assertThat(lanes.startNext()).isEmpty();
    lanes.add(A, 4);
    assertThat(lanes.startNext()).contains(4);
    assertThat(lanes.startNext()).isEmpty();
  }

  /** Against a list per lane, of which the first may be started. */
  @Test
  void anyOperations_keepEachLaneInOrder_andForgetNothing() {
    Seeded.check(
        500,
        random -> {
          Lanes<Integer> any = new Lanes<>();
          Map<Lane, List<Integer>> model = new HashMap<>();
          Set<Lane> started = new HashSet<>();
          for (int step = 0; step < 100; step++) {
            Lane lane =
                new Lane(
                    QuotaKey.parse("posts/per-user/" + random.nextInt(4)),
                    Seeded.oneOf(random, Priority.values()));
            List<Integer> items = model.computeIfAbsent(lane, l -> new ArrayList<>());
            switch (random.nextInt(5)) {
              case 0, 1 -> {
                any.add(lane, step);
                items.add(step);
              }
              case 2 -> {
                Optional<Integer> next = any.startNext();
                List<Lane> startable =
                    model.keySet().stream()
                        .filter(l -> !model.get(l).isEmpty() && !started.contains(l))
                        .toList();
                assertThat(next.isPresent()).isEqualTo(!startable.isEmpty());
                next.ifPresent(
                    item -> {
                      Lane of =
                          startable.stream()
                              .filter(l -> model.get(l).get(0).equals(item))
                              .findFirst()
                              .orElseThrow();
                      started.add(of);
                    });
              }
              case 3 -> {
                if (started.remove(lane)) {
                  if (random.nextBoolean()) {
                    any.startAgain(lane);
                  } else {
                    any.finish(lane);
                    items.remove(0);
                  }
                }
              }
              default -> {
                int rest = random.nextInt(6);
                List<Integer> expected = new ArrayList<>();
                model.forEach(
                    (l, of) -> {
                      if (!of.isEmpty() && of.get(0) % 6 == rest) {
                        started.remove(l);
                      }
                      of.removeIf(item -> item % 6 == rest && expected.add(item));
                    });
                assertThat(any.drop(item -> item % 6 == rest))
                    .containsExactlyInAnyOrderElementsOf(expected);
              }
            }
          }
        });
  }
}
