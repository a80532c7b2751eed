package io.quotaenforcer.enforcer.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.core.activity.PartitionActivity.Rates;
import io.quotaenforcer.server.Health;
import io.quotaenforcer.server.JsonResponse;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/** What enforcers do now. */
final class OverviewAnswers {
  private static final String ENFORCERS = "enforcers";
  private static final String ENFORCER = "enforcer";
  private static final String GONE = "gone";
  private static final String SECONDS = "seconds";
  private static final String ADMITTED = "admittedPerSecond";
  private static final String THROTTLED = "throttledPerSecond";
  private static final String REPORTS = "reportsPerSecond";
  private static final String LOOP = "loopMillis";
  private static final String LAG = "lag";
  private static final String DEFERRED = "deferred";
  private static final String PARTITIONS = "partitions";
  private static final double NANOS_PER_MILLI = 1e6;

  private OverviewAnswers() {}

  static ObjectNode here(ApiCall call, ApiSources sources) {
    ObjectNode body = JsonResponse.object();
    ObjectNode row =
        body.putArray(ENFORCERS)
            .addObject()
            .put(ENFORCER, sources.self().address().toString())
            .put("version", sources.self().version());
    put(row.putObject("health"), sources.health().get());
    Rates rates = sources.reports().activity().rates(sources.epochNanos().getAsLong());
    row.put(ADMITTED, Rows.rounded(rates.usedPerSecond()))
        .put(THROTTLED, Rows.rounded(rates.throttledPerSecond()))
        .put(REPORTS, Rows.rounded(rates.reportsPerSecond()));
    if (rates.loopNanos() > 0) {
      row.put(LOOP, Rows.rounded(rates.loopNanos() / NANOS_PER_MILLI));
    }
    putKnown(row, LAG, sources.reports().figures().lag());
    putKnown(row, DEFERRED, sources.reports().figures().deferred());
    ArrayNode partitions = row.putArray(PARTITIONS);
    sources.reports().activity().partitions().forEach(partitions::add);
    ArrayNode gone = body.putArray(GONE);
    sources
        .queries()
        .enforcers()
        .gone()
        .forEach(
            one ->
                gone.addObject()
                    .put(ENFORCER, one.enforcer().toString())
                    .put(SECONDS, one.seconds()));
    return body;
  }

  static ObjectNode merge(ApiCall call, List<JsonNode> answers) {
    List<JsonNode> rows = Rows.of(answers, ENFORCERS);
    ObjectNode body = JsonResponse.object();
    ObjectNode totals = body.putObject("totals");
    for (String rate : List.of(ADMITTED, THROTTLED, REPORTS)) {
      totals.put(
          rate, Rows.rounded(rows.stream().mapToDouble(it -> it.path(rate).asDouble()).sum()));
    }
    putLoop(totals, rows);
    for (String sum : List.of(LAG, DEFERRED)) {
      if (rows.stream().allMatch(row -> row.has(sum))) {
        totals.put(sum, rows.stream().mapToLong(row -> row.path(sum).asLong()).sum());
      }
    }
    totals.put(PARTITIONS, rows.stream().mapToInt(row -> row.path(PARTITIONS).size()).sum());
    ArrayNode list = body.putArray(ENFORCERS);
    rows.stream().sorted(Rows.byText(ENFORCER)).forEach(list::add);
    putGone(body.putArray(GONE), answers, rows);
    return body;
  }

  /** Each once, as who missed it last says; but for those that answer. */
  private static void putGone(ArrayNode gone, List<JsonNode> answers, List<JsonNode> rows) {
    Set<String> answering =
        rows.stream().map(row -> row.path(ENFORCER).asText()).collect(Collectors.toSet());
    Rows.of(answers, GONE).stream()
        .sorted(Comparator.comparingLong(one -> one.path(SECONDS).asLong()))
        .filter(one -> answering.add(one.path(ENFORCER).asText()))
        .forEach(gone::add);
  }

  /** A mean, by reports. */
  private static void putLoop(ObjectNode totals, List<JsonNode> rows) {
    double weighted = 0;
    double weights = 0;
    for (JsonNode row : rows) {
      if (row.has(LOOP)) {
        weighted += row.path(REPORTS).asDouble() * row.path(LOOP).asDouble();
        weights += row.path(REPORTS).asDouble();
      }
    }
    if (weights > 0) {
      totals.put(LOOP, Rows.rounded(weighted / weights));
    }
  }

  private static void putKnown(ObjectNode row, String name, OptionalLong value) {
    value.ifPresent(known -> row.put(name, known));
  }

  private static void put(ObjectNode to, Health health) {
    to.put("status", health.word());
    if (health instanceof Health.Starting starting) {
      to.put("reason", starting.reason());
    } else if (health instanceof Health.Failing failing) {
      to.put("reason", failing.reason());
    } else if (health instanceof Health.Failed failed) {
      to.put("reason", failed.reason());
    }
  }
}
