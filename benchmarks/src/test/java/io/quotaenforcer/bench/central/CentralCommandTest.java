package io.quotaenforcer.bench.central;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.bench.BenchRun;
import io.quotaenforcer.bench.central.Pace.InBatches;
import io.quotaenforcer.bench.central.Pace.OneByOne;
import io.quotaenforcer.bench.central.Pace.Pipelined;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CentralCommandTest {
  private static final CentralScale SHORT = CentralScale.of(Duration.ofMillis(30));
  private static final CentralCase REDIS =
      new CentralCase("redis", false, true, new OneByOne(user -> true));
  private static final CentralCase OURS =
      new CentralCase("ours", true, true, new InBatches(user -> true));

  @ParameterizedTest
  @CsvSource({
    "--seconds=0, must be above 0 and at most 3600: --seconds=0",
    "--seconds=NaN, must be above 0 and at most 3600: --seconds=NaN",
    "--redis-server=/no/such/program, must be a program that can be run",
    "--json=/no/such/folder/c.json, cannot be written"
  })
  void optionThatCannotBe_isRefusedBeforeAnythingStarts(String option, String message) {
    BenchRun run = BenchRun.of("central", option);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(message);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void paces_countWhatTheyAskFor() throws InterruptedException {
    LongAdder asked = new LongAdder();
    List<Pace> paces =
        List.of(
            new OneByOne(user -> everyOther(asked)),
            new InBatches(user -> everyOther(asked)),
            new Pipelined(user -> CompletableFuture.completedFuture(everyOther(asked))));
    for (Pace pace : paces) {
      asked.reset();
      Tally tally = new Tally();

      pace.run(new Users(1), System.nanoTime() + 10_000_000, tally);

      assertThat(tally.decisions()).isPositive().isEqualTo(asked.sum());
      assertThat(Math.round(tally.admittedShare() * tally.decisions()))
          .isEqualTo(tally.decisions() / 2);
      assertThat(tally.nanosAt(99)).isPositive();
    }
  }

  @Test
  void pipelined_askingFails_theRunFails() {
    Pace broken =
        new Pipelined(user -> CompletableFuture.failedFuture(new IllegalStateException("gone")));

    Assertions.assertThatIllegalStateException()
        .isThrownBy(() -> new CentralRun(SHORT, what -> {}).run(List.of(caseOf(broken))))
        .withMessageContaining("broken failed");
  }

  @Test
  void run_measuresEachCaseWithEachNumberOfThreads() throws InterruptedException {
    List<CentralRow> rows = new CentralRun(SHORT, what -> {}).run(List.of(REDIS, OURS));

    assertThat(rows).extracting(CentralRow::threads).containsExactly(1, 1, 2, 2);
    assertThat(rows).extracting(CentralRow::of).containsExactly(REDIS, OURS, REDIS, OURS);
    assertThat(rows)
        .allSatisfy(
            row -> {
              assertThat(row.decisionsPerSecond()).isPositive();
              assertThat(row.nanos())
                  .isGreaterThanOrEqualTo(CentralScale.ROUNDS * SHORT.round().toNanos());
            });
  }

  @Test
  void targets_areAgainstTheQuickestOfRedisWithAsManyThreads() {
    CentralResult result =
        result(
            row(REDIS, 1, 50_000, 400_000),
            row(REDIS, 1, 90_000, 200_000),
            row(REDIS, 2, 10_000, 10_000),
            row(OURS, 1, 50, 201));

    assertThat(result.targets().shortOf())
        .containsExactly(
            "ours (batches of 100), 1 thread(s): p99 of the quickest on Redis, in times of its own:"
                + " 995.0, must be at least 1,000");
    assertThat(result.describe()).anyMatch(line -> line.matches(".*redis .* 50.0 .* 400.0 .*"));
  }

  @Test
  void result_withoutRedis_saysHowToInstallIt() {
    CentralResult result =
        new CentralResult(
            SHORT,
            new Allowance(1, 1),
            List.of(row(OURS, 1, 50, 60)),
            Map.of(),
            RedisProgram.HOW_TO_INSTALL);

    assertThat(result.describe())
        .last()
        .asString()
        .contains("Redis was not run", "apt-get install redis-server");
    assertThat(result.toJson())
        .containsEntry("short", List.of())
        .containsEntry("notRun", RedisProgram.HOW_TO_INSTALL);
  }

  private static CentralResult result(CentralRow... rows) {
    return new CentralResult(SHORT, new Allowance(1, 1), List.of(rows), Map.of(), "");
  }

  private static CentralRow row(CentralCase of, int threads, double p50, double p99) {
    return new CentralRow(of, threads, 100, 1_000, p50, p99, 1);
  }

  private static CentralCase caseOf(Pace pace) {
    return new CentralCase("broken", false, true, pace);
  }

  private static boolean everyOther(LongAdder asked) {
    asked.increment();
    return asked.sum() % 2 == 0;
  }
}
