package io.quotaenforcer.bench.decision.timed;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One request, asked for again and again, by one rule, by two, and by one with its pool. */
public class OneRequestBenchmark {
  public static final String CONFIGURATION =
      "AdmissionClient.tryAcquire(request), one quota key of each rule, sliding windows of 1 s,"
          + " permits granted by the ledger on leases of 1 h; elastic: within its limit, of a pool;"
          + " borrowing: beyond it, by permits that were granted;"
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

  /** All of its own limit is used, and permits of its pool are lent to it. */
  @State(Scope.Benchmark)
  public static class Borrowing {
    private static final int ROUNDS = 200;
    private static final long LENT = 20L * BenchRules.OWN_PERMITS;

    final Request request = Request.of(BenchRules.CASE, "borrowing");
    final GrantedPermits granted = GrantedPermits.none();

    @Setup
    public void borrow() throws InterruptedException {
      grant(BenchRules.OWN_PERMITS);
      granted.client().tryAcquire(request.withCost(BenchRules.OWN_PERMITS));
      granted.look();
      // The demand that has used up the limit has to be forgotten before the pool lends.
      for (int round = 0; !granted.client().tryAcquire(request); round++) {
        if (round == ROUNDS) {
          throw new IllegalStateException("must be lent permits within rounds: " + ROUNDS);
        }
        grant(LENT);
        TimeUnit.MILLISECONDS.sleep(20);
      }
    }

    private void grant(long permits) {
      granted.grant(BenchRules.BORROWING, List.of(request), permits);
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

  @Benchmark
  public boolean borrowing(Borrowing held, Tally tally) {
    return tally.expectAdmitted(held.granted.client().tryAcquire(held.request));
  }
}
