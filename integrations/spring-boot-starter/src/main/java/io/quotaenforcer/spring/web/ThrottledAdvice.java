package io.quotaenforcer.spring.web;

import io.quotaenforcer.client.ThrottledException;
import io.quotaenforcer.http.HttpAnswer;
import io.quotaenforcer.http.HttpQuota;
import java.nio.charset.StandardCharsets;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/**
 * Answers refusals that controllers of MVC or WebFlux let escape, as the filter answers its own.
 * Goes before advice without an order, such as a service's handler of all exceptions; a handler in
 * the controller itself goes before it. Immutable, for any thread.
 */
@ControllerAdvice
@Order(0)
public final class ThrottledAdvice {
  private final HttpQuota quota;

  /** Advice that answers as this quota does. */
  public ThrottledAdvice(HttpQuota quota) {
    this.quota = quota;
  }

  /** The answer to a refusal. */
  @ExceptionHandler
  public ResponseEntity<byte[]> throttled(ThrottledException refused) {
    HttpAnswer answer = quota.answer(refused.decision());
    HttpHeaders headers = new HttpHeaders();
    answer.headers().forEach(headers::set);
    return ResponseEntity.status(answer.status())
        .headers(headers)
        .body(answer.body().getBytes(StandardCharsets.UTF_8));
  }
}
