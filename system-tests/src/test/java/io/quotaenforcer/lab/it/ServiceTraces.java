package io.quotaenforcer.lab.it;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.lab.trace.TraceReader;
import io.quotaenforcer.lab.trace.TraceRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The combined traces of several services about a rule with a period of 1 s. */
final class ServiceTraces {
  private static final long SECOND_MICROS = 1_000_000L;

  private final List<TraceRow> rows = new ArrayList<>();
  private final long limit;

  private ServiceTraces(long limit) {
    this.limit = limit;
  }

  /**
   * Makes one trace of the services' own, and reads what it says of one rule.
   *
   * @param folder with one folder per service, in which its trace is
   */
  static ServiceTraces join(Path folder, List<String> services, String rule, long limit)
      throws IOException {
    ServiceLoad.TRACES.join(folder, services);
    ServiceTraces traces = new ServiceTraces(limit);
    TraceReader.open(folder)
        .forEach(
            row -> {
              if (row.rule().equals(rule)) {
                traces.rows.add(row);
              }
            });
    return traces;
  }

  /**
   * Admitted as a fraction of what demand and limit allowed, in the whole windows between two
   * stamps.
   */
  double utilisation(long fromMicros, long untilMicros) {
    Map<String, Long> asked = new HashMap<>();
    long admitted = 0;
    for (TraceRow row : rows) {
      long window = Math.floorDiv(row.epochMicros(), SECOND_MICROS);
      if (window * SECOND_MICROS >= fromMicros && (window + 1) * SECOND_MICROS <= untilMicros) {
        asked.merge(row.key() + "/" + window, row.cost(), Long::sum);
        admitted += row.admitted() ? row.cost() : 0;
      }
    }
    long allowed = asked.values().stream().mapToLong(permits -> Math.min(permits, limit)).sum();
    return allowed == 0 ? 1 : (double) admitted / allowed;
  }

  /**
   * Admitted as a fraction of the limit, in the whole windows between two stamps, of keys that are
   * asked for far more.
   */
  double ofLimit(Collection<QuotaKey> keys, long fromMicros, long untilMicros) {
    Set<String> names = keys.stream().map(QuotaKey::toString).collect(Collectors.toSet());
    long first = -Math.floorDiv(-fromMicros, SECOND_MICROS);
    long windows = Math.floorDiv(untilMicros, SECOND_MICROS) - first;
    long admitted = 0;
    for (TraceRow row : rows) {
      long window = Math.floorDiv(row.epochMicros(), SECOND_MICROS) - first;
      if (row.admitted() && names.contains(row.key()) && window >= 0 && window < windows) {
        admitted += row.cost();
      }
    }
    return (double) admitted / (limit * windows * keys.size());
  }

  /** The longest time in which nothing was admitted. */
  Pause longestPause() {
    Pause longest = new Pause(0, 0);
    long last = Long.MIN_VALUE;
    for (TraceRow row : rows) {
      if (row.admitted()) {
        if (last != Long.MIN_VALUE && row.epochMicros() - last > longest.micros()) {
          longest = new Pause(last, row.epochMicros());
        }
        last = row.epochMicros();
      }
    }
    return longest;
  }

  /** The longest time between two requests of one service. */
  long longestSilenceMicros(String service) {
    long longest = 0;
    long last = Long.MAX_VALUE;
    for (TraceRow row : rows) {
      if (row.instance().equals(service)) {
        longest = Math.max(longest, row.epochMicros() - last);
        last = row.epochMicros();
      }
    }
    return longest;
  }

  long firstMicros() {
    return rows.get(0).epochMicros();
  }

  long lastMicros() {
    return rows.get(rows.size() - 1).epochMicros();
  }

  /** From the last admission before a pause to the first after it. */
  record Pause(long fromMicros, long untilMicros) {
    long micros() {
      return untilMicros - fromMicros;
    }
  }
}
