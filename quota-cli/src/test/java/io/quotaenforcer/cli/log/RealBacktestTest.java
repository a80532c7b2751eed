package io.quotaenforcer.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.cli.Traces;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.backtest.RuleRun;
import io.quotaenforcer.core.rule.Elastic;
import io.quotaenforcer.core.rule.PenaltyTerms;
import io.quotaenforcer.core.rule.Rule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An elastic rule and one with a penalty over a day of a web server, beside simple counts. */
class RealBacktestTest {
  private static final String LOG = "nasa_19950801.log.gz";
  private static final long SECOND = 1_000_000_000L;
  private static final RuleId PER_HOST = new RuleId("web", "per-host");
  private static final int PERMITS = 6;

  private interface Asked {
    void request(String host, long second, Request request) throws IOException;
  }

  private static FixedWindow window(long permits, long seconds) {
    return new FixedWindow(permits, seconds * SECOND);
  }

  private static Rule perHost(long seconds) {
    return Rule.of(PER_HOST, List.of("host"), window(PERMITS, seconds));
  }

  /** Times of the log are whole seconds. */
  private static void read(Asked asked) throws IOException {
    CsvColumns columns = new CsvColumns(Optional.empty(), Optional.empty());
    try (LogReader reader = LogReader.open(Traces.require(LOG), LogFormat.COMBINED, columns)) {
      for (var line = reader.next(); line.isPresent(); line = reader.next()) {
        LogLine.Parsed parsed = (LogLine.Parsed) line.get();
        Request request = parsed.request();
        asked.request(
            String.valueOf(request.attributes().get("host")), parsed.timeNanos() / SECOND, request);
      }
    }
  }

  @Test
  void elasticRule_admitsAsCountedWithThreeMaps() throws IOException {
    RuleRun run =
        new RuleRun(
            List.of(
                perHost(60).withElastic(new Elastic("all", 30_000)),
                Rule.of(new RuleId("web", "all"), List.of(), window(40, 60))),
            1_000_000);
    Map<String, Integer> own = new HashMap<>();
    Map<String, Integer> borrowed = new HashMap<>();
    Map<Long, Integer> all = new HashMap<>();
    long[] admitted = {0};
    read(
        (host, second, request) -> {
          long minute = second / 60;
          String key = host + " " + minute;
          boolean isOwn = own.getOrDefault(key, 0) < PERMITS;
          boolean room = isOwn || borrowed.getOrDefault(key, 0) < 2 * PERMITS;
          boolean expected = room && all.getOrDefault(minute, 0) < 40;
          if (expected) {
            (isOwn ? own : borrowed).merge(key, 1, Integer::sum);
            all.merge(minute, 1, Integer::sum);
            admitted[0]++;
          }
          assertThat(run.decide(request, second * SECOND).admitted())
              .as("%s at %d", host, second)
              .isEqualTo(expected);
        });
    long lent = borrowed.values().stream().mapToLong(it -> it).sum();
    System.out.printf("back-test of a real log: %,d admitted, %,d borrowed%n", admitted[0], lent);
    assertThat(all.values()).as("the pool was short").contains(40);
    assertThat(lent).isGreaterThan(1_000);
  }

  /** What is known of a host that is throttled. */
  private static final class Offender {
    private final List<Long> throttledAt = new ArrayList<>();
    private long until;
    private long length;
  }

  @Test
  void ruleWithPenalty_refusesAsCountedWithTwoMaps() throws IOException {
    Rule rule =
        perHost(10).withPenalty(new PenaltyTerms(5, 16 * SECOND, 300 * SECOND, 3, 3_000 * SECOND));
    RuleRun run = new RuleRun(List.of(rule), 1_000_000);
    Map<String, Integer> counts = new HashMap<>();
    Map<String, Offender> offenders = new HashMap<>();
    long[] penalties = {0, 0};
    read(
        (host, second, request) -> {
          Offender offender = offenders.computeIfAbsent(host, name -> new Offender());
          boolean expected = second >= offender.until;
          penalties[1] += expected ? 0 : 1;
          String key = host + " " + second / 10;
          if (expected && counts.merge(key, 1, Integer::sum) > PERMITS) {
            expected = false;
            offender.throttledAt.add(second);
            if (offender.throttledAt.stream().filter(at -> second - at < 16).count() >= 5) {
              boolean again = offender.until > 0 && second <= offender.until + offender.length;
              offender.length = again ? Math.min(3_000, 3 * offender.length) : 300;
              offender.until = second + offender.length;
              offender.throttledAt.clear();
              penalties[0]++;
            }
          }
          assertThat(run.decide(request, second * SECOND).admitted())
              .as("%s at %d", host, second)
              .isEqualTo(expected);
        });
    System.out.printf(
        "back-test of a real log: %,d penalties, %,d requests refused under one%n",
        penalties[0], penalties[1]);
    assertThat(run.penalties(rule)).isEqualTo(penalties[0]).isGreaterThan(10);
    assertThat(penalties[1]).isGreaterThan(100);
  }
}
