package io.quotaenforcer.bench.decision.timed;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** One request, asked for again and again, by one rule, by two, and by one with its pool. */
public class OneRequestBenchmark {
  public static final String CONFIGURATION =
      "AdmissionClient.tryAcquire(request), one quota key of each rule, sliding windows of 1 s,"
          + " permits granted by the ledger on leases of 1 h; elastic: within its limit, of a pool;"
          + " System.nanoTime";

  private static final long PERMITS = 1_000_000_000L;

  /** A request, and permits of all rules that it matches. */
  private abstract static class One {
    final Request request;
    final AdmissionClient client;

    One(String name, List<Rule> rules) {
      request = Request.of(BenchRules.CASE, name);
      client = GrantedPermits.client(rules, List.of(request), PERMITS);
    }

    boolean tryAcquire(Tally tally) {
      return tally.expectAdmitted(client.tryAcquire(request));
    }
  }

  @State(Scope.Benchmark)
  public static class Plain extends One {
    public Plain() {
      super("plain", BenchRules.PLAIN);
    }
  }

  @State(Scope.Benchmark)
  public static class Two extends One {
    public Two() {
      super("two", BenchRules.TWO_PLAIN);
    }
  }

  @State(Scope.Benchmark)
  public static class Elastic extends One {
    public Elastic() {
      super("elastic", BenchRules.ELASTIC);
    }
  }

  @Benchmark
  public boolean plain(Plain held, Tally tally) {
    return held.tryAcquire(tally);
  }

  @Benchmark
  public boolean twoPlain(Two held, Tally tally) {
    return held.tryAcquire(tally);
  }

  @Benchmark
  public boolean elastic(Elastic held, Tally tally) {
    return held.tryAcquire(tally);
  }
}
