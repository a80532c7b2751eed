package io.quotaenforcer.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ClientCalls;
import io.quotaenforcer.client.Admission;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.ThrottleReason;
import io.quotaenforcer.core.algorithm.FixedWindow;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60)
class ServerQuotaInterceptorTest {
  @RegisterExtension final CapturedLog log = new CapturedLog(Gate.class);

  private InProcess server;

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private Channel serve(Admission admission, ServerRequests requests, InterceptorOptions options)
      throws Exception {
    return serve(ServerQuotaInterceptor.create(admission, requests, options));
  }

  private Channel serve(ServerInterceptor... interceptors) throws Exception {
    server = new InProcess(interceptors);
    return server.channel();
  }

  private static StatusRuntimeException refusal(Channel channel) {
    return catchThrowableOfType(StatusRuntimeException.class, () -> Echo.say(channel, "hello"));
  }

  @Test
  void call_overTheLimit_isRefusedWithRuleAndTime() throws Exception {
    Channel channel = serve(ServerQuotaInterceptor.create(Quotas.perMinute(2), Quotas.OF_SERVER));

    assertThat(Echo.say(channel, "one")).isEqualTo("one");
    assertThat(Echo.say(channel, "two")).isEqualTo("two");
    StatusRuntimeException refusal = refusal(channel);

    assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(refusal.getStatus().getDescription())
        .isEqualTo("over the limit of rule echo/per-user");
    assertThat(Quotas.retryInfo(refusal).orElseThrow().getRetryDelay())
        .isEqualTo(com.google.protobuf.Duration.newBuilder().setSeconds(55).build());
    assertThat(Quotas.quotaFailure(refusal).getViolationsList())
        .singleElement()
        .satisfies(it -> assertThat(it.getSubject()).isEqualTo("echo/per-user"))
        .satisfies(
            it ->
                assertThat(it.getDescription()).isEqualTo("over the limit of rule echo/per-user"));
    assertThat(StatusProto.fromThrowable(refusal).toString()).doesNotContain("ann");
    assertThat(server.echo.begun).hasValue(2);
  }

  @Test
  void call_thatNeverIsAdmitted_hasNoTimeToRetry() throws Exception {
    Channel channel =
        serve(
            Quotas.perMinute(2),
            Quotas.OF_SERVER,
            InterceptorOptions.DEFAULTS.withCost((method, request) -> 3));

    StatusRuntimeException refusal = refusal(channel);

    assertThat(refusal.getStatus().getDescription())
        .isEqualTo("costs more than rule echo/per-user ever allows");
    assertThat(Quotas.retryInfo(refusal)).isEmpty();
    assertThat(Quotas.quotaFailure(refusal).getViolationsCount()).isEqualTo(1);
  }

  @Test
  void cost_ofMethod_isTaken() throws Exception {
    Admission admission = Quotas.perMinute(10);
    Channel channel =
        serve(
            admission,
            Quotas.OF_SERVER,
            InterceptorOptions.DEFAULTS.withCost(
                (method, request) -> method.equals(Echo.SAY) ? 4 : 1));

    Echo.say(channel, "one");

    assertThat(left(admission)).isEqualTo(6);
  }

  @Test
  void call_ofNoRequest_isNotLimited() throws Exception {
    Admission admission = Quotas.perMinute(1);
    Channel channel =
        serve(
            ServerQuotaInterceptor.create(
                admission, (method, headers, attributes) -> Optional.empty()));

    for (int i = 0; i < 5; i++) {
      assertThat(Echo.say(channel, "hello")).isEqualTo("hello");
    }
    assertThat(left(admission)).isEqualTo(1);
  }

  @Test
  void rulesNotKnown_callGoesAsTheDecisionSays() throws Exception {
    FixedAdmission admission = new FixedAdmission(new Decision.NotReady(true));
    Channel channel = serve(ServerQuotaInterceptor.create(admission, Quotas.OF_SERVER));
    assertThat(Echo.say(channel, "hello")).isEqualTo("hello");

    admission.decision = new Decision.NotReady(false);
    assertThat(refusal(channel).getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);

    admission.decision = new Decision.Unmatched();
    assertThat(Echo.say(channel, "hello")).isEqualTo("hello");
  }

