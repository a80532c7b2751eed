package io.quotaenforcer.proxies;

import io.quotaenforcer.lab.process.Wait;
import io.quotaenforcer.testkit.HttpLoad;
import io.quotaenforcer.testkit.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Each proxy, with the same two gateways and the same service behind; Kafka and an enforcer. */
final class Edge implements AutoCloseable {
  static final Duration HEALED = Duration.ofSeconds(120);

  private final Map<Proxy, Integer> ports = new EnumMap<>(Proxy.class);
  private final List<GatewayJvm> gateways = new ArrayList<>();
  private final List<AutoCloseable> open = new ArrayList<>();
  private final Path folder;
  private final Site site;

  private Edge(Path folder, Site site) {
    this.folder = folder;
    this.site = site;
    open.add(site);
  }

  /** Returns once requests are counted through all of it. */
  static Edge start(Path folder) throws Exception {
    Proxy.all().forEach(Proxy::mustBeThere);
    Path home = Files.createDirectories(folder.resolve("site"));
    Edge edge = new Edge(folder, Site.start(home, Files.readString(Path.of("rules.yaml"))));
    try {
      edge.startRest();
      edge.awaitCounting();
      return edge;
    } catch (Exception | AssertionError e) {
      edge.close();
      throw e;
    }
  }

  private void startRest() throws Exception {
    List<Integer> free = Net.freePorts(4);
    List<Integer> gatewayPorts = free.subList(0, 2);
    for (int port : gatewayPorts) {
      GatewayJvm gateway =
          GatewayJvm.start(
              "gateway-" + port,
              folder.resolve("gateway-" + port),
              port,
              List.of(),
              "bootstrap.servers=" + site.bootstrapServers(),
              // A busy machine may take long for a loop.
              "max.wait=6s");
      open.add(gateway);
      gateways.add(gateway);
    }
    Service service = Service.start();
    open.add(service);
    Iterator<Integer> proxyPorts = free.subList(2, 4).iterator();
    for (Proxy proxy : Proxy.values()) {
      int port = proxyPorts.next();
      ports.put(proxy, port);
      Map<String, String> changes =
          proxy == Proxy.NGINX
              ? Map.of(
                  "rate=100r/s", "rate=100000r/s",
                  // Who is killed refuses at once.
                  "proxy_connect_timeout 50ms", "proxy_connect_timeout 2s",
                  "proxy_read_timeout 1s", "proxy_read_timeout 15s",
                  "proxy_next_upstream_timeout 2s", "proxy_next_upstream_timeout 40s")
              : Map.of(
                  "dial_timeout 50ms", "dial_timeout 2s",
                  "response_header_timeout 1s", "response_header_timeout 15s");
      Path home = Files.createDirectories(folder.resolve(proxy.id()));
      open.add(proxy.start(home, port, gatewayPorts, service.port(), changes));
    }
  }

  Site site() {
    return site;
  }

  List<GatewayJvm> gateways() {
    return gateways;
  }

  int port(Proxy proxy) {
    return ports.getOrDefault(proxy, 0);
  }

  Collection<Integer> ports() {
    return ports.values();
  }

  /** Starts gateways that a test has left dead. */
  void revive() throws IOException {
    for (GatewayJvm gateway : gateways) {
      if (!gateway.isAlive()) {
        gateway.restart();
        gateway.awaitReady();
      }
    }
    awaitCounting();
  }

  /** Through each proxy, so that both gateways are asked for sure, many times. */
  void awaitCounting() {
    HttpLoad load = new HttpLoad();
    for (int port : ports.values()) {
      Wait.until("counting", HEALED, () -> isCounted(port));
      Wait.until(
          "permits",
          HEALED,
          () -> load.get(List.of(port), "/order", 20, 2).equals(Map.of(200, 20)));
    }
  }

  /** Before a gateway knows the rules, and after it is gone, an answer has no such header. */
  private static boolean isCounted(int port) {
    return new HttpLoad().get(port, "/read").headers().firstValue("RateLimit-Policy").isPresent();
  }

  @Override
  public void close() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }
}
