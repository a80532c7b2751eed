package io.quotaenforcer.client.internal.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.internal.Instance;
import io.quotaenforcer.client.replay.ReplayOptions;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.client.spi.ReplayOutcome;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.message.DeferralInput.ReplayResult;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.schemas.topic.Identity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Whatever handlers, rules, writes and rebalances do: each replay is finished, those of a lane in
 * their order, and nothing is committed that is not finished durably.
 */
class ReplayOrderTest {
  private static final int PARTITIONS = 2;
  private static final int RECORDS = 40;
  private static final int CONCURRENCY = 3;

  /** Records of a partition that may be acknowledged before it is read. */
  private static final int OLD = 25;

  @Test
  void anyRun_finishesAllInOrder_andCommitsWhatIsFinished() {
    Seeded.check(400, random -> new Run(random).run());
  }

  private static final class Run {
    private final SplittableRandom random;
    private final List<List<Replay>> log = new ArrayList<>();
    private final int[] position = new int[PARTITIONS];
    private final long[] committed = new long[PARTITIONS];
    private final List<Runnable> threads = new ArrayList<>();
    private final List<Runnable> later = new ArrayList<>();
    private final Set<String> durable = new HashSet<>();

    /** Before anything is read. */
    private final Set<String> acknowledged = new HashSet<>();

    private final Map<Lanes.Lane, Integer> finished = new HashMap<>();
    private final Map<Lanes.Lane, List<String>> order = new HashMap<>();
    private final ReplayDispatcher dispatcher;
    private boolean calm;
    private long now;

    Run(SplittableRandom random) {
      this.random = random;
      for (int partition = 0; partition < PARTITIONS; partition++) {
        List<Replay> records = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
          Replay replay =
              Replays.of(
                  partition + "-" + i,
                  "posts",
                  partition + "u" + random.nextInt(3),
                  Seeded.oneOf(random, Priority.HIGH, Priority.LOW),
                  0);
          records.add(replay);
          if (i < OLD && random.nextInt(3) == 0) {
            acknowledged.add(replay.id());
          } else {
            order.computeIfAbsent(lane(replay), l -> new ArrayList<>()).add(replay.id());
          }
        }
        log.add(records);
      }
      durable.addAll(acknowledged);
      this.dispatcher =
          new ReplayDispatcher(
              new GuardedHandler(this::handle, 1_000, () -> 0),
              ReplayOptions.DEFAULTS.maxWaitForOtherRules(),
              new ReplayDesk(this::decide, this::ask, this::write),
              new Instance(
                  new Identity("i", 1), new Clocks(() -> now, () -> now), ClientTelemetry.NONE),
              new Workers(CONCURRENCY, threads::add),
              Backlog.Limits.DEFAULTS);
    }

    void run() {
      for (int step = 0; step < 600; step++) {
        step(random.nextInt(8));
        checkCommits();
      }
      calm = true;
      for (int step = 0; step < 20_000 && !isAllFinished(); step++) {
        step(random.nextInt(7));
      }
      checkCommits();
      assertThat(durable).hasSize(PARTITIONS * RECORDS);
      assertThat(dispatcher.unfinished()).isZero();
      for (int partition = 0; partition < PARTITIONS; partition++) {
        assertThat(dispatcher.committable(Set.of(partition))).containsEntry(partition, 40L);
      }
    }

    private boolean isAllFinished() {
      return position[0] == RECORDS && position[1] == RECORDS && dispatcher.unfinished() == 0;
    }

    private void step(int what) {
      int partition = random.nextInt(PARTITIONS);
      switch (what) {
        case 0, 1 -> {
          if (position[partition] < RECORDS) {
            int offset = position[partition]++;
            Replay replay = log.get(partition).get(offset);
            if (offset < OLD) {
              dispatcher.addOld(partition, offset, replay, 1);
            } else {
              dispatcher.add(partition, offset, replay, 1);
            }
          }
        }
        case 2, 3, 4 -> {
          if (!threads.isEmpty()) {
            threads.remove(random.nextInt(threads.size())).run();
          }
        }
        case 5 -> {
          if (!later.isEmpty()) {
            later.remove(random.nextInt(later.size())).run();
          }
        }
        case 6 -> {
          now += random.nextLong(2_000_000_000L);
          dispatcher.tick();
        }
        default -> rebalance(partition);
      }
      assertThat(threads).hasSizeLessThanOrEqualTo(CONCURRENCY);
    }

    /** The partition comes back at once, read from where it was committed. */
    private void rebalance(int partition) {
      if (random.nextInt(5) == 0) {
        dispatcher.drop(Set.of(partition));
        checkCommits();
        dispatcher.forget(Set.of(partition));
        position[partition] = (int) committed[partition];
      }
    }

    private void checkCommits() {
      dispatcher
          .committable(Set.of(0, 1))
          .forEach(
              (partition, offset) -> {
                assertThat(offset).isGreaterThanOrEqualTo(committed[partition]);
                for (int i = (int) committed[partition]; i < offset; i++) {
                  assertThat(durable).contains(partition + "-" + i);
                }
                committed[partition] = offset;
              });
    }

    private ReplayOutcome handle(Replay replay) {
      assertThat(acknowledged).doesNotContain(replay.id());
      List<String> mine = order.get(lane(replay));
      int index = mine.indexOf(replay.id());
      assertThat(index)
          .as("finished before it of its lane")
          .isLessThanOrEqualTo(finished.getOrDefault(lane(replay), 0));
      switch (calm ? 9 : random.nextInt(10)) {
        case 0, 1 -> {
          return ReplayOutcome.retryLater(Duration.ofMillis(random.nextInt(3_000)));
        }
        case 2 -> throw new IllegalStateException("away");
        default -> {
          finished.merge(lane(replay), index + 1, Math::max);
          return random.nextInt(10) == 0 ? ReplayOutcome.failed("no") : ReplayOutcome.done();
        }
      }
    }

    private CompletableFuture<Boolean> ask(Replay replay) {
      CompletableFuture<Boolean> answer = new CompletableFuture<>();
      maybeLater(() -> answer.complete(durable.contains(replay.id())));
      return answer;
    }

    private CompletableFuture<Decision> decide(Replay replay, Duration maxWait) {
      CompletableFuture<Decision> decision = new CompletableFuture<>();
      maybeLater(() -> decision.complete(new Decision.Unmatched()));
      return decision;
    }

    private CompletableFuture<Void> write(ReplayResult result) {
      CompletableFuture<Void> written = new CompletableFuture<>();
      boolean fails = !calm && random.nextInt(5) == 0;
      maybeLater(
          () -> {
            if (fails) {
              written.completeExceptionally(new IllegalStateException("away"));
            } else {
              durable.add(result.id());
              written.complete(null);
            }
          });
      return written;
    }

    private void maybeLater(Runnable action) {
      if (random.nextBoolean()) {
        action.run();
      } else {
        later.add(action);
      }
    }

    private static Lanes.Lane lane(Replay replay) {
      return new Lanes.Lane(replay.quotaKey(), replay.priority());
    }
  }
}
