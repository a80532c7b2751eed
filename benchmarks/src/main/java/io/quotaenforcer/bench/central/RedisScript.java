package io.quotaenforcer.bench.central;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionStage;

/** A Lua script that Redis has, called by its digest; it answers 1 for yes. */
final class RedisScript {
  private final RedisCommands<String, String> redis;
  private final RedisAsyncCommands<String, String> asyncRedis;
  private final String digest;

  /**
   * Hands the script to Redis.
   *
   * @param resource beside this class
   */
  RedisScript(StatefulRedisConnection<String, String> connection, String resource) {
    this.redis = connection.sync();
    this.asyncRedis = connection.async();
    this.digest = redis.scriptLoad(read(resource));
  }

  boolean test(String key, String... arguments) {
    Long answer = redis.evalsha(digest, ScriptOutputType.INTEGER, new String[] {key}, arguments);
    return answer == 1;
  }

  CompletionStage<Boolean> ask(String key, String... arguments) {
    return asyncRedis
        .<Long>evalsha(digest, ScriptOutputType.INTEGER, new String[] {key}, arguments)
        .thenApply(answer -> answer == 1);
  }

  private static String read(String resource) {
    try (InputStream script = RedisScript.class.getResourceAsStream(resource)) {
      if (script == null) {
        throw new IllegalArgumentException("must be a resource: " + resource);
      }
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
