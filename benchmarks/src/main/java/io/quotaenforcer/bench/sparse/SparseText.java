package io.quotaenforcer.bench.sparse;

import io.quotaenforcer.cli.text.TextTable;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.Function;

/** Results as tables, a scenario in each column. */
record SparseText(PrintWriter out) {

  void print(List<SparseResult> results, List<LedgerGrowth> growth) {
    String[] header = new String[results.size() + 1];
    header[0] = "";
    for (int i = 0; i < results.size(); i++) {
      header[i + 1] = results.get(i).scenario().name();
    }
    TextTable table = TextTable.ofFigures(header);
    row(table, "requests", results, result -> "%,d".formatted(result.requests()));
    row(table, "over, of all admitted within", results, result -> percent(result.overPct()));
    row(
        table,
        "over, per abusive user and minute, of the limit",
        results,
        result -> percent(result.overPerAbusivePct()));
    row(table, "over, worst user and minute, permits", results, result -> "" + result.worstOver());
    row(table, "throttled", results, result -> percent(result.throttledPct()));
    row(
        table,
        "  although there was room",
        results,
        result -> percent(result.throttledWithRoomPct()));
    row(
        table,
        "  because the instance had not seen the key",
        results,
        result -> percent(result.throttledUnseenPct()));
    row(
        table,
        "turned away, of what an exact counter admits",
        results,
        result -> percent(result.turnedAwayPct()));
    traffic(table, "reports", results, result -> result.traffic().reports);
    traffic(table, "snapshots", results, result -> result.traffic().snapshots);
    traffic(table, "exhausted", results, result -> result.traffic().exhausted);
    row(
        table,
        "ledger rows written per request",
        results,
        result -> figure(result.traffic().written.recordsPer(result.requests())));
    row(
        table,
        "ledger bytes written per request",
        results,
        result -> bytes(result.traffic().written.bytesPer(result.requests())));
    row(table, "ledger bytes per key", results, result -> bytes(result.keyBytes()));
    row(table, "ledger bytes, largest key", results, result -> bytes(result.mostKeyBytes()));
    row(table, "holders per key", results, result -> figure(result.keyHolders()));
    table.lines().forEach(out::println);
    out.println();
    out.println("one key, one request at each of %d instances".formatted(SparseScenario.INSTANCES));
    TextTable grown = TextTable.ofFigures("", "holders", "cells", "ledger bytes");
    growth.forEach(
        each -> grown.row(each.after(), each.holders(), each.cells(), bytes(each.bytes())));
    grown.lines().forEach(out::println);
    out.flush();
  }

  private static void traffic(
      TextTable table,
      String name,
      List<SparseResult> results,
      Function<SparseResult, Traffic> traffic) {
    row(
        table,
        name + ": records per request",
        results,
        result -> figure(traffic.apply(result).recordsPer(result.requests())));
    row(
        table,
        name + ": bytes per request",
        results,
        result -> bytes(traffic.apply(result).bytesPer(result.requests())));
    row(
        table,
        name + ": quota keys per request",
        results,
        result -> figure(traffic.apply(result).quotaKeysPer(result.requests())));
  }

  private static void row(
      TextTable table,
      String name,
      List<SparseResult> results,
      Function<SparseResult, String> figure) {
    Object[] cells = new Object[results.size() + 1];
    cells[0] = name;
    for (int i = 0; i < results.size(); i++) {
      cells[i + 1] = figure.apply(results.get(i));
    }
    table.row(cells);
  }

  private static String percent(double percent) {
    return "%.2f %%".formatted(percent);
  }

  private static String figure(double value) {
    return "%.2f".formatted(value);
  }

  private static String bytes(double value) {
    return "%,.0f".formatted(value);
  }
}
