package io.quotaenforcer.spring.autoconfigure;

import io.quotaenforcer.http.ClientAddress;
import io.quotaenforcer.http.HttpQuota.OnFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.Ordered;
import org.springframework.core.io.Resource;

/**
 * The properties below {@code quota}. Immutable.
 *
 * @param enabled whether there are any of our beans
 * @param awaitRules how long the start of the service waits for the rules
 * @param onFailure what becomes of a request, or of a call, that cannot be decided
 * @param client settings of the admission client, by their names in its reference
 */
@ConfigurationProperties("quota")
public record QuotaProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("0s") Duration awaitRules,
    @DefaultValue("run") OnFailure onFailure,
    @DefaultValue Map<String, String> client,
    @DefaultValue Standalone standalone,
    @DefaultValue Http http,
    @DefaultValue Method method) {

  /**
   * Deciding in this process alone.
   *
   * @param rules a rule file; without one, the admission client decides
   */
  public record Standalone(@Nullable Resource rules) {}

  /**
   * The filter of HTTP requests.
   *
   * @param maxWait how long a request may wait for its permits
   * @param trustedHops proxies of the service's own that stand before it
   * @param order of the filter among others
   * @param urlPatterns of a servlet filter
   */
  public record Http(
      @DefaultValue("true") boolean enabled,
      @DefaultValue("0s") Duration maxWait,
      @DefaultValue("connection") AddressSource clientAddress,
      @DefaultValue("1") int trustedHops,
      @DefaultValue("" + Ordered.LOWEST_PRECEDENCE) int order,
      @DefaultValue("/*") List<String> urlPatterns) {

    ClientAddress addresses() {
      return switch (clientAddress) {
        case CONNECTION -> ClientAddress.ofConnection();
        case X_FORWARDED_FOR -> ClientAddress.byForwardedFor(trustedHops);
        case FORWARDED -> ClientAddress.byForwarded(trustedHops);
      };
    }
  }

  /**
   * Methods with {@link io.quotaenforcer.spring.Quota}.
   *
   * @param maxWait how long a call may wait for its permits
   */
  public record Method(@DefaultValue("0s") Duration maxWait) {}

  /** Which address a request counts as sent from. */
  public enum AddressSource {
    CONNECTION,
    X_FORWARDED_FOR,
    FORWARDED
  }
}