  @Test
  void penalty_isNamedInTheRefusal() throws Exception {
    RuleDecision penalized =
        RuleDecision.builder(
                QuotaKey.parse("shop/calls/42"), new FixedWindow(5, 1_000_000_000L), 0)
            .retryAfterNanos(600_000_000_000L)
            .reason(ThrottleReason.PENALTY)
            .build();
    FixedAdmission admission = new FixedAdmission(new Decision.Throttled(penalized));
    Channel channel = serve(ServerQuotaInterceptor.create(admission, Quotas.OF_SERVER));

    assertThat(refusal(channel).getStatus().getDescription())
        .isEqualTo("under a penalty by rule shop/calls, for it was throttled too often");
  }

  @Test
  void requests_throw_callGoesOnAndOneLineIsLogged() throws Exception {
    Admission admission = Quotas.perMinute(1);
    Channel channel =
        serve(
            ServerQuotaInterceptor.create(
                admission,
                (method, headers, attributes) -> {
                  throw new IllegalStateException("broken");
                }));

    for (int i = 0; i < 20; i++) {
      assertThat(Echo.say(channel, "hello")).isEqualTo("hello");
    }

    assertThat(log.said())
        .singleElement()
        .asString()
        .startsWith("WARN a call cannot be decided, and goes on");
    assertThat(left(admission)).isEqualTo(1);
  }

  @Test
  void requests_throw_callIsRefusedWhereThatIsWanted() throws Exception {
    Channel channel =
        serve(
            Quotas.perMinute(1),
            (method, headers, attributes) -> {
              throw new StackOverflowError("broken");
            },
            InterceptorOptions.DEFAULTS.withOnFailure(OnFailure.REFUSE));

    assertThat(refusal(channel).getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void admission_throws_callGoesOn() throws Exception {
    Channel channel =
        serve(ServerQuotaInterceptor.create(new FixedAdmission(null), Quotas.OF_SERVER));

    assertThat(Echo.say(channel, "hello")).isEqualTo("hello");
    assertThat(log.said()).hasSize(1);
  }

  @Test
  void badCost_isAFailure() throws Exception {
    Channel channel =
        serve(
            Quotas.perMinute(1),
            Quotas.OF_SERVER,
            InterceptorOptions.DEFAULTS.withCost((method, request) -> 0));

    assertThat(Echo.say(channel, "hello")).isEqualTo("hello");
    assertThat(log.said()).hasSize(1);
  }

  @Test
  void calls_tenThousand_areAdmittedToTheLimit() throws Exception {
    Channel channel =
        serve(ServerQuotaInterceptor.create(Quotas.perMinute(2_500), Quotas.OF_SERVER));
    int calls = 10_000;
    AtomicInteger admitted = new AtomicInteger();
    AtomicInteger refused = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(calls);
    Semaphore atOnce = new Semaphore(200);

    for (int i = 0; i < calls; i++) {
      atOnce.acquire();
      ClientCalls.asyncUnaryCall(
          channel.newCall(Echo.SAY, CallOptions.DEFAULT),
          "hello",
          Observed.of(
              admitted::incrementAndGet,
              cause -> {
                assertThat(Status.fromThrowable(cause).getCode())
                    .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
                refused.incrementAndGet();
              },
              () -> {
                atOnce.release();
                done.countDown();
              }));
    }

    assertThat(done.await(40, TimeUnit.SECONDS)).isTrue();
    assertThat(admitted).hasValue(2_500);
    assertThat(refused).hasValue(7_500);
  }

  @Test
  void wait_lessThanZero_isNotAnOption() {
    assertThat(
            catchThrowableOfType(
                IllegalArgumentException.class,
                () -> InterceptorOptions.DEFAULTS.withMaxWait(Duration.ofNanos(-1))))
        .hasMessage("must be >= 0: maxWait=PT-0.000000001S");
  }

  /** Permits that the user has left. */
  private static long left(Admission admission) {
    long left = 0;
    while (admission.tryAcquire(Quotas.REQUEST)) {
      left++;
    }
    return left;
  }
}
