package io.quotaenforcer.server;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.concurrent.CompletableFuture;

/** {@code /metrics}, in Prometheus' text format, or in OpenMetrics' for who asks for it. */
public final class MetricsService implements HttpService {
  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
  private static final String OPEN = "application/openmetrics-text; version=1.0.0; charset=utf-8";

  private static final int ATTEMPTS = 10;

  private final PrometheusMeterRegistry registry;

  public MetricsService(PrometheusMeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    boolean asksForOpen =
        request.headers().get(HttpHeaderNames.ACCEPT, "").contains("application/openmetrics-text");
    String type = asksForOpen ? OPEN : TEXT;
    return HttpResponse.of(
        CompletableFuture.supplyAsync(
            () ->
                HttpResponse.of(
                    HttpStatus.OK, MediaType.parse(type), HttpData.ofUtf8(scrape(registry, type))),
            context.blockingTaskExecutor()));
  }

  /** A gauge that is just being replaced may be there twice, and is not a moment later. */
  static String scrape(PrometheusMeterRegistry registry, String type) {
    for (int i = 1; i < ATTEMPTS; i++) {
      try {
        return registry.scrape(type);
      } catch (IllegalArgumentException twice) {
        Thread.yield();
      }
    }
    return registry.scrape(type);
  }
}
