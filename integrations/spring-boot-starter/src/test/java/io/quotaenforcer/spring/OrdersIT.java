package io.quotaenforcer.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.spring.orders.OrdersApplication;
import io.quotaenforcer.spring.process.SpringService;
import io.quotaenforcer.testkit.HttpLoad;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Annotated controllers of MVC, on Tomcat and without Kafka. */
@Timeout(360)
class OrdersIT {
  @TempDir Path folder;

  private final HttpLoad load = new HttpLoad();

  @Test
  void controllers_overTheirLimit_answerAsTheFilterDoes() throws Exception {
    try (SpringService service =
        SpringService.onTomcat(
            folder,
            OrdersApplication.class,
            "--spring.config.location=classpath:/orders/application.yaml")) {
      int port = service.port();
      assertThat(load.get(port, "/orders?user=a").body()).isEqualTo("ordered by a");
      assertThat(load.get(port, "/later?user=a").body()).isEqualTo("ordered by a");
      assertRefused(load.get(port, "/orders?user=a"));
      assertRefused(load.get(port, "/later?user=a"));
      assertThat(load.get(port, "/orders?user=b").statusCode()).isEqualTo(200);

      assertThat(load.get(port, "/actuator/health/quota").body())
          .contains("\"status\":\"UP\"", "{\"rules\":3,\"keys\":2}");
    }
  }

  private static void assertRefused(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(429);
    assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    assertThat(answer.body()).contains("#quota-exceeded", "refused by orders");
  }
}
