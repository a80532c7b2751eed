package io.quotaenforcer.grpc;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.rpc.Code;
import com.google.rpc.QuotaFailure;
import com.google.rpc.RetryInfo;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.RuleDecision;

/**
 * The answer to a refused call: {@code RESOURCE_EXHAUSTED}, with {@code google.rpc.QuotaFailure}
 * and {@code google.rpc.RetryInfo}. Names the rule, never the values of its key, which may be
 * personal.
 */
final class Refusals {
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private Refusals() {}

  /** The refusal of a decision that does not admit. */
  static Answer.Refused of(Decision decision) {
    return decision instanceof Decision.Throttled throttled
        ? throttled(throttled)
        : new Answer.Refused(
            Status.UNAVAILABLE.withDescription("the rules of quotas are not known yet"),
            new Metadata());
  }

  /** The refusal of a call that cannot be decided. */
  static Answer.Refused undecided() {
    return new Answer.Refused(
        Status.UNAVAILABLE.withDescription("the quota of this call cannot be decided"),
        new Metadata());
  }

  private static Answer.Refused throttled(Decision.Throttled throttled) {
    RuleDecision rule = throttled.decidedBy();
    String id = rule.quotaKey().rule().toString();
    String description = describe(throttled, id);
    com.google.rpc.Status.Builder status =
        com.google.rpc.Status.newBuilder()
            .setCode(Code.RESOURCE_EXHAUSTED_VALUE)
            .setMessage(description);
    throttled
        .retryAfter()
        .ifPresent(
            time ->
                status.addDetails(
                    Any.pack(RetryInfo.newBuilder().setRetryDelay(of(time)).build())));
    status.addDetails(
        Any.pack(
            QuotaFailure.newBuilder()
                .addViolations(
                    QuotaFailure.Violation.newBuilder().setSubject(id).setDescription(description))
                .build()));
    StatusRuntimeException refusal = StatusProto.toStatusRuntimeException(status.build());
    Metadata trailers = refusal.getTrailers();
    return new Answer.Refused(refusal.getStatus(), trailers == null ? new Metadata() : trailers);
  }

  private static String describe(Decision.Throttled throttled, String rule) {
    return switch (throttled.reason()) {
      case NONE, OVER_LIMIT ->
          throttled.neverAdmitted()
              ? "costs more than rule " + rule + " ever allows"
              : "over the limit of rule " + rule;
      case NOT_GRANTED_YET -> "no permits of rule " + rule + " are at hand yet";
      case DENIED -> "denied by rule " + rule;
      case PENALTY -> "under a penalty by rule " + rule + ", for it was throttled too often";
    };
  }

  private static Duration of(java.time.Duration time) {
    long nanos = time.toNanos();
    return Duration.newBuilder()
        .setSeconds(nanos / NANOS_PER_SECOND)
        .setNanos((int) (nanos % NANOS_PER_SECOND))
        .build();
  }
}
