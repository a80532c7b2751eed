package io.quotaenforcer.grpc;

import com.google.rpc.QuotaFailure;
import com.google.rpc.RetryInfo;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.StandaloneAdmission;
import io.quotaenforcer.client.spi.ManualClock;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.Assertions;

/** The rule of the tests: permits per user and minute, on a clock that stands still. */
final class Quotas {
  /** The user's name, which no answer may show. */
  static final String USER = "ann@example.org";

  static final Request REQUEST = Request.of("user", USER);
  static final ServerRequests OF_SERVER = (method, headers, attributes) -> Optional.of(REQUEST);
  static final ClientRequests OF_CLIENT = (method, headers, options) -> Optional.of(REQUEST);

  private Quotas() {}

  /** At five seconds past a full minute. */
  static StandaloneAdmission perMinute(long permits) {
    return AdmissionClient.standalone(
        List.of(
            Rule.of(
                RuleId.parse("echo/per-user"),
                List.of("user"),
                new FixedWindow(permits, Duration.ofMinutes(1).toNanos()))),
        new ManualClock(Instant.parse("2026-01-01T00:00:05Z")).clocks());
  }

  static Optional<RetryInfo> retryInfo(StatusRuntimeException refusal) {
    return detail(refusal, RetryInfo.class);
  }

  static QuotaFailure quotaFailure(StatusRuntimeException refusal) {
    return detail(refusal, QuotaFailure.class).orElseThrow();
  }

  private static <T extends com.google.protobuf.Message> Optional<T> detail(
      StatusRuntimeException refusal, Class<T> type) {
    com.google.rpc.Status status = StatusProto.fromThrowable(refusal);
    Assertions.assertThat(status).as("details of %s", refusal).isNotNull();
    return status.getDetailsList().stream()
        .filter(detail -> detail.is(type))
        .map(
            detail -> {
              try {
                return detail.unpack(type);
              } catch (com.google.protobuf.InvalidProtocolBufferException e) {
                throw new AssertionError(e);
              }
            })
        .findFirst();
  }
}
