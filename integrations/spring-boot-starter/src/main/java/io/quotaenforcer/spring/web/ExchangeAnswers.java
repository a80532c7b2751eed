package io.quotaenforcer.spring.web;

import io.quotaenforcer.http.HttpAnswer;
import java.nio.charset.StandardCharsets;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Answers instead of a WebFlux application's own. */
final class ExchangeAnswers {
  private ExchangeAnswers() {}

  static Mono<Void> write(ServerWebExchange exchange, HttpAnswer answer) {
    ServerHttpResponse response = exchange.getResponse();
    response.setStatusCode(HttpStatusCode.valueOf(answer.status()));
    answer.headers().forEach(response.getHeaders()::set);
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    response.getHeaders().setContentLength(body.length);
    return response.writeWith(Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
  }
}
