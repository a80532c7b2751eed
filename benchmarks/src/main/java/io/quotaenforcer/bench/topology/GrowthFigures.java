package io.quotaenforcer.bench.topology;

import io.quotaenforcer.bench.figures.Targets;
import io.quotaenforcer.cli.text.TextTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** How the cost grows with keys and with instances. */
final class GrowthFigures {
  private static final double MOST_UPDATE_MICROS = 50;
  private static final int MANY_KEYS = 1_000_000;
  private static final double MOST_MEBIBYTES = 512;
  private static final double MOST_GROWTH = 1.1;

  private final List<GrowthResult> results;

  GrowthFigures(List<GrowthResult> results) {
    this.results = List.copyOf(results);
  }

  List<GrowthResult> results() {
    return results;
  }

  /** Those with the fewest keys, by instances. */
  List<GrowthResult> byInstances() {
    int fewest = results.stream().mapToInt(result -> result.point().keys()).min().orElse(0);
    return results.stream()
        .filter(result -> result.point().keys() == fewest)
        .sorted(Comparator.comparing(result -> result.point().instances()))
        .toList();
  }

  /** Those with the fewest instances, by keys. */
  List<GrowthResult> byKeys() {
    int fewest = results.stream().mapToInt(result -> result.point().instances()).min().orElse(0);
    return results.stream()
        .filter(result -> result.point().instances() == fewest)
        .sorted(Comparator.comparing(result -> result.point().keys()))
        .toList();
  }

  void addTo(Targets targets) {
    for (GrowthResult result : byKeys()) {
      targets.atMost(
          "us that 99 of 100 ledger updates take at most, %,d keys"
              .formatted(result.point().keys()),
          result.ledgerUpdateMicros99(),
          MOST_UPDATE_MICROS);
      if (result.point().keys() == MANY_KEYS) {
        targets.atMost(
            "MiB beyond the heap, %,d keys".formatted(MANY_KEYS),
            result.mebibytesBeyondHeap(),
            MOST_MEBIBYTES);
      }
    }
    List<GrowthResult> grown = byInstances();
    if (grown.size() > 1) {
      GrowthResult few = grown.get(0);
      GrowthResult many = grown.get(grown.size() - 1);
      targets.atMost(
          "bytes addressed to an instance per request, %d instances to %d"
              .formatted(many.point().instances(), few.point().instances()),
          many.sent().bytesAddressedPerRequest() / few.sent().bytesAddressedPerRequest(),
          MOST_GROWTH);
    }
  }

  List<String> describe() {
    TextTable table =
        TextTable.ofFigures(
            "keys, instances",
            "updates/s",
            "us an update",
            "p50 us in ledger",
            "p99",
            "MiB beyond heap",
            "records up",
            "bytes up",
            "records down",
            "bytes addressed",
            "bytes fetched");
    for (GrowthResult result : results) {
      table.row(
          "%,d, %d".formatted(result.point().keys(), result.point().instances()),
          "%,.0f".formatted(result.updatesPerSecond()),
          "%.1f".formatted(result.enforcerMicrosPerUpdate()),
          "%.1f".formatted(result.ledgerUpdateMicros50()),
          "%.1f".formatted(result.ledgerUpdateMicros99()),
          result.mebibytesBeyondHeap(),
          "%.4f".formatted(result.sent().recordsUpPerRequest()),
          "%.2f".formatted(result.sent().bytesUpPerRequest()),
          "%.4f".formatted(result.sent().recordsDownPerRequest()),
          "%.2f".formatted(result.sent().bytesAddressedPerRequest()),
          "%.2f".formatted(result.sent().bytesFetchedPerRequest()));
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("records and bytes are per request, of which each update reports 100");
    return lines;
  }
}
