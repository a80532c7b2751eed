package io.quotaenforcer.gateway;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.quotaenforcer.server.HttpToken;
import io.quotaenforcer.server.JsonResponse;

/** Refuses who does not bring the token, on both ports. Safe for use by any number of threads. */
final class TokenCheck implements DecoratingHttpServiceFunction, ServerInterceptor {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
  private static final String REASON = "send the gateway's token: Authorization: Bearer TOKEN";

  private final HttpToken token;

  TokenCheck(HttpToken token) {
    this.token = token;
  }

  @Override
  public HttpResponse serve(HttpService service, ServiceRequestContext context, HttpRequest request)
      throws Exception {
    if (token.judge(request.headers().get(HttpHeaderNames.AUTHORIZATION))
        == HttpToken.Answer.ALLOWED) {
      return service.serve(context, request);
    }
    return JsonResponse.of(
        ResponseHeaders.builder(HttpStatus.UNAUTHORIZED)
            .set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer"),
        JsonResponse.object().put("error", REASON));
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    if (token.judge(headers.get(AUTHORIZATION)) == HttpToken.Answer.ALLOWED) {
      return next.startCall(call, headers);
    }
    call.close(Status.UNAUTHENTICATED.withDescription(REASON), new Metadata());
    return new ServerCall.Listener<>() {};
  }
}
