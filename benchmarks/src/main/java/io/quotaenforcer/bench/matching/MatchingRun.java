package io.quotaenforcer.bench.matching;

import com.sun.management.ThreadMXBean;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleIndex;
import io.quotaenforcer.core.rule.RuleSet;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;

/** Measures one number of rules, in the calling thread. */
final class MatchingRun {
  private static final int REQUESTS = 1_024;
  private static final int ROUNDS = 5;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final int count;
  private final List<Request> requests = new ArrayList<>();
  private final Collection<Rule> rules;
  private final RuleSet set;
  private final double indexMillis;

  MatchingRun(int count, long seed) {
    this.count = count;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < REQUESTS; i++) {
      requests.add(RuleMix.request(random, count));
    }
    set = RuleSet.of(RuleMix.rules(count));
    rules = set.rules();
    long before = System.nanoTime();
    RuleIndex.prepare(set);
    indexMillis = (System.nanoTime() - before) / NANOS_PER_MILLI;
  }

  void warmUp(long nanos) {
    measure(nanos, this::byIndex);
    measure(nanos / 10, this::byScan);
  }

  MatchingRow run(long nanos) {
    double[] rounds = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      rounds[i] = measure(nanos / ROUNDS, this::byIndex);
    }
    Arrays.sort(rounds);
    long bytes = THREADS.getCurrentThreadAllocatedBytes();
    long matches = byIndex(requests);
    bytes = THREADS.getCurrentThreadAllocatedBytes() - bytes;
    if (matches != byScan(requests)) {
      throw new AssertionError("index and scan differ with " + count + " rules");
    }
    double scan = measure(nanos / ROUNDS, this::byScan);
    return new MatchingRow(
        count,
        rounds[ROUNDS / 2],
        (double) bytes / REQUESTS,
        (double) matches / REQUESTS,
        scan,
        indexMillis);
  }

  /** Nanoseconds of one request; of this thread alone, whatever else the machine does. */
  private double measure(long nanos, ToLongFunction<List<Request>> match) {
    long started = THREADS.getCurrentThreadCpuTime();
    long end = started;
    long done = 0;
    long found = 0;
    while (end - started < nanos) {
      found += match.applyAsLong(requests);
      done += REQUESTS;
      end = THREADS.getCurrentThreadCpuTime();
    }
    if (found < 0) {
      throw new AssertionError(found);
    }
    return (double) (end - started) / done;
  }

  private long byIndex(List<Request> all) {
    long found = 0;
    for (int i = 0; i < all.size(); i++) {
      found += set.match(all.get(i)).size();
    }
    return found;
  }

  private long byScan(List<Request> all) {
    long found = 0;
    for (Request request : all) {
      for (Rule rule : rules) {
        found += rule.quotaKey(request).isPresent() ? 1 : 0;
      }
    }
    return found;
  }
}
