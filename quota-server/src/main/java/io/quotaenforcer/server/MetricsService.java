package io.quotaenforcer.server;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.concurrent.CompletableFuture;

/** {@code /metrics}, in Prometheus' text format. */
public final class MetricsService implements HttpService {
  private static final MediaType TEXT = MediaType.parse("text/plain; version=0.0.4; charset=utf-8");

  private final PrometheusMeterRegistry registry;

  public MetricsService(PrometheusMeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    return HttpResponse.of(
        CompletableFuture.supplyAsync(
            () -> HttpResponse.of(HttpStatus.OK, TEXT, HttpData.ofUtf8(registry.scrape())),
            context.blockingTaskExecutor()));
  }
}
