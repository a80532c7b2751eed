package io.quotaenforcer.samples.spring;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.http.QuotaExtractor;
import java.util.Optional;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@RestController
public class ShopApplication {

  @GetMapping("/{page}")
  String page(@PathVariable String page) {
    return "hello at " + page;
  }

  // quota
  @Bean
  QuotaExtractor quotas() {
    return http -> Optional.of(Request.of("ip", http.clientAddress(), "path", http.path()));
  }

  // end of quota

  public static void main(String[] arguments) {
    SpringApplication.run(ShopApplication.class, arguments);
  }
}
