package io.quotaenforcer.gateway;

import com.linecorp.armeria.common.metric.MeterIdPrefixFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.metric.MetricCollectingService;
import io.grpc.ServerInterceptor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.gateway.check.Asking;
import io.quotaenforcer.gateway.check.CheckService;
import io.quotaenforcer.gateway.check.DecideService;
import io.quotaenforcer.gateway.envoy.RateLimitGrpc;
import io.quotaenforcer.gateway.envoy.RateLimitJson;
import io.quotaenforcer.gateway.envoy.RateLimits;
import io.quotaenforcer.gateway.mapping.AttributeMapping;
import io.quotaenforcer.micrometer.ClientMetrics;
import io.quotaenforcer.micrometer.LimitMetrics;
import io.quotaenforcer.micrometer.MeteredAdmission;
import io.quotaenforcer.rules.envoy.GatewayLimits;
import io.quotaenforcer.server.HealthService;
import io.quotaenforcer.server.HttpLimits;
import io.quotaenforcer.server.HttpToken;
import io.quotaenforcer.server.Listener;
import io.quotaenforcer.server.MetricsService;
import io.quotaenforcer.server.Tls;
import io.quotaenforcer.server.lifecycle.Lifecycle;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The admission client with ports: for proxies and programs that do not run in a JVM. It is one
 * instance, like a service that embeds the client; start as many as you like.
 */
public final class Gateway {
  private static final int THREADS = 2;

  /** Bounds on clients; proxies keep connections for long, so that these are not closed early. */
  private static final HttpLimits.Sizes SIZES =
      new HttpLimits.Sizes(256 << 10, 32 << 10, 64L << 20);

  private static final HttpLimits.Times TIMES =
      new HttpLimits.Times(
          Duration.ofSeconds(40),
          Duration.ofMinutes(5),
          Duration.ofHours(1),
          Duration.ofSeconds(10));
  private static final int STREAMS = 1_000;

  private final Listener http;
  private final Listener probes;
  private final GrpcListener grpc;

  private Gateway(Listener http, Listener probes, GrpcListener grpc) {
    this.http = http;
    this.probes = probes;
    this.grpc = grpc;
  }

  /**
   * Starts a gateway, and returns once it listens. For its rules it waits ten seconds at most, so
   * that it starts without Kafka, too.
   *
   * @param lifecycle ends it: first it asks for no more requests, then it gives its permits back
   * @throws io.quotaenforcer.server.HttpException when it cannot listen
   * @throws GatewayException when a file is wrong
   */
  public static Gateway start(GatewayConfig config, Lifecycle lifecycle) {
    AttributeMapping mapping =
        config.mapping().map(GatewayFiles::mapping).orElse(AttributeMapping.DEFAULT);
    Optional<Tls> tls =
        config
            .access()
            .certificate()
            .flatMap(file -> config.access().key().map(key -> new Tls(file, key)));
    Optional<TokenCheck> token =
        config.access().tokenFile().map(file -> new TokenCheck(HttpToken.of(Optional.of(file))));
    PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    GatewayLimits limits =
        config.envoy().config().map(GatewayFiles::envoy).orElse(GatewayLimits.none());
    Admission admission =
        lifecycle.add("admission client", admission(config.rules(), limits, metrics));
    RateLimits rateLimits = new RateLimits(admission, limits, config.envoy().options());
    GatewayHealth health =
        new GatewayHealth(admission, new PublishedLimits(limits, config.envoy().options().late()));
    GatewayConfig.Listening listening = config.listening();
    RulesWait.await(admission);
    UnfinishedRequests unfinished = UnfinishedRequests.ofGateway();
    ServerBuilder builder =
        builder(listening, tls, metrics).decorator(new UnfinishedBodies(unfinished));
    Listener http =
        lifecycle.add("http", http(builder, config, token, admission, mapping, rateLimits));
    GrpcListener grpc =
        lifecycle.add(
            "grpc",
            GrpcListener.start(
                listening.host(),
                listening.grpcPort(),
                new GrpcListener.Bounds(listening.connections(), TIMES.idle(), unfinished),
                tls,
                token.<List<ServerInterceptor>>map(List::of).orElse(List.of()),
                List.of(RateLimitGrpc.of(rateLimits))));
    Listener probes = lifecycle.add("probes", probes(listening, metrics, health));
    lifecycle.add("drain", new Drain(health, config.drain()));
    return new Gateway(http, probes, grpc);
  }

