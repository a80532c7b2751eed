package io.quotaenforcer.bench.matching;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleIndex;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** A match among a number of rules, by the index and by a scan, timed by JMH. */
@State(Scope.Benchmark)
public class MatchingBenchmark {
  static final List<Integer> RULES = List.of(10, 100, 1_000, 10_000);
  private static final int REQUESTS = 1_024;
  private static final long SEED = 1;

  @Param("10")
  public int rules;

  private List<Request> requests = List.of();
  private RuleSet set = RuleSet.empty();
  private int next;

  @Setup
  public void prepare() {
    requests = RuleMix.requests(rules, REQUESTS, SEED);
    set = RuleSet.of(RuleMix.rules(rules));
    RuleIndex.prepare(set);
  }

  @Benchmark
  public int byIndex() {
    return byIndex(set, next());
  }

  @Benchmark
  public int byScan() {
    return byScan(set, next());
  }

  private Request next() {
    next = (next + 1) % REQUESTS;
    return requests.get(next);
  }

  private static int byIndex(RuleSet rules, Request request) {
    return rules.match(request).size();
  }

  private static int byScan(RuleSet rules, Request request) {
    int found = 0;
    for (Rule rule : rules.rules()) {
      found += rule.quotaKey(request).isPresent() ? 1 : 0;
    }
    return found;
  }

  /** How many rules match a request, on average. */
  static double matches(int rules) {
    RuleSet set = RuleSet.of(RuleMix.rules(rules));
    long found = 0;
    for (Request request : RuleMix.requests(rules, REQUESTS, SEED)) {
      int matches = byIndex(set, request);
      if (matches != byScan(set, request)) {
        throw new AssertionError("index and scan differ: rules=%d %s".formatted(rules, request));
      }
      found += matches;
    }
    return (double) found / REQUESTS;
  }

  /** The time to build the index, by code that is not compiled yet. */
  static double indexMillis(int rules) {
    RuleSet set = RuleSet.of(RuleMix.rules(rules));
    long before = System.nanoTime();
    RuleIndex.prepare(set);
    return (System.nanoTime() - before) / 1e6;
  }
}
