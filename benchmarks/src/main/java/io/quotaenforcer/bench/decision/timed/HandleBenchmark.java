package io.quotaenforcer.bench.decision.timed;

import io.quotaenforcer.client.QuotaHandle;
import io.quotaenforcer.core.HeldSlots;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.rule.Rule;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.BenchmarkParams;

/** This library's handle of one quota key. */
public class HandleBenchmark {
  public static final String CONFIGURATION =
      "QuotaHandle.tryAcquire(), sliding window of 1 s, permits granted by the ledger on a lease of"
          + " 1 h, by several threads as once the client has noticed that they race for them;"
          + " throttled: 1 permit per 1 d; of a class: the second of three; slots: tryEnter and leave,"
          + " of 1,000 slots; System.nanoTime";

  private static final long PERMITS = 100_000_000_000L;
  private static final long SLOTS = 100;

  /** The permits of one rule. */
  private abstract static class OneKey {
    private final Rule rule;
    private final long permits;

    @SuppressWarnings("NullAway.Init") // set by JMH
    GrantedPermits granted;

    @SuppressWarnings("NullAway.Init") // set by JMH
    QuotaHandle handle;

    OneKey(Rule rule, long permits) {
      this.rule = rule;
      this.permits = permits;
    }

    @Setup
    public void grant(BenchmarkParams parameters) {
      Request request = Request.of(BenchRules.CASE, rule.id().id());
      granted = GrantedPermits.racedFor(rule, request, permits, parameters.getThreads());
      handle = granted.client().handle(rule.id().toString());
    }
  }

  @State(Scope.Benchmark)
  public static class Balanced extends OneKey {
    public Balanced() {
      super(BenchRules.BALANCED, PERMITS);
    }
  }

  @State(Scope.Benchmark)
  public static class Strict extends OneKey {
    public Strict() {
      super(BenchRules.STRICT, PERMITS);
    }
  }

  @State(Scope.Benchmark)
  public static class OfClass extends OneKey {
    public OfClass() {
      super(BenchRules.CLASSES, PERMITS);
    }

    @Override
    public void grant(BenchmarkParams parameters) {
      super.grant(parameters);
      handle = handle.ofClass("normal");
    }
  }

  @State(Scope.Benchmark)
  public static class Slots extends OneKey {
    public Slots() {
      super(BenchRules.SLOTS, SLOTS);
    }
  }

  @State(Scope.Benchmark)
  public static class Spent extends OneKey {
    public Spent() {
      super(BenchRules.SPENT, 1);
    }

    @Override
    public void grant(BenchmarkParams parameters) {
      super.grant(parameters);
      while (handle.tryAcquire()) {}
      granted.look();
    }
  }

  @Benchmark
  public boolean balanced(Balanced key, Tally tally) {
    return tally.expectAdmitted(key.handle.tryAcquire());
  }

  @Benchmark
  public boolean strict(Strict key, Tally tally) {
    return tally.expectAdmitted(key.handle.tryAcquire());
  }

  @Benchmark
  public boolean ofClass(OfClass key, Tally tally) {
    return tally.expectAdmitted(key.handle.tryAcquire());
  }

  /** A request that enters and leaves at once. */
  @Benchmark
  public boolean slots(Slots key, Tally tally) {
    HeldSlots held = key.handle.tryEnter(1);
    if (held != null) {
      key.handle.leave(held, 1);
    }
    return tally.expectAdmitted(held != null);
  }

  @Benchmark
  public boolean throttled(Spent key, Tally tally) {
    return tally.expectThrottled(key.handle.tryAcquire());
  }
}
