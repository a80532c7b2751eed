package io.quotaenforcer.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.quotaenforcer.client.Admission;
import java.util.concurrent.Executor;

/**
 * Holds the calls that a service makes to quotas. A call is decided before it is sent; one that is
 * throttled ends here as if the server had refused it: with {@code RESOURCE_EXHAUSTED} and the
 * details that {@link ServerQuotaInterceptor} gives. Each call is decided once, however many
 * messages it streams; gRPC's own retries of a call are not decided again.
 *
 * <p>Safe for use by any number of threads and channels. The admission stays its owner's to close.
 */
public final class ClientQuotaInterceptor implements ClientInterceptor {
  private final ClientRequests requests;
  private final Gate gate;

  private ClientQuotaInterceptor(ClientRequests requests, Gate gate) {
    this.requests = requests;
    this.gate = gate;
  }

  /** An interceptor that does not wait, and lets calls go on that cannot be decided. */
  public static ClientQuotaInterceptor create(Admission admission, ClientRequests requests) {
    return create(admission, requests, InterceptorOptions.DEFAULTS);
  }

  /**
   * An interceptor with other options.
   *
   * @param requests says what a call is by the rules
   */
  public static ClientQuotaInterceptor create(
      Admission admission, ClientRequests requests, InterceptorOptions options) {
    return new ClientQuotaInterceptor(requests, new Gate(admission, options));
  }

  @Override
  public <ReqT, RespT> ClientCall<ReqT, RespT> interceptCall(
      MethodDescriptor<ReqT, RespT> method, CallOptions options, Channel next) {
    Executor own = options.getExecutor();
    return new HeldCall<>(
        headers -> decide(method, headers, options),
        () -> next.newCall(method, options),
        own == null ? gate.executor() : own);
  }

  private Answer decide(MethodDescriptor<?, ?> method, Metadata headers, CallOptions options) {
    Deadline deadline = options.getDeadline();
    // Nothing is taken for a call that the channel will not send.
    return deadline != null && deadline.isExpired()
        ? new Answer.Go()
        : gate.ask(
            method,
            () -> requests.of(method, headers, options),
            deadline,
            Context.current().getDeadline());
  }
}
