package io.quotaenforcer.enforcer.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.quotaenforcer.enforcer.query.EnforcersQuery;
import io.quotaenforcer.enforcer.query.NotReadyException;
import io.quotaenforcer.server.JsonResponse;
import java.util.concurrent.CompletableFuture;

/** {@code GET /v1/enforcers}: the HTTP addresses of all enforcers that share the work. */
public final class EnforcersService implements HttpService {
  public static final String PATH = "/v1/enforcers";
  public static final String LIST = "enforcers";

  private final EnforcersQuery query;

  EnforcersService(EnforcersQuery query) {
    this.query = query;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    // Kafka Streams holds a lock while it moves partitions.
    return HttpResponse.of(
        CompletableFuture.supplyAsync(this::answer, context.blockingTaskExecutor()));
  }

  private HttpResponse answer() {
    try {
      ObjectNode body = JsonResponse.object();
      query.enforcers().forEach(enforcer -> body.withArray(LIST).add(enforcer.toString()));
      return JsonResponse.of(HttpStatus.OK, body);
    } catch (NotReadyException e) {
      return JsonResponse.error(HttpStatus.SERVICE_UNAVAILABLE, String.valueOf(e.getMessage()));
    }
  }
}
