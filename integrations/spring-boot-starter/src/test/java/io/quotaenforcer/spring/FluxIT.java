package io.quotaenforcer.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.spring.flux.FluxApplication;
import io.quotaenforcer.spring.process.SpringService;
import io.quotaenforcer.testkit.HttpLoad;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** WebFlux on Netty, without Kafka. */
@Timeout(360)
class FluxIT {
  @TempDir Path folder;

  private final HttpLoad load = new HttpLoad();

  @Test
  void requests_overTheirLimit_areRefused_byFilterControllerAndRoute() throws Exception {
    try (SpringService service =
        SpringService.onNetty(
            folder,
            FluxApplication.class,
            "--spring.config.location=classpath:/orders/application.yaml",
            "--quota.http.max-wait=2s",
            "--quota.http.client-address=x-forwarded-for",
            "--quota.http.trusted-hops=1")) {
      int port = service.port();
      HttpResponse<String> first = load.get(port, "/page", "X-Forwarded-For", "192.0.2.1");
      assertThat(first.body()).as(service.output()).isEqualTo("a page");
      assertThat(first.headers().firstValue("X-RateLimit-Remaining")).hasValue("1");
      load.get(port, "/%70age", "X-Forwarded-For", "192.0.2.1");
      assertRefused(load.get(port, "/page", "X-Forwarded-For", "8.8.8.8, 192.0.2.1"), "pages");
      assertRefused(load.get(port, "/page;a=b", "X-Forwarded-For", "192.0.2.1"), "pages");
      assertThat(load.get(port, "/page", "X-Forwarded-For", "192.0.2.2").statusCode())
          .isEqualTo(200);

      load.get(port, "/orders?user=a");
      assertThat(load.get(port, "/orders?user=a").body()).isEqualTo("ordered by a");
      assertRefused(load.get(port, "/orders?user=a"), "orders");
      load.get(port, "/functional");
      assertThat(load.get(port, "/functional").body()).isEqualTo("ordered by b");
      assertRefused(load.get(port, "/functional"), "orders");

      assertThat(load.get(port, "/actuator/health/quota").body()).contains("\"status\":\"UP\"");
    }
  }

  private static void assertRefused(HttpResponse<String> answer, String rule) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(429);
    assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(answer.body()).contains("#quota-exceeded", "refused by " + rule);
  }
}
