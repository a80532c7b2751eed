package io.quotaenforcer.bench.search;

import io.quotaenforcer.bench.command.Bench;
import io.quotaenforcer.bench.figures.Machine;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code quota bench search}: whether a search of quota keys holds up who counts them. */
@Command(
    name = "search",
    description = {
      "Fills the stores of an enforcer with quota keys, by clients that use each once, and counts"
          + " them by the API, page after page. Then has users come for the first time, whose requests"
          + " wait for a grant: for a while beside nothing else, and for a while beside operators who"
          + " search, all at once: two turn pages from the first key to the last, one types the"
          + " beginnings of keys, and one asks for keys that there are none of.",
      "A broker in this process, an enforcer in its own with "
          + SearchRun.HEAP_MEBIBYTES
          + " MiB of heap and "
          + SearchRun.ROCKSDB_MEBIBYTES
          + " MiB for stores, 16 partitions."
    })
public final class SearchCommand extends Bench {
  @Option(
      names = "--keys",
      defaultValue = "1000000",
      paramLabel = "N",
      description = "Quota keys. Default: ${DEFAULT-VALUE}.")
  private int keys;

  @Option(
      names = "--seconds",
      defaultValue = "30",
      paramLabel = "N",
      description = "For each of the two whiles. Default: ${DEFAULT-VALUE}.")
  private int seconds;

  private record Figures(
      Machine machine, int keys, long found, double countSeconds, List<SearchPhase> phases) {}

  @Override
  protected void check() {
    require(keys >= 1 && keys <= 1_000_000, "must be from 1 to 1000000: --keys=%d", keys);
    require(seconds >= 1 && seconds <= 3_600, "must be from 1 to 3600: --seconds=%d", seconds);
  }

  @Override
  protected Object measure() throws Exception {
    try (SearchRun run = new SearchRun(keys)) {
      say("fills the stores with %,d quota keys ...".formatted(keys));
      run.fill();
      long start = System.nanoTime();
      long found = run.count();
      double counted = (System.nanoTime() - start) / 1e9;
      out().printf("%,d keys found, page after page, in %.1f s%n", found, counted);
      if (found < keys) {
        fail();
      }
      say("users come for the first time, %d s ...".formatted(seconds));
      SearchPhase alone = run.phase("nobody searches", seconds, false);
      print(alone.describe());
      say("the same, while operators search, %d s ...".formatted(seconds));
      SearchPhase searched = run.phase("four operators search", seconds, true);
      print(searched.describe());
      return new Figures(Machine.here(), keys, found, counted, List.of(alone, searched));
    }
  }
}
