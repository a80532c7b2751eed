package io.quotaenforcer.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.spring.edge.EdgeApplication;
import io.quotaenforcer.spring.process.SpringService;
import io.quotaenforcer.testkit.HttpLoad;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Spring Cloud Gateway's own filter, on Netty and without Kafka. */
@Timeout(360)
class EdgeIT {
  @TempDir Path folder;

  private final HttpLoad load = new HttpLoad();

  @Test
  void route_withTheStockFilter_isDecidedByOurRules() throws Exception {
    int port = freePort();
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--spring.config.location=classpath:/edge/application.yaml",
                "--server.port=" + port));
    // The prefix of 2025.0 and later; what is before it is older.
    String route = "--spring.cloud.gateway.server.webflux.routes[0].";
    arguments.add(route + "id=hello");
    arguments.add(route + "uri=http://127.0.0.1:" + port);
    arguments.add(route + "predicates[0]=Path=/edge");
    arguments.add(route + "filters[0]=SetPath=/hello");
    arguments.add(route + "filters[1].name=RequestRateLimiter");
    arguments.add(route + "filters[1].args[quota.cost]=2");
    try (SpringService service =
        SpringService.gateway(folder, EdgeApplication.class, arguments.toArray(String[]::new))) {
      HttpResponse<String> first = load.get(port, "/edge", "Api-Key", "a");
      assertThat(first.body()).as(service.output()).isEqualTo("hello");
      assertThat(first.headers().firstValue("X-RateLimit-Remaining")).hasValue("2");
      assertThat(load.get(port, "/edge", "Api-Key", "a").statusCode()).isEqualTo(200);

      HttpResponse<String> refused = load.get(port, "/edge", "Api-Key", "a");
      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.headers().firstValue("Retry-After")).isPresent();
      assertThat(refused.headers().firstValue("RateLimit-Policy")).hasValue("\"edge\";q=4;w=86400");

      assertThat(load.get(port, "/edge", "Api-Key", "b").statusCode()).isEqualTo(200);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
