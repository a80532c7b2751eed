package io.quotaenforcer.bench.decision.timed;

import io.github.bucket4j.Bucket;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * bucket4j's local bucket as its builder makes it: lock-free, counting in whole permits, by the
 * clock of milliseconds. It proposes a {@code ConcurrentHashMap} for buckets of many keys.
 */
public class Bucket4jBenchmark {
  public static final String CONFIGURATION =
      "local lock-free bucket, capacity 1,000,000,000, greedy refill of as many per 1 s, throttled:"
          + " 1 per 1 d; tryConsume(1); keys: ConcurrentHashMap.computeIfAbsent";

  @State(Scope.Benchmark)
  public static class One {
    final Bucket bucket = always();
  }

  @State(Scope.Benchmark)
  public static class Spent {
    final Bucket bucket = bucket(1, Duration.ofDays(1));

    public Spent() {
      bucket.tryConsume(1);
    }
  }

  @State(Scope.Benchmark)
  public static class New {
    final ConcurrentHashMap<String, Bucket> buckets = new ConcurrentHashMap<>();

    Bucket of(String user) {
      return buckets.computeIfAbsent(user, absent -> always());
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
    return tally.expectAdmitted(one.bucket.tryConsume(1));
  }

  @Benchmark
  public boolean manyKeys(Many many, Users users, Tally tally) {
    return tally.expectAdmitted(many.of(users.next()).tryConsume(1));
  }

  @Benchmark
  public boolean throttled(Spent spent, Tally tally) {
    return tally.expectThrottled(spent.bucket.tryConsume(1));
  }

  @Benchmark
  public boolean newKey(New limiters, NewUsers users, Tally tally) {
    return tally.expectAdmitted(limiters.of(users.next()).tryConsume(1));
  }

  private static Bucket always() {
    return bucket(1_000_000_000, Duration.ofSeconds(1));
  }

  private static Bucket bucket(long permits, Duration period) {
    return Bucket.builder()
        .addLimit(limit -> limit.capacity(permits).refillGreedy(permits, period))
        .build();
  }
}
