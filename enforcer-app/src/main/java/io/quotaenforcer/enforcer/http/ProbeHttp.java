package io.quotaenforcer.enforcer.http;

import com.linecorp.armeria.server.ServerBuilder;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.quotaenforcer.enforcer.config.HttpConfig;
import io.quotaenforcer.server.Health;
import io.quotaenforcer.server.HealthService;
import io.quotaenforcer.server.HttpException;
import io.quotaenforcer.server.HttpLimits;
import io.quotaenforcer.server.Listener;
import io.quotaenforcer.server.MetricsService;
import java.util.function.Supplier;

/**
 * Probes and metrics on a port of their own: an enforcer that counts is not taken for dead, however
 * busy the other port is.
 */
public final class ProbeHttp implements AutoCloseable {
  private static final int THREADS = 1;
  private static final String SETTING = "http.probe.port";

  private final Listener listener;

  private ProbeHttp(Listener listener) {
    this.listener = listener;
  }

  /**
   * Returns once it listens.
   *
   * @throws HttpException when it cannot listen there
   */
  public static ProbeHttp start(
      HttpConfig config, PrometheusMeterRegistry metrics, Supplier<Health> health) {
    ServerBuilder builder =
        Listener.builder(config.host(), config.probePort(), THREADS, HttpLimits.ofProbes());
    addRoutes(builder, metrics, health);
    return new ProbeHttp(Listener.start(builder, config.host(), config.probePort(), SETTING));
  }

  static void addRoutes(
      ServerBuilder builder, PrometheusMeterRegistry metrics, Supplier<Health> health) {
    builder
        .route()
        .get("/metrics")
        .build(new MetricsService(metrics))
        .route()
        .get("/health/live")
        .build(HealthService.live(health))
        .route()
        .get("/health/ready")
        .build(HealthService.ready(health));
  }

  /** The port that it listens on. */
  public int port() {
    return listener.port();
  }

  @Override
  public void close() {
    listener.close();
  }
}
