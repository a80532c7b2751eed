package io.quotaenforcer.bench.central;

import io.quotaenforcer.bench.figures.Machine;
import io.quotaenforcer.bench.figures.Targets;
import io.quotaenforcer.enforcer.text.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * What was measured.
 *
 * @param redis versions and settings; empty if it was not run
 * @param notRun why; empty if it was
 */
record CentralResult(
    CentralScale scale,
    Allowance allowance,
    List<CentralRow> rows,
    Map<String, Object> redis,
    String notRun) {
  private static final double TIMES_FASTER = 1_000;
  private static final double NANOS_PER_MICRO = 1e3;

  /** A client's decisions against the quickest that Redis was, at the same number of threads. */
  Targets targets() {
    Targets targets = new Targets();
    for (CentralRow row : rows) {
      if (row.of().ours()) {
        compare(targets, row, "p50", CentralRow::p50Nanos);
        compare(targets, row, "p99", CentralRow::p99Nanos);
      }
    }
    return targets;
  }

  private void compare(
      Targets targets, CentralRow ours, String what, ToDoubleFunction<CentralRow> nanos) {
    OptionalDouble redisNanos =
        rows.stream()
            .filter(row -> !row.of().ours() && row.of().compared())
            .filter(row -> row.threads() == ours.threads())
            .mapToDouble(nanos)
            .min();
    redisNanos.ifPresent(
        quickest ->
            targets.atLeast(
                "%s (%s), %d thread(s): %s of the quickest on Redis, in times of its own"
                    .formatted(ours.of().name(), ours.of().pace().timing(), ours.threads(), what),
                quickest / nanos.applyAsDouble(ours),
                TIMES_FASTER));
  }

  /** A table, and what was missed. */
  List<String> describe() {
    TextTable table =
        TextTable.ofFigures(
            "decided by", "threads", "timed", "decisions/s", "p50 us", "p99 us", "admitted");
    for (CentralRow row : rows) {
      table.row(
          row.of().name(),
          row.threads(),
          row.of().pace().timing(),
          text("%,.0f", row.decisionsPerSecond()),
          micros(row.p50Nanos()),
          micros(row.p99Nanos()),
          text("%.1f %%", 100 * row.admittedShare()));
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    if (notRun.isEmpty()) {
      lines.addAll(targets().describe());
    } else {
      lines.add("Redis was not run: " + notRun);
    }
    return lines;
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("machine", Machine.here().toJson());
    Map<String, Object> configuration = new LinkedHashMap<>();
    configuration.put("users", Users.COUNT);
    configuration.put("permitsPerUser", allowance.permits());
    configuration.put("periodMillis", allowance.periodMillis());
    configuration.put("warmUpMillis", scale.warmUp().toMillis());
    configuration.put("leadInMillis", scale.leadIn().toMillis());
    configuration.put("roundMillis", scale.round().toMillis());
    configuration.put("rounds", CentralScale.ROUNDS);
    configuration.put("pipelineDepth", Pace.Pipelined.DEPTH);
    configuration.put("client", LocalDecisions.configuration());
    configuration.put("redis", redis);
    json.put("configuration", configuration);
    json.put("notRun", notRun);
    json.put("rows", rows.stream().map(CentralRow::toJson).toList());
    targets().writeTo(json);
    return json;
  }

  private static String micros(double nanos) {
    double micros = nanos / NANOS_PER_MICRO;
    return text(micros < 10 ? "%.3f" : "%,.1f", micros);
  }

  private static String text(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
