package io.quotaenforcer.bench.codec;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.quotaenforcer.bench.command.Bench;
import io.quotaenforcer.bench.figures.Targets;
import io.quotaenforcer.bench.jmh.Jmh;
import io.quotaenforcer.broker.TemporaryFolder;
import io.quotaenforcer.cli.text.TextTable;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.results.RunResult;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code quota bench codec}: what a record costs to write and to read, beside Avro's library. */
@Command(
    name = "codec",
    description = {
      "Times how a usage report and a quota snapshot of ten quota keys are written and read, by this"
          + " library's codec and by Avro's generic reader and writer, by JMH, each in JVMs of its"
          + " own."
    })
public final class CodecCommand extends Bench {
  private static final int ITERATIONS = 5;

  @Option(
      names = "--seconds",
      defaultValue = "2.5",
      paramLabel = "S",
      description = "For each JVM, and as much to warm up. Default: ${DEFAULT-VALUE}.")
  private double seconds;

  @Option(
      names = "--forks",
      defaultValue = "2",
      paramLabel = "N",
      description = "JVMs for each row, one after the other. Default: ${DEFAULT-VALUE}.")
  private int forks;

  /**
   * The cost of one record.
   *
   * @param avroNanos of Avro's library
   * @param bytes allocated
   */
  private record Row(String name, double nanos, double avroNanos, double bytes, double avroBytes) {
    double ofAvro() {
      return nanos / avroNanos;
    }
  }

  private record Figures(List<Row> rows, @JsonUnwrapped Targets targets) {}

  @Override
  protected void check() {
    require(
        seconds > 0 && seconds <= 3_600, "must be above 0 and at most 3600: --seconds=%s", seconds);
    require(forks >= 1 && forks <= 100, "must be 1 to 100: --forks=%d", forks);
  }

  @Override
  protected Object measure() {
    List<Row> rows = new ArrayList<>();
    try (TemporaryFolder folder = TemporaryFolder.create("quota-bench-codec-")) {
      Jmh jmh = new Jmh(folder.path(), this::say);
      for (String record : List.of(SampleRecords.REPORT, SampleRecords.SNAPSHOT)) {
        rows.add(row(jmh, "write " + record, record, "encode", "avroEncode"));
        rows.add(row(jmh, "read " + record, record, "decode", "avroDecode"));
      }
    }
    print(table(rows));
    Targets targets = new Targets();
    rows.forEach(row -> targets.atMost(row.name() + ", of Avro's time", row.ofAvro(), 1));
    print(targets.describe());
    return new Figures(rows, targets);
  }

  private Row row(Jmh jmh, String name, String record, String own, String avros) {
    say("timing: " + name);
    RunResult ours = time(jmh, name, record, own);
    RunResult avro = time(jmh, name + " by Avro", record, avros);
    return new Row(
        name,
        ours.getPrimaryResult().getScore(),
        avro.getPrimaryResult().getScore(),
        Jmh.bytes(ours),
        Jmh.bytes(avro));
  }

  private RunResult time(Jmh jmh, String name, String record, String method) {
    int millis = (int) Math.ceil(seconds * 1_000 / ITERATIONS);
    Jmh.Iterations iterations = new Jmh.Iterations(ITERATIONS, ITERATIONS, millis);
    return jmh.time(
        name,
        Jmh.options(CodecBenchmark.class, method, iterations).param("record", record).forks(forks));
  }

  private static List<String> table(List<Row> rows) {
    TextTable table = TextTable.ofFigures("", "ns", "Avro's ns", "of Avro's", "B", "Avro's B");
    for (Row row : rows) {
      table.row(
          row.name(),
          "%,.0f".formatted(row.nanos()),
          "%,.0f".formatted(row.avroNanos()),
          "%.2f".formatted(row.ofAvro()),
          "%,.0f".formatted(row.bytes()),
          "%,.0f".formatted(row.avroBytes()));
    }
    return table.lines();
  }
}
