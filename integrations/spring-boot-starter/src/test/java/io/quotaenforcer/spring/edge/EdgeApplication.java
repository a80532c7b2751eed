package io.quotaenforcer.spring.edge;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** A gateway in front of itself, whose clients have keys. */
@SpringBootApplication
@RestController
public class EdgeApplication {

  @GetMapping("/hello")
  Mono<String> hello() {
    return Mono.just("hello");
  }

  @Bean
  KeyResolver keys() {
    return exchange -> Mono.justOrEmpty(exchange.getRequest().getHeaders().getFirst("Api-Key"));
  }

  public static void main(String[] arguments) {
    SpringApplication.run(EdgeApplication.class, arguments);
  }
}
