package io.quotaenforcer.grpc;

import io.grpc.Metadata;
import io.grpc.Status;

/** The treatment of a call. */
sealed interface Answer {

  /** It begins. */
  record Go() implements Answer {}

  /**
   * It ends before it begins.
   *
   * @param trailers with the details of the status; of this call alone
   */
  record Refused(Status status, Metadata trailers) implements Answer {}

  /** It is not known yet. */
  record Later(Waiting waiting) implements Answer {}
}
