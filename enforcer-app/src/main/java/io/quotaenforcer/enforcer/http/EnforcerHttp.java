package io.quotaenforcer.enforcer.http;

import com.linecorp.armeria.server.ServerBuilder;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.quotaenforcer.enforcer.config.HttpConfig;
import io.quotaenforcer.enforcer.query.EnforcerQueries;
import io.quotaenforcer.server.Health;
import io.quotaenforcer.server.HttpException;
import io.quotaenforcer.server.HttpLimits;
import io.quotaenforcer.server.HttpToken;
import io.quotaenforcer.server.Listener;
import io.quotaenforcer.server.Tls;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The HTTP server of an enforcer. A client's use of it is bounded: length of a request, time to
 * send one and to read its answer, age of a connection; for all clients together, connections,
 * threads, memory-hungry queries, and unread answers.
 */
public final class EnforcerHttp implements AutoCloseable {
  private static final int THREADS = 4;
  private static final String SETTING = "http.port";

  private final HttpConfig config;
  private final Listener listener;

  private EnforcerHttp(HttpConfig config, Listener listener) {
    this.config = config;
    this.listener = listener;
  }

  /**
   * Starts the server, and returns once it listens.
   *
   * @throws HttpException if it cannot listen there, or the token's file holds none
   */
  public static EnforcerHttp start(
      HttpConfig config,
      PrometheusMeterRegistry metrics,
      Supplier<Health> health,
      EnforcerQueries queries) {
    return start(config, metrics, health, queries, HttpLimits.defaults());
  }

  static EnforcerHttp start(
      HttpConfig config,
      PrometheusMeterRegistry metrics,
      Supplier<Health> health,
      EnforcerQueries queries,
      HttpLimits limits) {
    return start(config, metrics, health, queries, limits, builder -> {});
  }

  /**
   * The same with more routes.
   *
   * @param more adds them
   */
  public static EnforcerHttp start(
      HttpConfig config,
      PrometheusMeterRegistry metrics,
      Supplier<Health> health,
      EnforcerQueries queries,
      HttpLimits limits,
      Consumer<ServerBuilder> more) {
    HttpToken token = HttpToken.of(config.tokenFile());
    Semaphore turns = new Semaphore(limits.heavyAtOnce());
    Optional<Tls> tls =
        config
            .api()
            .certificate()
            .flatMap(file -> config.api().key().map(key -> new Tls(file, key)));
    ServerBuilder builder = Listener.builder(config.host(), config.port(), THREADS, limits, tls);
    more.accept(builder);
    ProbeHttp.addRoutes(builder, metrics, health);
    builder
        .route()
        .get("/usage/{domain}/{rule}")
        .build(new UsageService(queries.usage()))
        .route()
        .get(EnforcersService.PATH)
        .build(new EnforcersService(queries.enforcers()))
        .route()
        .get(PenaltiesService.PATH)
        .build(PenaltiesService.list(queries.penalties(), turns))
        .route()
        .get(DeferredPaths.STATS)
        .build(DeferredService.stats(queries.deferred(), turns))
        .route()
        .get(DeferredPaths.LIST)
        .build(DeferredService.list(queries.deferred(), turns))
        .route()
        .get(DeferredPaths.SHOW)
        .build(DeferredService.show(queries.deferred(), token, turns));
    return new EnforcerHttp(config, Listener.start(builder, config.host(), config.port(), SETTING));
  }

  /** The port that it listens on. */
  public int port() {
    return listener.port();
  }

  /** Its address for others: host:port. */
  public String address() {
    return config.address(port());
  }

  @Override
  public void close() {
    listener.close();
  }
}
