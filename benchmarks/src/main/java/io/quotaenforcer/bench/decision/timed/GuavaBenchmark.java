package io.quotaenforcer.bench.decision.timed;

import com.google.common.util.concurrent.RateLimiter;
import java.util.concurrent.ConcurrentHashMap;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Guava's {@code RateLimiter}, which has no map of its own: a {@code ConcurrentHashMap} of
 * limiters. {@code tryAcquire} without a timeout does not wait.
 */
public class GuavaBenchmark {
  public static final String CONFIGURATION =
      "RateLimiter.create(1e9), throttled: create(0.001); tryAcquire(); keys:"
          + " ConcurrentHashMap.computeIfAbsent";

  private static final double ALWAYS = 1e9;
  private static final double NEVER = 0.001;

  @State(Scope.Benchmark)
  public static class One {
    final RateLimiter limiter = RateLimiter.create(ALWAYS);
  }

  @State(Scope.Benchmark)
  public static class Spent {
    final RateLimiter limiter = RateLimiter.create(NEVER);

    public Spent() {
      if (!limiter.tryAcquire()) {
        throw new IllegalStateException("must have one permit at first");
      }
    }
  }

  @State(Scope.Benchmark)
  public static class New {
    final ConcurrentHashMap<String, RateLimiter> limiters = new ConcurrentHashMap<>();

    RateLimiter of(String user) {
      return limiters.computeIfAbsent(user, absent -> RateLimiter.create(ALWAYS));
    }
  }

  @State(Scope.Benchmark)
  public static class Many extends New {
    public Many() {
      for (int i = 0; i < Users.COUNT; i++) {
        of(Users.name(i));
      }
    }
  }

  @Benchmark
  public boolean oneKey(One one, Tally tally) {
    return tally.expectAdmitted(one.limiter.tryAcquire());
  }

  @Benchmark
  public boolean manyKeys(Many many, Users users, Tally tally) {
    return tally.expectAdmitted(many.of(users.next()).tryAcquire());
  }

  @Benchmark
  public boolean throttled(Spent spent, Tally tally) {
    return tally.expectThrottled(spent.limiter.tryAcquire());
  }

  @Benchmark
  public boolean newKey(New limiters, NewUsers users, Tally tally) {
    return tally.expectAdmitted(limiters.of(users.next()).tryAcquire());
  }
}
