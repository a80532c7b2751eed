package io.quotaenforcer.grpc;

import io.grpc.CallOptions;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.quotaenforcer.core.Request;
import java.util.Optional;

/** Makes the request of a call that a service makes: the attributes that rules match on. */
@FunctionalInterface
public interface ClientRequests {

  /**
   * The request that is decided for a call; empty if the call is not limited. Called by any number
   * of threads, once for each call, before it is sent. If it throws, {@link OnFailure} says what
   * becomes of the call.
   *
   * @param headers of the call; not to be kept or changed
   * @param options of the call, which may carry a caller's own values
   */
  Optional<Request> of(MethodDescriptor<?, ?> method, Metadata headers, CallOptions options);
}
