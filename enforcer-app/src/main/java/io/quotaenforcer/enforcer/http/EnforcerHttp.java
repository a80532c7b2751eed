package io.quotaenforcer.enforcer.http;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpStatusException;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.quotaenforcer.enforcer.config.HttpConfig;
import io.quotaenforcer.enforcer.query.DeferredQuery;
import io.quotaenforcer.enforcer.query.UsageQuery;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP server of an enforcer. What a client may use of it is bounded: length of a request, time
 * to send one, age of a connection, connections and threads of all clients together.
 */
public final class EnforcerHttp implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(EnforcerHttp.class);

  private static final int THREADS = 4;
  private static final long POLL_NANOS = 5_000_000L;
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

  private final HttpConfig config;
  private final Server server;

  private EnforcerHttp(HttpConfig config, Server server) {
    this.config = config;
    this.server = server;
  }

  /**
   * Starts the server, and returns once it listens.
   *
   * @throws HttpException when it cannot listen there
   */
  public static EnforcerHttp start(
      HttpConfig config,
      PrometheusMeterRegistry metrics,
      Supplier<Health> health,
      UsageQuery usage,
      DeferredQuery deferred) {
    return start(config, metrics, health, usage, deferred, HttpLimits.defaults());
  }

  static EnforcerHttp start(
      HttpConfig config,
      PrometheusMeterRegistry metrics,
      Supplier<Health> health,
      UsageQuery usage,
      DeferredQuery deferred,
      HttpLimits limits) {
    InetSocketAddress address = new InetSocketAddress(config.host(), config.port());
    if (address.isUnresolved()) {
      throw new HttpException(
          "cannot listen on "
              + config.address(config.port())
              + ": there is no such address; set http.host to one of this machine",
          new IllegalArgumentException(config.host()));
    }
    ServerBuilder builder =
        Server.builder()
            .http(address)
            .route()
            .get("/metrics")
            .build(new MetricsService(metrics))
            .route()
            .get("/health/live")
            .build(HealthService.live(health))
            .route()
            .get("/health/ready")
            .build(HealthService.ready(health))
            .route()
            .get("/usage/{domain}/{rule}")
            .build(new UsageService(usage))
            .route()
            .get(DeferredPaths.STATS)
            .build(DeferredService.stats(deferred))
            .route()
            .get(DeferredPaths.LIST)
            .build(DeferredService.list(deferred))
            .route()
            .get(DeferredPaths.SHOW)
            .build(DeferredService.show(deferred))
            .errorHandler((context, cause) -> failure(cause))
            .maxRequestLength(limits.requestBytes())
            .http1MaxHeaderSize(limits.headerBytes())
            .http1MaxInitialLineLength(limits.headerBytes())
            .http2MaxHeaderListSize(limits.headerBytes())
            .maxNumConnections(limits.connections())
            .requestTimeout(limits.request())
            .idleTimeout(limits.idle())
            .maxConnectionAge(limits.connectionAge())
            .blockingTaskExecutor(THREADS)
            .gracefulShutdownTimeout(Duration.ZERO, Duration.ofSeconds(1));
    Server server = builder.build();
    try {
      server.start().join();
    } catch (CompletionException e) {
      server.closeAsync();
      throw cannotListen(config, e.getCause() == null ? e : e.getCause());
    }
    return new EnforcerHttp(config, server);
  }

  /** The port that it listens on. */
  public int port() {
    return server.activeLocalPort();
  }

  /** Where others reach it: host:port. */
  public String address() {
    return config.address(port());
  }

  /** Stops listening. Connections and threads end by themselves, milliseconds and seconds later. */
  @Override
  public void close() {
    CompletableFuture<Void> stopped = server.stop();
    long deadline = System.nanoTime() + CLOSE_TIMEOUT.toNanos();
    while (!server.activePorts().isEmpty() && !stopped.isDone()) {
      if (System.nanoTime() - deadline > 0) {
        log.warn("the HTTP server did not stop within {} s", CLOSE_TIMEOUT.toSeconds());
        return;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /** Null leaves it to Armeria, which knows its own exceptions. */
  private static @Nullable HttpResponse failure(Throwable cause) {
    if (cause instanceof HttpStatusException known) {
      return JsonResponse.error(known.httpStatus(), known.httpStatus().reasonPhrase());
    }
    if (cause instanceof IllegalArgumentException || cause instanceof IllegalStateException) {
      log.warn("a request failed", cause);
      return JsonResponse.error(HttpStatus.INTERNAL_SERVER_ERROR, "failed, see the enforcer's log");
    }
    return null;
  }

  private static HttpException cannotListen(HttpConfig config, Throwable cause) {
    String text = String.valueOf(cause.getMessage());
    String why =
        text.contains("in use")
            ? "another program uses it; set http.port to another port, or to 0 for a free one"
            : text.contains("assign requested address")
                ? "this machine has no such address; set http.host to one of its own"
                : text;
    return new HttpException(
        "cannot listen on " + config.host() + ":" + config.port() + ": " + why, cause);
  }
}
