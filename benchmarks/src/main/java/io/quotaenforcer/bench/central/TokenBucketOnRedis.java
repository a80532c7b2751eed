package io.quotaenforcer.bench.central;

import io.lettuce.core.api.StatefulRedisConnection;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/** A hash with the permits in a bucket and the time, refilled and taken from by one script. */
final class TokenBucketOnRedis implements RedisLimiter {
  private final RedisScript script;
  private final LongSupplier epochMicros;
  private final String period;
  private final String permits;

  /**
   * @param epochMicros what time it is
   */
  TokenBucketOnRedis(
      StatefulRedisConnection<String, String> connection,
      Allowance allowance,
      LongSupplier epochMicros) {
    this.script = new RedisScript(connection, "token-bucket.lua");
    this.epochMicros = epochMicros;
    this.period = Long.toString(allowance.periodMicros());
    this.permits = Long.toString(allowance.permits());
  }

  @Override
  public String name() {
    return "Redis: token bucket in Lua";
  }

  @Override
  public String source() {
    return "Stripe, \"Scaling your API with rate limiters\", 2017:"
        + " https://stripe.com/blog/rate-limiters (there in two keys; here in one hash)";
  }

  @Override
  public boolean tryAcquire(String key) {
    return script.test("bucket:" + key, now(), period, permits);
  }

  @Override
  public CompletionStage<Boolean> ask(String key) {
    return script.ask("bucket:" + key, now(), period, permits);
  }

  private String now() {
    return Long.toString(epochMicros.getAsLong());
  }
}
