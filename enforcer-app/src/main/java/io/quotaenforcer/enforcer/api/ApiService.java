package io.quotaenforcer.enforcer.api;

import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.quotaenforcer.enforcer.api.ApiProblem.Kind;
import io.quotaenforcer.enforcer.http.Parameters;
import io.quotaenforcer.enforcer.query.NotReadyException;
import io.quotaenforcer.server.JsonResponse;
import io.quotaenforcer.server.access.Caller;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One route: lets in who may, reads the request, and writes the answer. */
final class ApiService implements HttpService {
  private static final Logger log = LoggerFactory.getLogger(ApiService.class);

  /**
   * Requests in progress. Questions of other enforcers have turns of their own: else enforcers that
   * all ask each other would all be busy.
   */
  record Turns(Semaphore ofCallers, Semaphore ofEnforcers) {
    static Turns of(int most) {
      return new Turns(new Semaphore(most), new Semaphore(most));
    }
  }

  private final ApiRoute route;
  private final Handler handler;
  private final ApiGuard guard;
  private final Turns turns;
  private final Supplier<Optional<ApiSources>> sources;
  private final Set<String> parameters;

  /**
   * @param turns bounds the requests of all routes in progress
   * @param sources empty while the enforcer starts
   */
  ApiService(
      ApiRoute route,
      Handler handler,
      ApiGuard guard,
      Turns turns,
      Supplier<Optional<ApiSources>> sources) {
    this.route = route;
    this.handler = handler;
    this.guard = guard;
    this.turns = turns;
    this.sources = sources;
    this.parameters =
        route.query().stream().map(ApiField::name).collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    try {
      guard.checkPace(context.remoteAddress().getAddress());
    } catch (ApiProblem problem) {
      return problem.response();
    }
    Semaphore line = isOfAnEnforcer(context) ? turns.ofEnforcers() : turns.ofCallers();
    if (!line.tryAcquire()) {
      return new ApiProblem(Kind.BUSY, "as many requests as may are worked on; ask again soon")
          .response();
    }
    Executor blocking = context.blockingTaskExecutor();
    ToldProgress progress = ToldProgress.of(route, context, request.headers());
    CompletableFuture<HttpResponse> response =
        CompletableFuture.supplyAsync(() -> guard.caller(route, request.headers()), blocking)
            .thenCompose(caller -> admitted(caller, context, request, progress, blocking))
            .thenCompose(call -> handler.answer(call, ready(), blocking))
            .thenApply(ApiService::success)
            .exceptionally(ApiService::failure);
    response.whenComplete((answered, failure) -> line.release());
    return progress.before(response);
  }

  private static boolean isOfAnEnforcer(ServiceRequestContext context) {
    return "true".equals(context.queryParam(ApiRoutes.HERE));
  }

  /** The call, if its caller may make it; else the handler hears of it. */
  private CompletableFuture<ApiCall> admitted(
      Caller caller,
      ServiceRequestContext context,
      HttpRequest request,
      ToldProgress progress,
      Executor blocking) {
    CompletableFuture<ApiCall> call;
    try {
      ApiGuard.checkRole(route, caller);
      call = call(caller, context, request, progress);
    } catch (RuntimeException e) {
      call = CompletableFuture.failedFuture(e);
    }
    return call.whenCompleteAsync(
        (made, failure) -> {
          if (failure != null) {
            sources
                .get()
                .ifPresent(
                    ready ->
                        handler.turnedAway(
                            caller, address(context), request.path(), failure, ready));
          }
        },
        blocking);
  }

  private static String address(ServiceRequestContext context) {
    return context.remoteAddress().getAddress().getHostAddress();
  }

  private CompletableFuture<ApiCall> call(
      Caller caller, ServiceRequestContext context, HttpRequest request, ToldProgress progress) {
    ApiGuard.checkType(route, request.headers());
    Parameters given = Parameters.of(context, parameters);
    CompletableFuture<String> body =
        route.body().isEmpty()
            ? CompletableFuture.completedFuture("")
            : request.aggregate().thenApply(whole -> whole.contentUtf8());
    return body.thenApply(
        text ->
            new ApiCall(
                caller,
                address(context),
                context.pathParams(),
                given,
                request.headers(),
                text,
                progress));
  }

  private ApiSources ready() {
    return sources
        .get()
        .orElseThrow(() -> new ApiProblem(Kind.NOT_READY, "the enforcer is starting"));
  }

  private static HttpResponse success(ApiAnswer answer) {
    ResponseHeadersBuilder headers = ResponseHeaders.builder(HttpStatus.OK);
    answer.etag().ifPresent(etag -> headers.set(HttpHeaderNames.ETAG, etag));
    return JsonResponse.of(headers, answer.body());
  }

  private static HttpResponse failure(Throwable thrown) {
    Throwable failure =
        thrown instanceof CompletionException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    String message = String.valueOf(failure.getMessage());
    if (failure instanceof ApiProblem problem) {
      return problem.response();
    }
    if (failure instanceof IllegalArgumentException) {
      return new ApiProblem(Kind.INVALID, message).response();
    }
    if (failure instanceof NotReadyException) {
      return new ApiProblem(Kind.NOT_READY, message).response();
    }
    if (failure instanceof ContentTooLargeException) {
      return new ApiProblem(Kind.TOO_LARGE, "the body is longer than it may be").response();
    }
    log.warn("a request to the API failed", failure);
    return JsonResponse.error(
        HttpStatus.INTERNAL_SERVER_ERROR, "failed, see the log of this process");
  }
}
