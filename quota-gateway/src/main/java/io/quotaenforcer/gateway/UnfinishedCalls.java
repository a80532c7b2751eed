package io.quotaenforcer.gateway;

import io.grpc.Context;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Bounds gRPC calls whose client has not half-closed. gRPC itself bounds a message, but neither how
 * long it may take nor the messages of all calls together.
 */
final class UnfinishedCalls extends ServerStreamTracer.Factory implements ServerInterceptor {
  private static final Context.Key<Tracer> TRACER = Context.key("unfinished-call");

  private final UnfinishedRequests requests;

  UnfinishedCalls(UnfinishedRequests requests) {
    this.requests = requests;
  }

  /** Sees the bytes of a message as they come, before it is whole. */
  private static final class Tracer extends ServerStreamTracer {
    private volatile Context.@Nullable CancellableContext callContext;
    private volatile UnfinishedRequests.@Nullable Request request;

    @Override
    public Context filterContext(Context context) {
      Context.CancellableContext own = context.withValue(TRACER, this).withCancellation();
      callContext = own;
      return own;
    }

    void begun(UnfinishedRequests requests) {
      request = requests.begin(this::end);
    }

    /** For this cause gRPC resets the stream at once, on behalf of any thread. */
    private void end() {
      Context.CancellableContext own = callContext;
      if (own != null) {
        own.cancel(new TimeoutException("the request did not end in time"));
      }
    }

    @Override
    public void inboundWireSize(long bytes) {
      UnfinishedRequests.Request unfinished = request;
      if (unfinished != null) {
        unfinished.came(bytes);
      }
    }

    @Override
    public void streamClosed(Status status) {
      finished();
    }

    void finished() {
      UnfinishedRequests.Request unfinished = request;
      if (unfinished != null) {
        unfinished.finished();
      }
    }
  }

  @Override
  public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
    return new Tracer();
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    Tracer tracer = TRACER.get();
    tracer.begun(requests);
    return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
      @Override
      public void onHalfClose() {
        tracer.finished();
        super.onHalfClose();
      }
    };
  }
}
