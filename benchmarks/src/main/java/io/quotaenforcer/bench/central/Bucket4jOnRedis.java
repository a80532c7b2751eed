package io.quotaenforcer.bench.central;

import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.AsyncProxyManager;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * bucket4j's token bucket with its state in Redis: read by one command, and swapped for the next
 * state by a script if nobody else did meanwhile; else again.
 */
final class Bucket4jOnRedis implements RedisLimiter {
  private static final int NANOS_PER_MICRO = 1_000;

  private final ProxyManager<String> buckets;
  private final AsyncProxyManager<String> asyncBuckets;
  private final BucketConfiguration configuration;

  /**
   * @param epochMicros what time it is
   */
  Bucket4jOnRedis(
      StatefulRedisConnection<String, byte[]> connection,
      Allowance allowance,
      LongSupplier epochMicros) {
    Duration period = Duration.ofMillis(allowance.periodMillis());
    this.buckets =
        Bucket4jLettuce.casBasedBuilder(connection)
            .expirationAfterWrite(
                ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(period))
            .clientClock(new Clock(epochMicros))
            .build();
    this.asyncBuckets = buckets.asAsync();
    this.configuration =
        BucketConfiguration.builder()
            .addLimit(
                Bandwidth.builder()
                    .capacity(allowance.permits())
                    .refillGreedy(allowance.permits(), period)
                    .build())
            .build();
  }

  private record Clock(LongSupplier epochMicros) implements TimeMeter {
    @Override
    public long currentTimeNanos() {
      return epochMicros.getAsLong() * NANOS_PER_MICRO;
    }

    @Override
    public boolean isWallClockBased() {
      return true;
    }
  }

  @Override
  public String name() {
    return "bucket4j on Redis";
  }

  @Override
  public String source() {
    return "bucket4j_jdk17-lettuce, Bucket4jLettuce.casBasedBuilder";
  }

  @Override
  public boolean tryAcquire(String key) {
    return buckets.getProxy("bucket4j:" + key, () -> configuration).tryConsume(1);
  }

  @Override
  public CompletionStage<Boolean> ask(String key) {
    return asyncBuckets
        .getProxy("bucket4j:" + key, () -> CompletableFuture.completedFuture(configuration))
        .tryConsume(1);
  }
}
