package io.quotaenforcer.grpc;

import io.grpc.MethodDescriptor;
import io.quotaenforcer.core.Request;

/** How many permits a call takes. A call is paid once, however many messages it streams. */
@FunctionalInterface
public interface CallCost {
  /** The cost in the request: 1, unless whoever made it said otherwise. */
  CallCost OF_REQUEST = (method, request) -> request.cost();

  /**
   * Permits that a call takes, from 1 to 10<sup>12</sup>. If it is less or more, or this throws,
   * {@link OnFailure} says what becomes of the call.
   */
  long permits(MethodDescriptor<?, ?> method, Request request);
}
