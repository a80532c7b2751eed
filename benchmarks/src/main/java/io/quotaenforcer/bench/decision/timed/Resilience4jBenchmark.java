package io.quotaenforcer.bench.decision.timed;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import java.time.Duration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * resilience4j's {@code AtomicRateLimiter}, many of them in its registry. A timeout of 0 has it
 * answer at once; nobody listens to its events, which it then does not make.
 */
public class Resilience4jBenchmark {
  public static final String CONFIGURATION =
      "AtomicRateLimiter, timeout 0, 1,000,000,000 per 1 s, throttled: 1 per 1 d;"
          + " acquirePermission(); no event consumers; keys: RateLimiterRegistry.rateLimiter(name)";

  private static final RateLimiterConfig ALWAYS = config(1_000_000_000, Duration.ofSeconds(1));
  private static final RateLimiterConfig NEVER = config(1, Duration.ofDays(1));

  @State(Scope.Benchmark)
  public static class One {
    final RateLimiter limiter = RateLimiter.of("one", ALWAYS);
  }

  @State(Scope.Benchmark)
  public static class Spent {
    final RateLimiter limiter = RateLimiter.of("spent", NEVER);

    public Spent() {
      limiter.acquirePermission();
    }
  }

  @State(Scope.Benchmark)
  public static class New {
    final RateLimiterRegistry registry = RateLimiterRegistry.of(ALWAYS);
  }

  @State(Scope.Benchmark)
  public static class Many extends New {
    public Many() {
      for (int i = 0; i < Users.COUNT; i++) {
        registry.rateLimiter(Users.name(i));
      }
    }
  }

  @Benchmark
  public boolean oneKey(One one, Tally tally) {
    return tally.expectAdmitted(one.limiter.acquirePermission());
  }

  @Benchmark
  public boolean manyKeys(Many many, Users users, Tally tally) {
    return tally.expectAdmitted(many.registry.rateLimiter(users.next()).acquirePermission());
  }

  @Benchmark
  public boolean throttled(Spent spent, Tally tally) {
    return tally.expectThrottled(spent.limiter.acquirePermission());
  }

  @Benchmark
  public boolean newKey(New limiters, NewUsers users, Tally tally) {
    return tally.expectAdmitted(limiters.registry.rateLimiter(users.next()).acquirePermission());
  }

  private static RateLimiterConfig config(int permits, Duration period) {
    return RateLimiterConfig.custom()
        .timeoutDuration(Duration.ZERO)
        .limitForPeriod(permits)
        .limitRefreshPeriod(period)
        .build();
  }
}
