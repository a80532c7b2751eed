package io.quotaenforcer.spring.web;

import io.quotaenforcer.client.ThrottledException;
import io.quotaenforcer.http.HttpQuota;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/**
 * Answers refusals that nobody else of a WebFlux application has answered: those of functional
 * routes and of filters. Goes before Spring Boot's own handler, whose answer is 500. Immutable, for
 * any thread.
 */
public final class ThrottledWebExceptionHandler implements WebExceptionHandler, Ordered {
  private static final int BEFORE_THAT_OF_BOOT = -2;

  private final HttpQuota quota;

  /** A handler that answers as this quota does. */
  public ThrottledWebExceptionHandler(HttpQuota quota) {
    this.quota = quota;
  }

  @Override
  public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
    return failure instanceof ThrottledException refused && !exchange.getResponse().isCommitted()
        ? ExchangeAnswers.write(exchange, quota.answer(refused.decision()))
        : Mono.error(failure);
  }

  @Override
  public int getOrder() {
    return BEFORE_THAT_OF_BOOT;
  }
}
