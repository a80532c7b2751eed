package io.quotaenforcer.grpc;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.quotaenforcer.client.Admission;

/**
 * Holds the callers of a server to quotas. A call is decided before its handler begins; one that is
 * throttled ends with {@code RESOURCE_EXHAUSTED}, with the rule in {@code google.rpc.QuotaFailure}
 * and the time to try again, where it is known, in {@code google.rpc.RetryInfo}. Each call is
 * decided once, however many messages it streams.
 *
 * <p>Safe for use by any number of threads and servers. The admission stays its owner's to close,
 * after the server.
 */
public final class ServerQuotaInterceptor implements ServerInterceptor {
  private final ServerRequests requests;
  private final Gate gate;

  private ServerQuotaInterceptor(ServerRequests requests, Gate gate) {
    this.requests = requests;
    this.gate = gate;
  }

  /** An interceptor that does not wait, and lets calls go on that cannot be decided. */
  public static ServerQuotaInterceptor create(Admission admission, ServerRequests requests) {
    return create(admission, requests, InterceptorOptions.DEFAULTS);
  }

  /**
   * An interceptor with other options.
   *
   * @param requests says what a call is by the rules
   */
  public static ServerQuotaInterceptor create(
      Admission admission, ServerRequests requests, InterceptorOptions options) {
    return new ServerQuotaInterceptor(requests, new Gate(admission, options));
  }

  @Override
  public <ReqT, RespT> ServerCall.Listener<ReqT> interceptCall(
      ServerCall<ReqT, RespT> call, Metadata headers, ServerCallHandler<ReqT, RespT> next) {
    MethodDescriptor<ReqT, RespT> method = call.getMethodDescriptor();
    Answer answer =
        gate.ask(
            method,
            () -> requests.of(method, headers, call.getAttributes()),
            Context.current().getDeadline());
    if (answer instanceof Answer.Later later) {
      return whenDecided(later.waiting(), call, headers, next);
    }
    return begin(answer, call, headers, next);
  }

  private static <ReqT, RespT> ServerCall.Listener<ReqT> begin(
      Answer answer,
      ServerCall<ReqT, RespT> call,
      Metadata headers,
      ServerCallHandler<ReqT, RespT> next) {
    if (answer instanceof Answer.Refused refused) {
      call.close(refused.status(), refused.trailers());
      return new ServerCall.Listener<>() {};
    }
    return next.startCall(call, headers);
  }

  private static <ReqT, RespT> ServerCall.Listener<ReqT> whenDecided(
      Waiting waiting,
      ServerCall<ReqT, RespT> call,
      Metadata headers,
      ServerCallHandler<ReqT, RespT> next) {
    HeldListener<ReqT> held = new HeldListener<>(waiting::giveUp);
    Context context = Context.current();
    waiting.then(
        answer ->
            context.run(
                () -> {
                  ServerCall.Listener<ReqT> real;
                  try {
                    real = begin(answer, call, headers, next);
                  } catch (Throwable e) {
                    handlerFailed(call, e);
                    real = new ServerCall.Listener<>() {};
                  }
                  held.release(real, e -> handlerFailed(call, e));
                }),
        () -> held.release(new ServerCall.Listener<>() {}, e -> {}));
    return held;
  }

  /** Does what gRPC does when a handler throws in one of its own threads. */
  private static void handlerFailed(ServerCall<?, ?> call, Throwable cause) {
    Thread thread = Thread.currentThread();
    try {
      call.close(
          Status.UNKNOWN.withDescription("Application error processing RPC").withCause(cause),
          new Metadata());
    } catch (IllegalStateException e) {
      // The handler has closed it.
    }
    thread.getUncaughtExceptionHandler().uncaughtException(thread, cause);
  }
}
