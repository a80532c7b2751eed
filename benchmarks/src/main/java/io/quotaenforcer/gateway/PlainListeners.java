package io.quotaenforcer.gateway;

import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import io.grpc.ServerServiceDefinition;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.quotaenforcer.server.Listener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The gateway's ports with other services behind them: bounds and metrics are the gateway's. */
public final class PlainListeners {
  private static final GatewayConfig.Listening LISTENING =
      new GatewayConfig.Listening("127.0.0.1", 0, 0, 0, 10_000);

  private PlainListeners() {}

  /** Starts one that listens until the process ends, and returns its port. */
  public static int grpc(ServerServiceDefinition service) {
    return GrpcListener.start(
            LISTENING.host(),
            0,
            new GrpcListener.Bounds(
                LISTENING.connections(), Duration.ofMinutes(5), UnfinishedRequests.ofGateway()),
            Optional.empty(),
            List.of(),
            List.of(service))
        .port();
  }

  /** The same for HTTP, of services by path. */
  public static int http(Map<String, HttpService> services) {
    ServerBuilder builder =
        Gateway.builder(
            LISTENING, Optional.empty(), new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
    services.forEach(builder::service);
    return Listener.start(builder, LISTENING.host(), 0, "http.port").port();
  }
}
