package io.quotaenforcer.client.internal.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WorkersTest {
  private final List<Runnable> threads = new ArrayList<>();
  private final Workers workers = new Workers(2, threads::add);

  @Test
  void asManyAsThereAre_canBeTaken_andAgainOnceGivenBack() {
    assertThat(workers.tryTake()).isTrue();
    assertThat(workers.areFree()).isTrue();
    assertThat(workers.tryTake()).isTrue();
    assertThat(workers.areFree()).isFalse();
    assertThat(workers.tryTake()).isFalse();
    assertThat(workers.tryTake()).as("a refusal costs nothing").isFalse();

    workers.giveBack();

    assertThat(workers.areFree()).isTrue();
    assertThat(workers.tryTake()).isTrue();
    assertThat(workers.tryTake()).isFalse();
  }

  @Test
  void work_runsOnTheirThreads_notOnTheCallers() {
    AtomicInteger ran = new AtomicInteger();
    workers.execute(ran::incrementAndGet);
    assertThat(ran).hasValue(0);

    threads.forEach(Runnable::run);

    assertThat(ran).hasValue(1);
  }

  @Test
  void groupsThatRace_neverHaveMoreThanThereAre() throws Exception {
    int most = 3;
    Workers shared = new Workers(most, Runnable::run);
    AtomicInteger taken = new AtomicInteger();
    AtomicInteger highest = new AtomicInteger();
    ExecutorService racing = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        tasks.add(
            () -> {
              for (int i = 0; i < 20_000; i++) {
                if (shared.tryTake()) {
                  highest.accumulateAndGet(taken.incrementAndGet(), Math::max);
                  taken.decrementAndGet();
                  shared.giveBack();
                }
              }
              return null;
            });
      }
      for (Future<Void> each : racing.invokeAll(tasks)) {
        each.get();
      }
    } finally {
      racing.shutdownNow();
    }

    assertThat(highest.get()).isBetween(1, most);
    for (int i = 0; i < most; i++) {
      assertThat(shared.tryTake()).as("none is lost: %d", i).isTrue();
    }
    assertThat(shared.tryTake()).isFalse();
  }
}
