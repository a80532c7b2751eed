package io.quotaenforcer.bench.central;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What Redis is compared by limits as it says. */
@TestInstance(Lifecycle.PER_CLASS)
class RedisLimitersTest {
  /** Redis forgets by its own clock; within this no test ends. */
  private static final long HOUR_MILLIS = TimeUnit.HOURS.toMillis(1);

  private static final long PERMITS = 50;
  private static final Allowance ALLOWANCE = new Allowance(PERMITS, HOUR_MILLIS);
  private static final long BORDER =
      Math.floorDiv(
              TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()), ALLOWANCE.periodMicros())
          * ALLOWANCE.periodMicros();

  private final AtomicLong micros = new AtomicLong();
  private final AtomicLong keys = new AtomicLong();
  private RedisServer server;
  private RedisLimiters limiters;

  @BeforeAll
  void start() throws Exception {
    server = RedisServer.start(InstalledRedis.orSkip());
    limiters = new RedisLimiters(server.port(), ALLOWANCE, micros::get);
  }

  @AfterAll
  void stop() {
    if (server != null) {
      limiters.close();
      server.close();
    }
  }

  List<RedisLimiter> limiters() {
    return limiters.all();
  }

  @ParameterizedTest
  @MethodSource("limiters")
  void tryAcquire_permitsAreSpent_throttlesUntilAPeriodLater(RedisLimiter limiter) {
    String key = key();
    micros.set(BORDER);

    assertThat(acquire(limiter, key, PERMITS + 10)).isEqualTo(PERMITS);
    assertThat(acquire(limiter, key(), 1)).as("another key").isOne();
    micros.addAndGet(ALLOWANCE.periodMicros());
    assertThat(acquire(limiter, key, PERMITS + 10)).isEqualTo(PERMITS);
  }

  @ParameterizedTest
  @MethodSource("limiters")
  void tryAcquire_twoThreadsOnOneKey_admitAsManyAsPermits(RedisLimiter limiter) throws Exception {
    String key = key();
    micros.set(BORDER);
    Callable<Long> thread = () -> acquire(limiter, key, PERMITS);
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try {
      long admitted = 0;
      for (Future<Long> part : pool.invokeAll(List.of(thread, thread))) {
        admitted += part.get();
      }
      assertThat(admitted).isEqualTo(PERMITS);
    } finally {
      pool.shutdownNow();
    }
  }

  @ParameterizedTest
  @MethodSource("limiters")
  void ask_manyAtOnce_admitsAsManyAsPermits(RedisLimiter limiter) {
    String key = key();
    micros.set(BORDER);
    List<CompletionStage<Boolean>> asked = new ArrayList<>();
    for (int i = 0; i < 2 * PERMITS; i++) {
      asked.add(limiter.ask(key));
    }
    assertThat(asked.stream().filter(answer -> answer.toCompletableFuture().join()).count())
        .isEqualTo(PERMITS);
  }

  @Test
  void fixedWindow_itsBorder_renewsAllPermits() {
    RedisLimiter limiter = limiter(FixedWindowOnRedis.class);
    String key = key();
    micros.set(BORDER + ALLOWANCE.periodMicros() - 1);
    acquire(limiter, key, PERMITS);

    micros.addAndGet(1);

    assertThat(acquire(limiter, key, 2 * PERMITS)).isEqualTo(PERMITS);
  }

  @Test
  void slidingLog_aPeriodAfterSomeOfThem_renewsThose() {
    RedisLimiter limiter = limiter(SlidingLogOnRedis.class);
    String key = key();
    micros.set(BORDER);
    acquire(limiter, key, 20);
    micros.addAndGet(ALLOWANCE.periodMicros() / 2);
    acquire(limiter, key, PERMITS);

    micros.set(BORDER + ALLOWANCE.periodMicros() - 1);
    assertThat(acquire(limiter, key, 1)).isZero();
    micros.addAndGet(1);
    assertThat(acquire(limiter, key, PERMITS)).isEqualTo(20);
  }

  @ParameterizedTest
  @MethodSource("buckets")
  void bucket_aFifthOfAPeriod_refillsAFifth(RedisLimiter limiter) {
    String key = key();
    micros.set(BORDER);
    acquire(limiter, key, PERMITS);

    micros.addAndGet(ALLOWANCE.periodMicros() / 5);

    assertThat(acquire(limiter, key, PERMITS)).isEqualTo(PERMITS / 5);
  }

  @Test
  void tokenBucket_clockOfAnotherClientIsBehind_refillsNothingTwice() {
    RedisLimiter limiter = limiter(TokenBucketOnRedis.class);
    String key = key();
    micros.set(BORDER + ALLOWANCE.periodMicros());
    acquire(limiter, key, PERMITS);
    micros.set(BORDER);
    assertThat(acquire(limiter, key, 1)).isZero();

    micros.set(BORDER + ALLOWANCE.periodMicros());

    assertThat(acquire(limiter, key, 1)).isZero();
  }

  @Test
  void everything_thatIsLeftInRedis_expires() {
    micros.set(BORDER);
    limiters().forEach(limiter -> acquire(limiter, key(), 3));
    limiters().forEach(limiter -> limiter.ask(key()).toCompletableFuture().join());

    RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", server.port()));
    try (var connection = client.connect()) {
      RedisCommands<String, String> redis = connection.sync();
      assertThat(redis.keys("*"))
          .hasSizeGreaterThanOrEqualTo(2 * limiters().size())
          .allSatisfy(key -> assertThat(redis.pttl(key)).isBetween(1L, 2 * HOUR_MILLIS));
    } finally {
      client.shutdown();
    }
  }

  @Test
  void configuration_saysVersionsAndSources() {
    assertThat(limiters.configuration())
        .hasEntrySatisfying("redis", version -> assertThat((String) version).matches("\\d.*"))
        .hasEntrySatisfying("lettuce", version -> assertThat((String) version).matches("\\d.*"))
        .hasEntrySatisfying("bucket4j", version -> assertThat((String) version).matches("\\d.*"));
  }

  List<RedisLimiter> buckets() {
    return List.of(limiter(TokenBucketOnRedis.class), limiter(Bucket4jOnRedis.class));
  }

  private RedisLimiter limiter(Class<? extends RedisLimiter> type) {
    return limiters().stream().filter(type::isInstance).findFirst().orElseThrow();
  }

  private String key() {
    return "key-" + keys.incrementAndGet();
  }

  private static long acquire(RedisLimiter limiter, String key, long times) {
    return IntStream.range(0, (int) times).filter(i -> limiter.tryAcquire(key)).count();
  }
}
