package io.quotaenforcer.gateway.envoy;

import io.quotaenforcer.core.RuleId;
import java.time.Duration;
import java.util.Set;

/**
 * How Envoy's requests are decided.
 *
 * @param maxWait how long one may wait for permits that are on their way; zero does not wait
 * @param late rules whose hits are told once the request has run: they are charged whether or not
 *     there is room, and what there is no room for is owed
 * @param headers whether answers have rate limit headers for the client
 */
public record EnvoyOptions(Duration maxWait, Set<RuleId> late, boolean headers) {
  public EnvoyOptions {
    late = Set.copyOf(late);
  }
}
