package io.quotaenforcer.spring.gateway;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.RateLimitHeaders;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.http.HttpQuota.OnFailure;
import io.quotaenforcer.http.Incidents;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.springframework.cloud.gateway.filter.ratelimit.AbstractRateLimiter;
import org.springframework.cloud.gateway.support.ConfigurationService;
import reactor.core.publisher.Mono;

/**
 * Decides requests of Spring Cloud Gateway's {@code RequestRateLimiter} filter by rules: each has
 * the attributes {@code route}, the route's id, and {@code key}, what the filter's key resolver
 * gives. Safe for use by any number of threads.
 */
public final class QuotaRateLimiter extends AbstractRateLimiter<QuotaRateLimiter.Config> {
  private static final Map<String, String> RETRY_SOON = Map.of(RateLimitHeaders.RETRY_AFTER, "1");

  private final Admission admission;
  private final Duration maxWait;
  private final OnFailure onFailure;
  private final Incidents incidents =
      new Incidents(LoggerFactory.getLogger(QuotaRateLimiter.class), System::nanoTime);

  /** The configuration of a route's filter, such as {@code quota.cost}. */
  public static final class Config {
    private long cost = 1;

    /** Permits that a request takes. */
    public long getCost() {
      return cost;
    }

    public void setCost(long permits) {
      PermitCount.checkCost("cost", permits);
      cost = permits;
    }
  }

  /**
   * A limiter for all routes.
   *
   * @param maxWait how long a request may wait for its permits; zero does not wait
   * @param onFailure what becomes of a request that cannot be decided
   * @param configurations reads what routes say; null if none says anything
   */
  public QuotaRateLimiter(
      Admission admission,
      Duration maxWait,
      OnFailure onFailure,
      @Nullable ConfigurationService configurations) {
    super(Config.class, "quota", configurations);
    this.admission = admission;
    this.maxWait = maxWait;
    this.onFailure = onFailure;
  }

  @Override
  public Mono<Response> isAllowed(String routeId, String id) {
    Supplier<Request> request =
        () -> new Request(Map.of("route", routeId, "key", id), cost(routeId));
    return Mono.defer(() -> Mono.fromFuture(admission.decideAsync(request.get(), maxWait)))
        .map(QuotaRateLimiter::response)
        .onErrorResume(Exception.class, e -> Mono.just(failed(e)));
  }

  private long cost(String routeId) {
    Config config = getConfig().get(routeId);
    return config == null ? 1 : config.cost;
  }

  private static Response response(Decision decision) {
    return new Response(
        decision.admitted(),
        decision.admitted() || decision.rule().isPresent()
            ? RateLimitHeaders.of(decision)
            : RETRY_SOON);
  }

  private Response failed(Exception e) {
    boolean runs = onFailure == OnFailure.RUN;
    incidents.tell("a request was not decided, and is " + (runs ? "run uncounted" : "refused"), e);
    return new Response(runs, runs ? Map.of() : RETRY_SOON);
  }
}
