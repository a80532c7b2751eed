package io.quotaenforcer.spring.flux;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.http.QuotaExtractor;
import io.quotaenforcer.spring.Quota;
import java.util.Optional;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** Pages that a filter decides, and orders that annotations decide. */
@SpringBootApplication
public class FluxApplication {

  @RestController
  static class Pages {
    @GetMapping("/page")
    public Mono<String> page() {
      return Mono.just("a page");
    }

    @GetMapping("/orders")
    @Quota(value = "shop/orders", key = "#user")
    public Mono<String> order(@RequestParam String user) {
      return Mono.just("ordered by " + user);
    }
  }

  @Component
  static class Orders {
    @Quota(value = "shop/orders", key = "#user")
    public Mono<String> order(String user) {
      return Mono.just("ordered by " + user);
    }
  }

  @Bean
  RouterFunction<ServerResponse> functional(Orders orders) {
    return RouterFunctions.route()
        .GET("/functional", request -> ServerResponse.ok().body(orders.order("b"), String.class))
        .build();
  }

  @Bean
  QuotaExtractor quotas() {
    return http -> Optional.of(Request.of("ip", http.clientAddress(), "path", http.path()));
  }

  public static void main(String[] arguments) {
    SpringApplication.run(FluxApplication.class, arguments);
  }
}
