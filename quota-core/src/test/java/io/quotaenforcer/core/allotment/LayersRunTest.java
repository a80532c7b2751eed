package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.Rule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Several rules of one request: all of them are charged, or none. */
class LayersRunTest {
  private static final Limit LIMIT = new SlidingWindow(1_000, SECOND);
  private static final List<String> IDS = List.of("a", "b", "c");

  /** Rules that are granted at random, of which one or the other runs out. */
  private static final class Run {
    private final TestBook client;
    private final Map<QuotaKey, Map<Long, CellUsage>> reported = new HashMap<>();
    private final Map<String, Long> granted = new HashMap<>();
    private long admitted;
    private long throttled;

    Run(Rule... rules) {
      client = new TestBook(rules);
    }

    void decide(long cost) {
      Decision decision = client.decide("42", cost);
      if (decision.admitted()) {
        admitted += cost;
        assertThat(decision.rules()).hasSize(IDS.size());
      } else {
        throttled++;
        RuleDecision by = decision.rule().orElseThrow();
        assertThat(by.hadRoom()).isFalse();
        assertThat(decision.rules()).containsExactly(by);
      }
    }

    void report(String toppedUp, long more) {
      for (QuotaUsage usage : client.reports()) {
        Map<Long, CellUsage> cells =
            reported.computeIfAbsent(usage.quotaKey(), any -> new HashMap<>());
        usage.cells().forEach(cell -> cells.put(cell.id(), cell));
        String id = usage.quotaKey().rule().id();
        granted.merge(id, id.equals(toppedUp) ? more : 0, Long::sum);
        long permits = granted.get(id);
        TestBook.Answer answer = client.answer().of(usage.quotaKey(), 1);
        if (permits > 0) {
          answer.grants(client.grant(LIMIT, 5, permits));
        }
        answer.send();
      }
    }

    void close() {
      client
          .book
          .close(client.now)
          .forEach(
              report ->
                  report
                      .quotas()
                      .forEach(
                          usage -> {
                            Map<Long, CellUsage> cells =
                                reported.computeIfAbsent(usage.quotaKey(), any -> new HashMap<>());
                            usage.cells().forEach(cell -> cells.put(cell.id(), cell));
                          }));
    }

    long used(String id) {
      return reported.getOrDefault(key(id, "42"), Map.of()).values().stream()
          .mapToLong(CellUsage::used)
          .sum();
    }
  }

  @Test
  void strictRules_anyOfThemShort_areChargedAlike() {
    long[] outcomes = new long[2];
    Seeded.check(
        60,
        random -> {
          Run run =
              new Run(
                  IDS.stream().map(id -> rule(id, LIMIT, Enforcement.STRICT)).toArray(Rule[]::new));
          for (int i = 0; i < 200; i++) {
            run.client.passes(random.nextLong(20 * MILLI));
            if (random.nextInt(4) == 0) {
              run.report(IDS.get(random.nextInt(IDS.size())), random.nextLong(8));
            } else {
              run.decide(1 + random.nextInt(3));
            }
          }
          run.close();
          for (String id : IDS) {
            assertThat(run.used(id)).as("permits of %s", id).isEqualTo(run.admitted);
          }
          outcomes[0] += run.admitted;
          outcomes[1] += run.throttled;
        });
    assertThat(outcomes[0]).as("permits").isPositive();
    assertThat(outcomes[1]).as("throttled").isPositive();
  }

  /** A rule that only watches reports as much of what it would have throttled, and stops nobody. */
  @Test
  void ruleThatOnlyWatches_isChargedWhereItHasRoom_andStopsNobody() {
    Seeded.check(
        40,
        random -> {
          Run run =
              new Run(
                  rule("a", LIMIT, Enforcement.PER_INSTANCE),
                  rule("b", LIMIT, Enforcement.STRICT).withMode(Mode.SHADOW),
                  rule("c", LIMIT, Enforcement.PER_INSTANCE));
          for (int i = 0; i < 100; i++) {
            run.client.passes(random.nextLong(20 * MILLI));
            if (random.nextInt(4) == 0) {
              run.report("b", random.nextLong(5));
            } else {
              run.decide(1);
            }
          }
          run.close();
          assertThat(run.throttled).isZero();
          assertThat(run.used("a")).isEqualTo(run.admitted);
          assertThat(run.used("c")).isEqualTo(run.admitted);
          assertThat(run.used("b")).isLessThanOrEqualTo(run.admitted);
          long refused =
              run.reported.getOrDefault(key("b", "42"), Map.of()).values().stream()
                  .mapToLong(CellUsage::throttled)
                  .sum();
          assertThat(run.used("b") + refused).as("all that came").isEqualTo(run.admitted);
        });
  }
}
