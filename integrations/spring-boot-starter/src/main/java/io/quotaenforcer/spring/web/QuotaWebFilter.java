package io.quotaenforcer.spring.web;

import io.quotaenforcer.http.HttpQuota;
import io.quotaenforcer.http.Verdict;
import java.security.Principal;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Decides each request of a WebFlux application by rules. A request that is admitted runs, and its
 * answer has the rate limit headers; one that is not is answered here. One whose client is gone
 * while it waits takes no permits. Immutable, for any thread.
 */
public final class QuotaWebFilter implements WebFilter, Ordered {
  private final HttpQuota quota;
  private final int order;

  /**
   * A filter that refuses what is not admitted.
   *
   * @param order among other filters
   */
  public QuotaWebFilter(HttpQuota quota, int order) {
    this.quota = quota;
    this.order = order;
  }

  @Override
  public int getOrder() {
    return order;
  }

  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    return who(exchange)
        .flatMap(who -> verdict(new ExchangeSource(exchange.getRequest(), who)))
        .flatMap(verdict -> go(exchange, chain, verdict));
  }

  private static Mono<Supplier<Optional<String>>> who(ServerWebExchange exchange) {
    return exchange
        .getPrincipal()
        .map(Principal::getName)
        .map(Optional::of)
        .defaultIfEmpty(Optional.empty())
        .<Supplier<Optional<String>>>map(known -> () -> known)
        .onErrorResume(RuntimeException.class, e -> Mono.just(rethrowing(e)));
  }

  private static Supplier<Optional<String>> rethrowing(RuntimeException e) {
    return () -> {
      throw e;
    };
  }

  private Mono<Verdict> verdict(ExchangeSource source) {
    return quota.waits()
        ? Mono.fromFuture(() -> quota.decideAsync(source))
        : Mono.fromSupplier(() -> quota.decide(source));
  }

  private static Mono<Void> go(ServerWebExchange exchange, WebFilterChain chain, Verdict verdict) {
    if (verdict instanceof Verdict.Run run) {
      HttpHeaders headers = exchange.getResponse().getHeaders();
      run.headers().forEach(headers::set);
      return chain.filter(exchange);
    }
    return ExchangeAnswers.write(
        exchange,
        verdict instanceof Verdict.Refused refused
            ? refused.answer()
            : ((Verdict.Failed) verdict).answer());
  }
}
