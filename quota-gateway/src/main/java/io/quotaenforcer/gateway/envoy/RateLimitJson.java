package io.quotaenforcer.gateway.envoy;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.quotaenforcer.gateway.envoy.proto.RateLimitRequest;
import io.quotaenforcer.gateway.envoy.proto.RateLimitResponse;
import io.quotaenforcer.server.JsonResponse;
import java.util.concurrent.CompletableFuture;

/**
 * {@code POST /json}: Envoy's service by JSON, as its own server has it. 200 if the request may
 * run, 429 if not, with the same body. Safe for use by any number of threads.
 */
public final class RateLimitJson implements HttpService {
  private static final JsonFormat.Parser PARSER = JsonFormat.parser();
  private static final JsonFormat.Printer PRINTER =
      JsonFormat.printer().omittingInsignificantWhitespace();

  private final RateLimits limits;

  public RateLimitJson(RateLimits limits) {
    this.limits = limits;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    return HttpResponse.of(
        request
            .aggregate(context.eventLoop())
            .thenCompose(
                body -> {
                  try {
                    return decided(context, parsed(body.contentUtf8()));
                  } catch (IllegalArgumentException e) {
                    return CompletableFuture.completedFuture(
                        JsonResponse.error(HttpStatus.BAD_REQUEST, String.valueOf(e.getMessage())));
                  }
                }));
  }

  private static RateLimitRequest parsed(String body) {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder();
    try {
      PARSER.merge(body, request);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("the body is no RateLimitRequest: " + e.getMessage(), e);
    }
    return request.build();
  }

  private CompletableFuture<HttpResponse> decided(
      ServiceRequestContext context, RateLimitRequest request) {
    CompletableFuture<RateLimitResponse> answer = limits.decide(request);
    if (answer.isDone()) {
      return answer.thenApply(RateLimitJson::answer);
    }
    context.whenRequestCancelling().thenRun(() -> answer.cancel(false));
    return answer.thenApplyAsync(RateLimitJson::answer, context.eventLoop());
  }

  private static HttpResponse answer(RateLimitResponse made) {
    boolean isOver = made.getOverallCode() == RateLimitResponse.Code.OVER_LIMIT;
    try {
      return HttpResponse.of(
          isOver ? HttpStatus.TOO_MANY_REQUESTS : HttpStatus.OK,
          MediaType.JSON_UTF_8,
          HttpData.ofUtf8(PRINTER.print(made)));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("must be JSON: answer=" + made, e);
    }
  }
}
