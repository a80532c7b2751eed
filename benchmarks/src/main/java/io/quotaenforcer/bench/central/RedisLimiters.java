package io.quotaenforcer.bench.central;

import io.lettuce.core.LettuceVersion;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * Every limiter, over one connection that all threads share; bucket4j's over another, since its
 * values are bytes.
 */
final class RedisLimiters implements AutoCloseable {
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;
  private final List<RedisLimiter> all;

  /**
   * @param epochMicros what time it is, for all of them
   */
  RedisLimiters(int port, Allowance allowance, LongSupplier epochMicros) {
    client = RedisClient.create(RedisURI.create("127.0.0.1", port));
    connection = client.connect();
    StatefulRedisConnection<String, byte[]> bytes =
        client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
    all =
        List.of(
            new FixedWindowOnRedis(connection, allowance, epochMicros),
            new SlidingLogOnRedis(
                connection, allowance, epochMicros, UUID.randomUUID().toString().substring(0, 8)),
            new TokenBucketOnRedis(connection, allowance, epochMicros),
            new Bucket4jOnRedis(bytes, allowance, epochMicros));
  }

  List<RedisLimiter> all() {
    return all;
  }

  /** Versions and settings. */
  Map<String, Object> configuration() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("redis", version());
    json.put("redisSettings", String.join(" ", RedisServer.settings()));
    json.put("lettuce", LettuceVersion.getVersion());
    json.put("bucket4j", implementationVersion(io.github.bucket4j.Bucket.class));
    json.put("connections", "one for all threads; bucket4j another one, for its codec");
    Map<String, Object> sources = new LinkedHashMap<>();
    all.forEach(limiter -> sources.put(limiter.name(), limiter.source()));
    json.put("sources", sources);
    return json;
  }

  @Override
  public void close() {
    client.shutdown(Duration.ZERO, CLOSE_TIMEOUT);
  }

  private String version() {
    return connection
        .sync()
        .info("server")
        .lines()
        .filter(line -> line.startsWith("redis_version:"))
        .map(line -> line.substring(line.indexOf(':') + 1))
        .findFirst()
        .orElse("unknown");
  }

  private static String implementationVersion(Class<?> type) {
    String version = type.getPackage().getImplementationVersion();
    return version == null ? "unknown" : version;
  }
}
