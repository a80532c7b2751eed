package io.quotaenforcer.core.deferral;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.rule.OverLimit.OnDelete;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * A queue beside the requests that it stands for: they come, are cancelled from the middle,
 * expedited, lost, released and acknowledged, in any order.
 */
class QueueRunTest {
  private static final long NOW = 1_700_000_000_000_000_000L;

  private record Waiting(long number, long bytes, long deferredMillis) {}

  private static final class Run {
    private final SplittableRandom random;
    private final Map<Lane, TreeMap<Long, Waiting>> lanes = new EnumMap<>(Lane.class);
    private final Map<Lane, Long> lastReleased = new EnumMap<>(Lane.class);
    private KeyQueue queue = KeyQueue.empty(OnDelete.RELEASE, NOW);
    private int released;
    private int acknowledged;
    private long millis = 1;

    Run(SplittableRandom random) {
      this.random = random;
      for (Lane lane : Lane.values()) {
        lanes.put(lane, new TreeMap<>());
      }
    }

    void step() {
      millis += random.nextInt(50);
      Lane lane = Lane.values()[random.nextInt(Lane.values().length)];
      switch (random.nextInt(9)) {
        case 0, 1, 2 -> add(lane);
        case 3 -> cancel(lane);
        case 4 -> expedite(lane);
        case 5 -> lose(lane);
        case 6 -> acknowledge();
        default -> release();
      }
      check();
    }

    private void add(Lane lane) {
      Waiting request = new Waiting(queue.lane(lane).next(), 1 + random.nextInt(100), millis);
      lanes.get(lane).put(request.number(), request);
      queue = queue.add(lane, request.bytes(), request.deferredMillis(), OnDelete.RELEASE);
    }

    private Waiting any(Lane lane) {
      List<Waiting> all = new ArrayList<>(lanes.get(lane).values());
      return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
    }

    private void cancel(Lane lane) {
      Waiting request = any(lane);
      if (request != null) {
        assertThat(queue.waits(lane, request.number())).isTrue();
        lanes.get(lane).remove(request.number());
        queue = queue.remove(lane, request.bytes());
      }
    }

    private void expedite(Lane lane) {
      Waiting request = any(lane);
      if (request != null && lane != Lane.EXPEDITED) {
        lanes.get(lane).remove(request.number());
        queue = queue.remove(lane, request.bytes());
        Waiting moved =
            new Waiting(
                queue.lane(Lane.EXPEDITED).next(), request.bytes(), request.deferredMillis());
        lanes.get(Lane.EXPEDITED).put(moved.number(), moved);
        queue = queue.add(Lane.EXPEDITED, moved.bytes(), moved.deferredMillis(), OnDelete.RELEASE);
      }
    }

    /** A store that lost a lane's requests: rarely, and all that is known of them goes, too. */
    private void lose(Lane lane) {
      if (random.nextInt(10) == 0 && waiting() == lanes.get(lane).size()) {
        lanes.get(lane).clear();
        queue = queue.clear(lane);
      }
    }

    private void release() {
      if (queue.waiting() == 0) {
        return;
      }
      Lane lane = queue.nextLane();
      assertThat(lanes.get(lane)).as("the next lane has a request").isNotEmpty();
      assertThat(lane == Lane.EXPEDITED)
          .as("what an operator wants goes first")
          .isEqualTo(!lanes.get(Lane.EXPEDITED).isEmpty());
      Waiting first = lanes.get(lane).pollFirstEntry().getValue();
      queue = queue.release(first.number(), first.bytes(), first.deferredMillis());
      Long before = lastReleased.put(lane, first.number());
      assertThat(first.number())
          .as("numbers of a lane only grow")
          .isGreaterThan(before == null ? Long.MIN_VALUE : before);
      assertThat(queue.waits(lane, first.number())).isFalse();
      released++;
    }

    private void acknowledge() {
      if (released > acknowledged) {
        queue = queue.acknowledge();
        acknowledged++;
      }
    }

    private long waiting() {
      return lanes.values().stream().mapToLong(TreeMap::size).sum();
    }

    private void check() {
      assertThat(queue.waiting()).isEqualTo(waiting());
      long bytes =
          lanes.values().stream()
              .flatMap(lane -> lane.values().stream())
              .mapToLong(Waiting::bytes)
              .sum();
      assertThat(queue.bytes()).isEqualTo(bytes);
      assertThat(queue.unacknowledged()).isEqualTo(released - acknowledged);
      assertThat(queue.isIdle(NOW)).isEqualTo(waiting() == 0 && released == acknowledged);
      for (Lane lane : Lane.values()) {
        for (long number : lanes.get(lane).keySet()) {
          assertThat(queue.waits(lane, number)).isTrue();
        }
      }
    }
  }

  @Test
  void anySteps_orderSumsAndNumbersAreKept() {
    Seeded.check(
        300,
        random -> {
          Run run = new Run(random);
          for (int i = 0; i < 200; i++) {
            run.step();
          }
        });
  }
}