  private static Admission admission(
      GatewayConfig.RuleSource source, GatewayLimits limits, PrometheusMeterRegistry metrics) {
    if (source instanceof GatewayConfig.RuleSource.OfFile file) {
      return new MeteredAdmission(standalone(GatewayFiles.rules(file, limits), file), metrics);
    }
    AdmissionClient client =
        AdmissionClient.builder()
            .properties(((GatewayConfig.RuleSource.OfTopic) source).properties())
            .telemetry(new LimitMetrics(metrics))
            .build();
    new ClientMetrics(client).bindTo(metrics);
    return new MeteredAdmission(client, metrics);
  }

  private static Admission standalone(List<Rule> rules, GatewayConfig.RuleSource.OfFile source) {
    return source.hashKeys().isEmpty()
        ? AdmissionClient.standalone(rules, Clocks.system())
        : AdmissionClient.standalone(
            rules, Clocks.system(), ClientTelemetry.NONE, source.hashKeys());
  }

  private static Listener http(
      ServerBuilder builder,
      GatewayConfig config,
      Optional<TokenCheck> token,
      Admission admission,
      AttributeMapping mapping,
      RateLimits rateLimits) {
    GatewayConfig.Listening listening = config.listening();
    Function<HttpService, HttpService> guard =
        token
            .<Function<HttpService, HttpService>>map(check -> each -> each.decorate(check))
            .orElse(each -> each);
    builder
        .service(
            "/check/nginx",
            guard.apply(CheckService.of(Asking.NGINX, admission, mapping, config.options())))
        .service(
            "/check/forward-auth",
            guard.apply(CheckService.of(Asking.FORWARD_AUTH, admission, mapping, config.options())))
        .route()
        .post("/json")
        .build(guard.apply(new RateLimitJson(rateLimits)))
        .route()
        .post("/decide")
        .build(guard.apply(DecideService.of(admission, config.options())));
    return Listener.start(builder, listening.host(), listening.port(), "http.port");
  }

  /** A server of checks whose routes are to be added, with the bounds on its clients. */
  static ServerBuilder builder(
      GatewayConfig.Listening listening, Optional<Tls> tls, MeterRegistry metrics) {
    return Listener.builder(
            listening.host(),
            listening.port(),
            THREADS,
            new HttpLimits(SIZES, TIMES, listening.connections(), STREAMS, 0),
            tls)
        .meterRegistry(metrics)
        .decorator(
            MetricCollectingService.newDecorator(MeterIdPrefixFunction.ofDefault("quota.gateway")));
  }

  private static Listener probes(
      GatewayConfig.Listening listening, PrometheusMeterRegistry metrics, GatewayHealth health) {
    ServerBuilder builder =
        Listener.builder(listening.host(), listening.probePort(), 1, HttpLimits.ofProbes());
    builder
        .service("/metrics", new MetricsService(metrics))
        .service("/health/live", HealthService.live(health))
        .service("/health/ready", HealthService.ready(health));
    return Listener.start(builder, listening.host(), listening.probePort(), "http.probe.port");
  }

  /** The port of checks. */
  public int port() {
    return http.port();
  }

  /** The port of probes and metrics. */
  public int probePort() {
    return probes.port();
  }

  /** The port of Envoy's rate limit service. */
  public int grpcPort() {
    return grpc.port();
  }
}
