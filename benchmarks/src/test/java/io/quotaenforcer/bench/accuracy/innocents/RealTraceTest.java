package io.quotaenforcer.bench.accuracy.innocents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quotaenforcer.cli.log.CsvColumns;
import io.quotaenforcer.cli.log.LogFormat;
import io.quotaenforcer.cli.log.LogLine;
import io.quotaenforcer.cli.log.LogReader;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.lab.limits.LimitKind;
import io.quotaenforcer.lab.verdict.CentralCounter;
import io.quotaenforcer.lab.verdict.TurnedAway;
import io.quotaenforcer.simulation.Timeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The hosts of a real log, each with a limit, beside a plain exact counter; where the log is. */
class RealTraceTest {
  private static final String LOG = "nasa_19950801.log.gz";
  private static final int INSTANCES = 8;

  /** The log is slow by today's measure. */
  private static final int FASTER = 60;

  private static final long SEED = 1;
  private static final long MILLI = 1_000_000L;
  private static final RuleId RULE = new RuleId("traces", "per-host");

  private record Line(long at, int host) {}

  private final List<Line> lines = new ArrayList<>();
  private final Map<String, Integer> hosts = new LinkedHashMap<>();

  @Test
  void realLog_perHostLimits_saysWhoIsTurnedAway() throws IOException {
    read(require());
    for (UserLimit of : List.of(UserLimit.PER_SECOND, UserLimit.PER_MINUTE)) {
      Limit limit = of.by(LimitKind.SLIDING_WINDOW);
      TurnedAway balanced = run(limit, Enforcement.BALANCED, 0);
      TurnedAway waiting = run(limit, Enforcement.STRICT, Case.WAIT_MILLIS);
      TurnedAway hasty = run(limit, Enforcement.STRICT, 0);

      System.out.printf(
          "%s x %d, %d instances, %s: turned away, balanced %.2f %%, strict %.2f %%, strict and"
              + " waiting %.2f %%, of %d%n",
          LOG,
          FASTER,
          INSTANCES,
          of.label(),
          balanced.percent(),
          hasty.percent(),
          waiting.percent(),
          balanced.allowed());
      assertThat(balanced.allowed()).isPositive().isEqualTo(waiting.allowed());
      assertThat(balanced.allowed()).isEqualTo(hasty.allowed()).isLessThanOrEqualTo(lines.size());
      assertThat(waiting.turnedAway()).isLessThan(hasty.turnedAway());
    }
  }

  private TurnedAway run(Limit limit, Enforcement enforcement, int waitMillis) {
    Rule rule =
        Rule.of(RULE, List.of("host"), limit).withEnforcement(enforcement).withVersion(1, 1);
    Timeline time = new Timeline(Visits.START);
    AllotmentPolicy fleet =
        AllotmentPolicy.of(
            RuleSet.of(List.of(rule)),
            hosts.keySet().stream().map(host -> Request.of("host", host)).toList(),
            INSTANCES,
            waitMillis * MILLI,
            time,
            new SplittableRandom(SEED));
    Map<Integer, CentralCounter> exact = new HashMap<>();
    TurnedAway.Tally tally = new TurnedAway.Tally();
    for (int i = 0; i < lines.size(); i++) {
      Line line = lines.get(i);
      time.runUntil(line.at);
      boolean allowed =
          exact
              .computeIfAbsent(line.host, host -> new CentralCounter(limit, Visits.START))
              .admits(1, line.at);
      fleet.ask(line.host, i % INSTANCES, (admitted, window) -> tally.add(allowed, admitted));
    }
    time.runUntil(time.now() + 2L * waitMillis * MILLI);
    return tally.total();
  }

  /** Lines of one second are spread over it, in their order. */
  private void read(Path file) throws IOException {
    CsvColumns columns = new CsvColumns(Optional.empty(), Optional.empty());
    long first = Long.MIN_VALUE;
    long last = Visits.START + Visits.LEAD_NANOS;
    try (LogReader reader = LogReader.open(file, LogFormat.COMBINED, columns)) {
      for (var next = reader.next(); next.isPresent(); next = reader.next()) {
        if (next.get() instanceof LogLine.Parsed line) {
          first = first == Long.MIN_VALUE ? line.timeNanos() : first;
          String host = line.request().attributes().get("host");
          last =
              Math.max(
                  last + MILLI / 2,
                  Visits.START + Visits.LEAD_NANOS + (line.timeNanos() - first) / FASTER);
          lines.add(new Line(last, hosts.computeIfAbsent(host, any -> hosts.size())));
        }
      }
    }
  }

  private static Path require() {
    String configured = System.getProperty("quota.traces", System.getenv("QUOTA_TRACES"));
    Path folder = configured != null ? Path.of(configured) : Path.of("..", "..", "shared", "data");
    Path file = folder.resolve(LOG);
    assumeTrue(
        Files.exists(file),
        () ->
            "SKIPPED: there is no real log "
                + file.toAbsolutePath().normalize()
                + "; name its directory by -Dquota.traces=DIR or QUOTA_TRACES");
    return file;
  }
}
