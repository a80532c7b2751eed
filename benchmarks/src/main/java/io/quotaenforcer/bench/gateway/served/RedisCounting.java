package io.quotaenforcer.bench.gateway.served;

import com.google.protobuf.Duration;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.quotaenforcer.gateway.envoy.proto.RateLimitDescriptor;
import io.quotaenforcer.gateway.envoy.proto.RateLimitRequest;
import io.quotaenforcer.gateway.envoy.proto.RateLimitResponse;
import io.quotaenforcer.gateway.envoy.proto.RateLimitResponse.Code;
import io.quotaenforcer.gateway.envoy.proto.RateLimitResponse.DescriptorStatus;
import io.quotaenforcer.gateway.envoy.proto.RateLimitResponse.RateLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A fixed window for each descriptor: INCR and EXPIRE of a key that names the descriptor and its
 * second, sent one behind the other, over one connection. Answers say as much as the gateway's.
 */
final class RedisCounting implements AutoCloseable {
  private static final int KEPT_SECONDS = 2;

  private final RedisClient client;
  private final RedisAsyncCommands<String, String> redis;

  private RedisCounting(RedisClient client) {
    this.client = client;
    this.redis = client.connect().async();
  }

  static RedisCounting connect(int port) {
    return new RedisCounting(RedisClient.create(RedisURI.create("127.0.0.1", port)));
  }

  CompletableFuture<RateLimitResponse> decide(RateLimitRequest request) {
    long now = System.currentTimeMillis();
    List<CompletableFuture<DescriptorStatus>> statuses = new ArrayList<>();
    for (RateLimitDescriptor descriptor : request.getDescriptorsList()) {
      String key = key(request.getDomain(), descriptor, now / 1_000);
      long limit = descriptor.getEntries(0).getValue().equals("free") ? Limits.FREE : Limits.PAYING;
      CompletableFuture<Long> count = redis.incr(key).toCompletableFuture();
      var unused = redis.expire(key, KEPT_SECONDS);
      statuses.add(count.thenApply(of -> status(of, limit, now)));
    }
    return CompletableFuture.allOf(statuses.toArray(CompletableFuture[]::new))
        .thenApply(done -> answer(statuses.stream().map(CompletableFuture::join).toList()));
  }

  static String key(String domain, RateLimitDescriptor descriptor, long second) {
    StringBuilder key = new StringBuilder(domain);
    for (RateLimitDescriptor.Entry entry : descriptor.getEntriesList()) {
      key.append('_').append(entry.getKey()).append('_').append(entry.getValue());
    }
    return key.append('_').append(second).toString();
  }

  private static DescriptorStatus status(long count, long limit, long now) {
    return DescriptorStatus.newBuilder()
        .setCode(count <= limit ? Code.OK : Code.OVER_LIMIT)
        .setCurrentLimit(
            RateLimit.newBuilder().setRequestsPerUnit((int) limit).setUnit(RateLimit.Unit.SECOND))
        .setLimitRemaining((int) Math.max(0, limit - count))
        .setDurationUntilReset(
            Duration.newBuilder().setNanos((int) (1_000 - now % 1_000) % 1_000 * 1_000_000))
        .build();
  }

  private static RateLimitResponse answer(List<DescriptorStatus> statuses) {
    boolean isOver = statuses.stream().anyMatch(status -> status.getCode() == Code.OVER_LIMIT);
    return RateLimitResponse.newBuilder()
        .setOverallCode(isOver ? Code.OVER_LIMIT : Code.OK)
        .addAllStatuses(statuses)
        .build();
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
