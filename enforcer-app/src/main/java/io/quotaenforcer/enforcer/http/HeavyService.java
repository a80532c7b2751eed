package io.quotaenforcer.enforcer.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.quotaenforcer.enforcer.query.NotReadyException;
import io.quotaenforcer.server.JsonResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/**
 * Answers that take memory and time, of which few are worked on at once.
 *
 * <p>An error has a {@code category}: {@code invalid}, correct the question; {@code not-shown},
 * send a token; {@code not-ready} and {@code busy}, ask again soon.
 */
final class HeavyService implements HttpService {
  private static final int RETRY_SECONDS = 1;

  private final Function<ServiceRequestContext, ObjectNode> answer;

  /** Bounds the answers in preparation: each takes memory. */
  private final Semaphore turns;

  /**
   * @param answer throws an IllegalArgumentException that says so if the question is wrong
   * @param turns shared with the other services of this kind
   */
  HeavyService(Function<ServiceRequestContext, ObjectNode> answer, Semaphore turns) {
    this.answer = answer;
    this.turns = turns;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    if (!turns.tryAcquire()) {
      return JsonResponse.busy(
          "as many questions about deferred requests and penalties as may are worked on");
    }
    // Reads stores.
    CompletableFuture<HttpResponse> response =
        CompletableFuture.supplyAsync(() -> respond(context), context.blockingTaskExecutor());
    response.whenComplete((answered, failure) -> turns.release());
    return HttpResponse.of(response);
  }

  private HttpResponse respond(ServiceRequestContext context) {
    try {
      return JsonResponse.of(HttpStatus.OK, answer.apply(context));
    } catch (IllegalArgumentException e) {
      return JsonResponse.of(
          HttpStatus.BAD_REQUEST, error("invalid", String.valueOf(e.getMessage())));
    } catch (NotShownException e) {
      return JsonResponse.of(
          ResponseHeaders.builder(e.status).set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer"),
          error("not-shown", String.valueOf(e.getMessage())));
    } catch (NotReadyException e) {
      return JsonResponse.of(
          ResponseHeaders.builder(HttpStatus.SERVICE_UNAVAILABLE)
              .setInt(HttpHeaderNames.RETRY_AFTER, RETRY_SECONDS),
          error("not-ready", String.valueOf(e.getMessage())));
    }
  }

  /** Something is not shown to who asks for it. */
  static final class NotShownException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient HttpStatus status;

    NotShownException(HttpStatus status, String message) {
      super(message);
      this.status = status;
    }
  }

  private static ObjectNode error(String category, String reason) {
    return JsonResponse.object().put("error", reason).put("category", category);
  }
}
