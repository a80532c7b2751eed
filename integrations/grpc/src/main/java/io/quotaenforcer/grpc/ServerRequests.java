package io.quotaenforcer.grpc;

import io.grpc.Attributes;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.quotaenforcer.core.Request;
import java.util.Optional;

/** Makes the request of a call to a server: the attributes that rules match on. */
@FunctionalInterface
public interface ServerRequests {

  /**
   * The request that is decided for a call; empty if the call is not limited. Called by any number
   * of threads, once for each call, before its handler. If it throws, {@link OnFailure} says what
   * becomes of the call.
   *
   * @param headers of the call; not to be kept or changed
   * @param attributes of the connection, such as {@link io.grpc.Grpc#TRANSPORT_ATTR_REMOTE_ADDR}
   */
  Optional<Request> of(MethodDescriptor<?, ?> method, Metadata headers, Attributes attributes);
}
