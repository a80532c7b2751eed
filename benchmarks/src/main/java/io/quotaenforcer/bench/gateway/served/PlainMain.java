package io.quotaenforcer.bench.gateway.served;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.quotaenforcer.gateway.PlainListeners;
import io.quotaenforcer.gateway.envoy.RateLimitGrpc;
import io.quotaenforcer.gateway.envoy.proto.RateLimitRequest;
import io.quotaenforcer.gateway.envoy.proto.RateLimitResponse;
import io.quotaenforcer.server.JsonResponse;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The gateway's ports without its decisions, until this is killed: they answer OK undecided, or, if
 * an argument says a Redis' port, as it counts.
 */
final class PlainMain {
  private static final RateLimitResponse OK =
      RateLimitResponse.newBuilder()
          .setOverallCode(RateLimitResponse.Code.OK)
          .addStatuses(
              RateLimitResponse.DescriptorStatus.newBuilder().setCode(RateLimitResponse.Code.OK))
          .build();

  private PlainMain() {}

  public static void main(String[] arguments) throws InterruptedException {
    int grpc =
        arguments.length == 0
            ? PlainListeners.grpc(service(PlainMain::ok))
            : PlainListeners.grpc(service(counting(Integer.parseInt(arguments[0]))));
    int http =
        PlainListeners.http(
            Map.of(
                "/check/nginx",
                PlainMain::check,
                "/check/forward-auth",
                PlainMain::check,
                "/json",
                PlainMain::decide,
                "/decide",
                PlainMain::decide));
    try (PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8)) {
      out.println(Ports.said(http, grpc));
      Thread.currentThread().join();
    }
  }

  private static ServerCalls.UnaryMethod<RateLimitRequest, RateLimitResponse> counting(int port) {
    RedisCounting redis = RedisCounting.connect(port);
    return (request, observer) ->
        redis
            .decide(request)
            .whenComplete(
                (response, failure) -> {
                  if (failure == null) {
                    observer.onNext(response);
                    observer.onCompleted();
                  } else {
                    observer.onError(Status.INTERNAL.withCause(failure).asRuntimeException());
                  }
                });
  }

  private static ServerServiceDefinition service(
      ServerCalls.UnaryMethod<RateLimitRequest, RateLimitResponse> method) {
    return ServerServiceDefinition.builder("envoy.service.ratelimit.v3.RateLimitService")
        .addMethod(RateLimitGrpc.SHOULD_RATE_LIMIT, ServerCalls.asyncUnaryCall(method))
        .build();
  }

  private static void ok(RateLimitRequest request, StreamObserver<RateLimitResponse> observer) {
    observer.onNext(OK);
    observer.onCompleted();
  }

  private static HttpResponse check(ServiceRequestContext context, HttpRequest request) {
    return HttpResponse.of(
        ResponseHeaders.of(HttpStatus.OK, HttpHeaderNames.CACHE_CONTROL, "no-store"));
  }

  private static HttpResponse decide(ServiceRequestContext context, HttpRequest request) {
    return HttpResponse.of(
        request
            .aggregate(context.eventLoop())
            .thenApply(
                body ->
                    JsonResponse.of(HttpStatus.OK, JsonResponse.object().put("admitted", true))));
  }
}
