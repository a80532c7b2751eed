package io.quotaenforcer.bench.central;

import io.lettuce.core.api.StatefulRedisConnection;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A sorted set of the times of what was admitted, looked at and added to by one script. */
final class SlidingLogOnRedis implements RedisLimiter {
  private final RedisScript script;
  private final LongSupplier epochMicros;
  private final String period;
  private final String permits;
  private final String instance;
  private final AtomicLong requests = new AtomicLong();

  /**
   * @param epochMicros what time it is
   * @param instance not used by another process: begins the names of requests
   */
  SlidingLogOnRedis(
      StatefulRedisConnection<String, String> connection,
      Allowance allowance,
      LongSupplier epochMicros,
      String instance) {
    this.script = new RedisScript(connection, "sliding-log.lua");
    this.epochMicros = epochMicros;
    this.period = Long.toString(allowance.periodMicros());
    this.permits = Long.toString(allowance.permits());
    this.instance = instance;
  }

  @Override
  public String name() {
    return "Redis: sorted set in Lua, sliding log";
  }

  @Override
  public String source() {
    return "ClassDojo, \"Better Rate Limiting With Redis Sorted Sets\", 2015:"
        + " https://engineering.classdojo.com/blog/2015/02/06/rolling-rate-limiter/"
        + " (there by MULTI; here by a script, so that what is throttled is not logged)";
  }

  @Override
  public boolean tryAcquire(String key) {
    return script.test("log:" + key, now(), period, permits, request());
  }

  @Override
  public CompletionStage<Boolean> ask(String key) {
    return script.ask("log:" + key, now(), period, permits, request());
  }

  private String now() {
    return Long.toString(epochMicros.getAsLong());
  }

  private String request() {
    return instance + ":" + requests.incrementAndGet();
  }
}
