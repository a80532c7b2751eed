package io.quotaenforcer.gateway;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;

/** Bounds HTTP requests whose body has not come yet. Safe for use by any number of threads. */
final class UnfinishedBodies implements DecoratingHttpServiceFunction {
  private final UnfinishedRequests requests;

  UnfinishedBodies(UnfinishedRequests requests) {
    this.requests = requests;
  }

  @Override
  public HttpResponse serve(HttpService service, ServiceRequestContext context, HttpRequest request)
      throws Exception {
    if (request.isEmpty()) {
      return service.serve(context, request);
    }
    UnfinishedRequests.Request unfinished =
        requests.begin(
            // Another request may be the reason, whose context is not this one's.
            () -> context.eventLoop().withoutContext().execute(context::timeoutNow));
    request.whenComplete().whenComplete((done, failure) -> unfinished.finished());
    HttpRequest counted = request.peekData(data -> unfinished.came(data.length()));
    // By itself it would look at the pieces of a body only when all have come.
    return service.serve(context, HttpRequest.of(request.headers(), counted::subscribe));
  }
}
