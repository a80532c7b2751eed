package io.quotaenforcer.gateway;

import io.quotaenforcer.server.lifecycle.Lifecycle;
import java.io.PrintWriter;
import java.time.Duration;

/** A gateway that runs until a signal ends the process. */
public final class GatewayRun {
  /** How long an orderly end may take beside the setting drain. */
  public static final Duration CLOSE_DEADLINE = Duration.ofSeconds(20);

  private final GatewayConfig config;
  private final PrintWriter out;

  /**
   * @param out receives the addresses once the gateway listens
   */
  public GatewayRun(GatewayConfig config, PrintWriter out) {
    this.config = config;
    this.out = out;
  }

  /** Starts, and returns after a signal has ended it. */
  public void run() throws InterruptedException {
    try (Lifecycle lifecycle = Lifecycle.start(CLOSE_DEADLINE.plus(config.drain()))) {
      Gateway gateway = Gateway.start(config, lifecycle);
      String host = config.listening().host();
      out.println(
          "checking at http://%s:%d, Envoy's rate limit service at %s:%d; http://%s:%d/health/ready says when it is ready"
              .formatted(
                  host, gateway.port(), host, gateway.grpcPort(), host, gateway.probePort()));
      lifecycle.awaitStop();
    }
  }
}
