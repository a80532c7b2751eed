package io.quotaenforcer.bench.central;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * A counter for each key and window, which expires some time after its window: one command for each
 * decision, and another one for the first of a window. Throttled requests count too. If the second
 * command never comes, the counter stays in Redis, but no later window uses it.
 */
final class FixedWindowOnRedis implements RedisLimiter {
  private final RedisCommands<String, String> redis;
  private final RedisAsyncCommands<String, String> asyncRedis;
  private final Allowance allowance;
  private final LongSupplier epochMicros;

  /**
   * @param epochMicros what time it is
   */
  FixedWindowOnRedis(
      StatefulRedisConnection<String, String> connection,
      Allowance allowance,
      LongSupplier epochMicros) {
    this.redis = connection.sync();
    this.asyncRedis = connection.async();
    this.allowance = allowance;
    this.epochMicros = epochMicros;
  }

  @Override
  public String name() {
    return "Redis: INCR and EXPIRE, fixed window";
  }

  @Override
  public String source() {
    return "Redis documentation, INCR, pattern \"rate limiter 1\":"
        + " https://redis.io/docs/latest/commands/incr/";
  }

  @Override
  public boolean tryAcquire(String key) {
    String counter = counter(key);
    long count = redis.incr(counter);
    if (count == 1) {
      redis.pexpire(counter, 2 * allowance.periodMillis());
    }
    return count <= allowance.permits();
  }

  @Override
  public CompletionStage<Boolean> ask(String key) {
    String counter = counter(key);
    return asyncRedis
        .incr(counter)
        .thenApply(
            count -> {
              if (count == 1) {
                var unused = asyncRedis.pexpire(counter, 2 * allowance.periodMillis());
              }
              return count <= allowance.permits();
            });
  }

  private String counter(String key) {
    return "window:" + key + ":" + epochMicros.getAsLong() / allowance.periodMicros();
  }
}
