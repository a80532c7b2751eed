package io.quotaenforcer.proxies;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.testkit.HttpLoad;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** nginx's own limit, here a low one, spares the gateways. */
@Timeout(180)
class EdgeLimitIT {
  private static final int SENT = 300;
  private static final int BURST = 50;
  private static final int PER_SECOND = 1;

  @TempDir Path folder;

  @Test
  void whatNginxRefuses_noGatewayIsAskedAbout() throws Exception {
    Proxy.NGINX.mustBeThere();
    int port = Net.freePorts(1).get(0);
    try (Service gateway = Service.start();
        Service service = Service.start();
        Program nginx =
            Proxy.NGINX.start(
                folder,
                port,
                List.of(gateway.port(), gateway.port()),
                service.port(),
                Map.of(
                    "rate=100r/s", "rate=1r/s",
                    "burst=200", "burst=50",
                    // A busy machine must not make nginx give up, or ask twice.
                    "proxy_connect_timeout 50ms", "proxy_connect_timeout 10s",
                    "proxy_read_timeout 1s", "proxy_read_timeout 10s"))) {
      long begun = System.nanoTime();
      Map<Integer, Integer> statuses = new HttpLoad().get(List.of(port), "/page", SENT, 16);
      double seconds = (System.nanoTime() - begun) / 1e9;
      System.out.printf("nginx's own limit: %s in %.1f s%n", statuses, seconds);

      int admitted = statuses.getOrDefault(200, 0);
      assertThat(admitted)
          .as(nginx.toString())
          .isBetween(BURST, BURST + 1 + (int) (PER_SECOND * seconds));
      assertThat(statuses).containsOnlyKeys(200, 429);
      assertThat(gateway.asked()).isEqualTo(admitted);
      assertThat(service.asked()).isEqualTo(admitted);
    }
  }
}
