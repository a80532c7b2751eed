package io.quotaenforcer.spring.orders;

import io.quotaenforcer.spring.Quota;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Orders that are decided by annotations, in a service that answers every exception with 500. */
@SpringBootApplication
public class OrdersApplication {

  @RestController
  static class Orders {

    @GetMapping("/orders")
    @Quota(value = "shop/orders", key = "#user")
    public String order(@RequestParam String user) {
      return "ordered by " + user;
    }

    @GetMapping("/later")
    @Quota(value = "shop/orders", key = "#user")
    public CompletionStage<String> later(@RequestParam String user) {
      return CompletableFuture.completedFuture("ordered by " + user);
    }
  }

  @ControllerAdvice
  static class AllExceptions {

    @ExceptionHandler
    public ResponseEntity<String> any(Exception e) {
      return ResponseEntity.internalServerError().body(String.valueOf(e));
    }
  }

  public static void main(String[] arguments) {
    SpringApplication.run(OrdersApplication.class, arguments);
  }
}
