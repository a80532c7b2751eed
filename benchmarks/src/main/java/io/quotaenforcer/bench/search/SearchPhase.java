package io.quotaenforcer.bench.search;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.quotaenforcer.bench.figures.Times;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * What was seen for a while.
 *
 * @param grants from a user's first request to its grant, nanoseconds
 * @param refused first requests that were not granted within their time
 * @param searches times of answers by kind of search
 * @param residentMebibytes memory of the enforcer's process at the end
 */
record SearchPhase(
    String name,
    @JsonIgnore Histogram grants,
    long refused,
    @JsonIgnore Map<String, Histogram> searches,
    long residentMebibytes) {

  /** Of times, in milliseconds. */
  record Millis(long count, double p50, double p99, double max) {
    static Millis of(Histogram times) {
      return new Millis(
          times.getTotalCount(),
          Times.millis(times, 50),
          Times.millis(times, 99),
          Times.millis(times, 100));
    }
  }

  @JsonProperty
  Millis grantMillis() {
    return Millis.of(grants);
  }

  @JsonProperty
  Map<String, Millis> searchMillis() {
    Map<String, Millis> all = new TreeMap<>();
    searches.forEach((kind, times) -> all.put(kind, Millis.of(times)));
    return all;
  }

  List<String> describe() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s: the enforcer has %d MiB%s"
            .formatted(
                name,
                residentMebibytes,
                refused == 0 ? "" : ", %,d first requests were not granted".formatted(refused)));
    lines.add("  %-34s %9s %8s %8s %8s".formatted("ms", "answers", "p50", "p99", "max"));
    lines.add(line("first grant of a user", grantMillis()));
    searchMillis().forEach((kind, times) -> lines.add(line("search: " + kind, times)));
    return lines;
  }

  private static String line(String what, Millis of) {
    return "  %-34s %,9d %8.1f %8.1f %8.1f".formatted(what, of.count, of.p50, of.p99, of.max);
  }
}
