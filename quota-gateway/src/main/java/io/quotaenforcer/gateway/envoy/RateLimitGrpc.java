package io.quotaenforcer.gateway.envoy;

import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.quotaenforcer.gateway.envoy.proto.RateLimitRequest;
import io.quotaenforcer.gateway.envoy.proto.RateLimitResponse;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Envoy's service over gRPC. */
public final class RateLimitGrpc {
  private static final Logger log = LoggerFactory.getLogger(RateLimitGrpc.class);
  private static final String SERVICE = "envoy.service.ratelimit.v3.RateLimitService";

  /** Its only method. */
  public static final MethodDescriptor<RateLimitRequest, RateLimitResponse> SHOULD_RATE_LIMIT =
      MethodDescriptor.<RateLimitRequest, RateLimitResponse>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "ShouldRateLimit"))
          .setRequestMarshaller(ProtoUtils.marshaller(RateLimitRequest.getDefaultInstance()))
          .setResponseMarshaller(ProtoUtils.marshaller(RateLimitResponse.getDefaultInstance()))
          .build();

  private RateLimitGrpc() {}

  /** The service, decided by {@code limits}. */
  public static ServerServiceDefinition of(RateLimits limits) {
    return ServerServiceDefinition.builder(SERVICE)
        .addMethod(
            SHOULD_RATE_LIMIT,
            ServerCalls.asyncUnaryCall((request, observer) -> answer(limits, request, observer)))
        .build();
  }

  private static void answer(
      RateLimits limits, RateLimitRequest request, StreamObserver<RateLimitResponse> observer) {
    CompletableFuture<RateLimitResponse> answer;
    try {
      answer = limits.decide(request);
    } catch (IllegalArgumentException e) {
      observer.onError(
          Status.INVALID_ARGUMENT.withDescription(e.getMessage()).asRuntimeException());
      return;
    }
    if (!answer.isDone()) {
      ((ServerCallStreamObserver<RateLimitResponse>) observer)
          .setOnCancelHandler(() -> answer.cancel(false));
    }
    answer.whenComplete(
        (made, failure) -> {
          if (answer.isCancelled()) {
            return;
          }
          if (failure == null) {
            observer.onNext(made);
            observer.onCompleted();
          } else {
            log.warn("a request was not decided", failure);
            observer.onError(Status.INTERNAL.withDescription("see the log").asRuntimeException());
          }
        });
  }
}
