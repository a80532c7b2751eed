package io.quotaenforcer.enforcer.topology;

import static io.quotaenforcer.enforcer.topology.TopologyFixture.key;
import static io.quotaenforcer.enforcer.topology.TopologyFixture.rule;

import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import io.quotaenforcer.core.message.DeferralInput.ReplyTo;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.OverLimit.Defer;
import io.quotaenforcer.core.rule.OverLimit.OnDelete;
import io.quotaenforcer.core.rule.OverLimit.Release;
import io.quotaenforcer.core.rule.Rule;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Rules that defer, and requests for their queues. */
final class DeferralSamples {
  static final long SECOND = 1_000_000_000L;
  static final Defer MANY =
      new Defer(2_000, Release.AS_QUOTA_FREES, 1_000, 1L << 20, 1_000, OnDelete.RELEASE);
  static final Rule RULE = deferring(new FixedWindow(10, SECOND), MANY);
  static final QuotaKey KEY = key(RULE, "alice");
  static final ReplyTo SERVICE = new ReplyTo("service", 7, 0);

  private DeferralSamples() {}

  static Rule deferring(Limit limit, Defer defer) {
    return rule("deferring", limit).withEnforcement(Enforcement.STRICT).withOverLimit(defer);
  }

  static DeferredRequest request(String id) {
    return request(id, Priority.NORMAL, 0);
  }

  static DeferredRequest request(String id, QuotaKey key) {
    return request(id, key, 1, payload(id));
  }

  static DeferredRequest request(String id, QuotaKey key, long cost, Payload payload) {
    return new DeferredRequest(
        id,
        key,
        Request.of("user", "alice").withCost(cost),
        payload,
        Map.of(),
        Priority.NORMAL,
        0,
        TopologyFixture.START.toEpochMilli(),
        SERVICE);
  }

  static DeferredRequest request(String id, Priority priority, long deadlineMillis) {
    return new DeferredRequest(
        id,
        KEY,
        Request.of("user", "alice"),
        payload(id),
        Map.of("id", id),
        priority,
        deadlineMillis,
        TopologyFixture.START.toEpochMilli(),
        SERVICE);
  }

  static Payload payload(String id) {
    return Payload.of(id.getBytes(StandardCharsets.UTF_8));
  }
}
