package io.quotaenforcer.bench.entitlements;

import io.quotaenforcer.bench.command.Bench;
import io.quotaenforcer.bench.figures.Machine;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code quota bench entitlements}: what limits from data of many quota keys cost. */
@Command(
    name = "entitlements",
    description = {
      "Measures what limits from data cost: how long `quota entitlements import` takes for a file,"
          + " an enforcer until it has read them for the first time, one that starts again with its"
          + " stores, and one that starts without them; and the most memory that each had, heap and"
          + " all else.",
      "A broker in this process, enforcers in a process each with "
          + EntitlementsRun.HEAP_MEBIBYTES
          + " MiB of heap and "
          + EntitlementsRun.ROCKSDB_MEBIBYTES
          + " MiB for stores, 16 partitions."
    })
public final class EntitlementsCommand extends Bench {
  @Option(
      names = "--keys",
      defaultValue = "1000000",
      paramLabel = "N",
      description = "Quota keys. Default: ${DEFAULT-VALUE}.")
  private int keys;

  private record Figures(
      Machine machine, int keys, double importSeconds, List<EntitlementsRow> enforcers) {}

  @Override
  protected void check() {
    require(keys >= 1 && keys <= 100_000_000, "must be from 1 to 100000000: --keys=%d", keys);
  }

  @Override
  protected Object measure() throws Exception {
    try (EntitlementsRun run = new EntitlementsRun(keys)) {
      say("imports %,d entitlements ...".formatted(keys));
      double imported = run.importSeconds();
      out().printf("%-34s %8.1f s%n", "import of %,d".formatted(keys), imported);
      List<EntitlementsRow> rows = run.enforcers(this::say);
      print(rows.stream().map(EntitlementsRow::line).toList());
      return new Figures(Machine.here(), keys, imported, rows);
    }
  }
}
