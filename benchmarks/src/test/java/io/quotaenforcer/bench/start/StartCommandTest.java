package io.quotaenforcer.bench.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.quotaenforcer.bench.BenchRun;
import io.quotaenforcer.enforcer.cli.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class StartCommandTest {
  private static final long MILLI = 1_000_000L;

  @ParameterizedTest
  @CsvSource({
    "--runs=0, must be from 1 to 1000: --runs=0",
    "--json=/no/such/folder/s.json, cannot be written"
  })
  void optionThatCannotBe_isRefusedBeforeAnythingStarts(String option, String message) {
    BenchRun run = BenchRun.of("start", option);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(message);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void targets_areOfWhatWasMeasured() {
    ClientStart client =
        new ClientStart(
            List.of(400 * MILLI, 900 * MILLI, 500 * MILLI),
            List.of(steps(1_000), steps(2_001), steps(9_000)));
    DemoStart demo = new DemoStart(List.of(List.of(new DemoStart.Said(8_100 * MILLI, "1 s"))));
    Sizes sizes = new Sizes(300_000, Map.of(), 1, List.of());

    assertThat(new StartResult(client, null, sizes).targets().shortOf())
        .containsExactly(
            "ms from build() to the first snapshot beyond a consumer's connect: 1,501, must be at"
                + " most 1,500");
    assertThat(new StartResult(null, demo, null).targets().shortOf())
        .containsExactly("s to the demo's first table: 8.10, must be at most 8");
    assertThat(new StartResult(null, null, sizes).targets().describe())
        .containsExactly("all 1 targets hold");
  }

  @Test
  void demo_isTimedToItsFirstTableAndEnded(@TempDir Path folder) throws Exception {
    Path pid = folder.resolve("pid");
    Path script =
        script(
            folder,
            """
            [ "$1" = version ] && exec echo 1
            echo $$ > %s
            echo "starting"
            echo "  1 s | some-rule: requests 3"
            echo "  2 s | some-rule: requests 9"
            exec tail -f /dev/null
            """
                .formatted(pid));

    DemoStart demo = DemoStart.measure(script, 2, what -> {});

    assertThat(demo.runs()).hasSize(2);
    assertThat(demo.runs().get(1))
        .extracting(DemoStart.Said::line)
        .containsExactly("starting", "1 s | some-rule: requests 3");
    assertThat(demo.seconds()).isPositive();
    assertThat(ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))).isEmpty();
  }

  @Test
  void demo_thatFails_isReportedWithWhatItSaid(@TempDir Path folder) throws IOException {
    Path script = script(folder, "[ \"$1\" = version ] && exec echo 1; echo 'no port' >&2; exit 1");

    assertThatExceptionOfType(CommandException.class)
        .isThrownBy(() -> DemoStart.measure(script, 1, what -> {}))
        .withMessageContaining("demo ended before it had anything to show: no port");
  }

  @Test
  void dependencies_ofMavensList_haveTheirSizes(@TempDir Path folder) throws IOException {
    Path small = Files.write(folder.resolve("small.jar"), new byte[10]);
    Path large = Files.write(folder.resolve("large.jar"), new byte[20]);
    Path list = folder.resolve("list.txt");
    Files.writeString(
        list,
        """

        The following files have been resolved:
           org.a:small:jar:1.0:compile:%s -- module org.a [auto]
           org.b:large:jar:2.0:runtime:%s
        """
            .formatted(small, large));

    assertThat(Sizes.dependencies(list))
        .containsExactly(Map.entry("org.b:large", 20L), Map.entry("org.a:small", 10L));

    Files.writeString(list, "   org.a:small:jar:1.0:compile:" + folder);
    assertThatExceptionOfType(CommandException.class)
        .isThrownBy(() -> Sizes.dependencies(list))
        .withMessageContaining("must be a jar");
  }

  @Test
  void sourceTree_isThisOne() {
    assertThat(SourceTree.here().root().resolve("benchmarks"))
        .isEqualTo(Path.of("").toAbsolutePath());
  }

  private static ClientStart.Steps steps(long snapshotMillis) {
    return new ClientStart.Steps(1, 2, 3, snapshotMillis * MILLI);
  }

  private static Path script(Path folder, String text) throws IOException {
    Path script = Files.writeString(folder.resolve("quota"), "#!/bin/sh\n" + text);
    assertThat(script.toFile().setExecutable(true)).isTrue();
    return script;
  }
}
