package io.quotaenforcer.bench.adapt;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.bench.BenchCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class AdaptCommandTest {
  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();

  private int run(String... args) {
    CommandLine bench = BenchCommand.create();
    bench.setOut(new PrintWriter(out)).setErr(new PrintWriter(out));
    return bench.execute(args);
  }

  @Test
  void oneTrouble_isPrinted_andWritten() throws Exception {
    Path json = folder.resolve("a.json");

    int code =
        run("adapt", "--only", "slower", "--servers", "3", "--seeds", "1", "--json", json + "");

    assertThat(code).as("%s", out).isZero();
    assertThat(out.toString())
        .contains("seeds 1001 to 1001")
        .contains("one server is five times slower", "to what is served, by instance");
    assertThat(Files.readString(json))
        .contains("\"law\" : \"SERVED_BY_INSTANCE\"", "\"settledSeconds\" : ", "\"short\" : [");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--seeds=0", "--servers=0", "--servers=10,1001"})
  void number_thatCannotBe_isRefused(String option) {
    assertThat(run("adapt", option)).isNotZero();
    assertThat(out.toString()).contains("must be between 1 and 1000");
  }
}
