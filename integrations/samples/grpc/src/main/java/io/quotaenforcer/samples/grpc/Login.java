package io.quotaenforcer.samples.grpc;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

/** Where a service finds out who calls. This one believes a header: yours should check a token. */
final class Login implements ServerInterceptor {
  static final Metadata.Key<String> HEADER =
      Metadata.Key.of("user", Metadata.ASCII_STRING_MARSHALLER);

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    String user = headers.get(HEADER);
    if (user == null) {
      call.close(
          Status.UNAUTHENTICATED.withDescription("must say who calls: user"), new Metadata());
      return new ServerCall.Listener<>() {};
    }
    Context context = Context.current().withValue(GreeterServer.USER, user);
    return Contexts.interceptCall(context, call, headers, next);
  }
}
