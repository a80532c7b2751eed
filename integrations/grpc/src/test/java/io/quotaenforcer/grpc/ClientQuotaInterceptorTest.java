package io.quotaenforcer.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.StandaloneAdmission;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(60)
class ClientQuotaInterceptorTest {
  private static final InterceptorOptions WAITING =
      InterceptorOptions.DEFAULTS.withMaxWait(Duration.ofSeconds(30));

  @RegisterExtension final CapturedLog log = new CapturedLog(Gate.class);

  private final StandaloneAdmission quotas = Quotas.perMinute(2);
  private final HeldAdmission admission = new HeldAdmission(quotas);
  private InProcess server;

  @BeforeEach
  void start() throws Exception {
    server = new InProcess();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Channel channel(Admission by, InterceptorOptions options) {
    return server.channel(ClientQuotaInterceptor.create(by, Quotas.OF_CLIENT, options));
  }

  /** The end of a call. */
  private static class Ended extends ClientCall.Listener<String> {
    final CompletableFuture<Status> status = new CompletableFuture<>();
    final CompletableFuture<String> answer = new CompletableFuture<>();

    @Override
    public void onMessage(String message) {
      answer.complete(message);
    }

    @Override
    public void onClose(Status end, Metadata trailers) {
      if (!status.complete(end)) {
        answer.completeExceptionally(new AssertionError("closed twice"));
      }
    }
  }

  private static Ended start(ClientCall<String, String> call) {
    Ended ended = new Ended();
    call.start(ended, new Metadata());
    call.request(2);
    call.sendMessage("hello");
    call.halfClose();
    return ended;
  }

  private void awaitHeld(int calls) {
    await().until(() -> admission.held().size() == calls);
  }

  @Test
  void call_overTheLimit_endsHereWithRuleAndTime() {
    Channel channel = channel(quotas, InterceptorOptions.DEFAULTS);

    assertThat(Echo.say(channel, "one")).isEqualTo("one");
    assertThat(Echo.say(channel, "two")).isEqualTo("two");
    StatusRuntimeException refusal =
        catchThrowableOfType(StatusRuntimeException.class, () -> Echo.say(channel, "three"));

    assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(Quotas.retryInfo(refusal).orElseThrow().getRetryDelay().getSeconds()).isEqualTo(55);
    assertThat(Quotas.quotaFailure(refusal).getViolations(0).getSubject())
        .isEqualTo("echo/per-user");
    assertThat(server.echo.begun).hasValue(2);
  }

  @Test
  void call_refused_throwsNothingIntoItsCaller() {
    Channel channel = channel(quotas, InterceptorOptions.DEFAULTS);
    quotas.decide(Quotas.REQUEST.withCost(2));

    Ended ended = start(channel.newCall(Echo.SAY, CallOptions.DEFAULT));

    assertThat(ended.status)
        .succeedsWithin(10, TimeUnit.SECONDS)
        .matches(status -> status.getCode() == Status.Code.RESOURCE_EXHAUSTED);
  }

  @Test
  void call_waits_andIsSentWhenItsPermitsCome() throws Exception {
    Channel channel = channel(admission, WAITING);
    CompletableFuture<String> answer =
        CompletableFuture.supplyAsync(() -> Echo.say(channel, "hello"));
    awaitHeld(1);
    assertThat(server.echo.begun).hasValue(0);

    admission.decideAll();

    assertThat(answer.get()).isEqualTo("hello");
  }

  @Test
  void call_waitsInVain_endsWithTheDetailsForABlockedCaller() {
    Channel channel = channel(admission, WAITING);
    quotas.decide(Quotas.REQUEST.withCost(2));
    CompletableFuture<StatusRuntimeException> refusal =
        CompletableFuture.supplyAsync(
            () ->
                catchThrowableOfType(
                    StatusRuntimeException.class, () -> Echo.say(channel, "hello")));
    awaitHeld(1);

    admission.decideAll();

    assertThat(refusal)
        .succeedsWithin(10, TimeUnit.SECONDS)
        .satisfies(it -> assertThat(Quotas.retryInfo(it)).isPresent());
  }

  @Test
  void wait_isNoLongerThanToTheFirstDeadline() {
    Channel channel = channel(admission, WAITING);
    start(channel.newCall(Echo.SAY, CallOptions.DEFAULT.withDeadlineAfter(5, TimeUnit.SECONDS)));
    assertThat(admission.held().get(0).maxWait()).isBetween(Duration.ZERO, Duration.ofSeconds(5));
  }

  @Test
  void deadline_past_takesNothing() {
    Channel channel = channel(quotas, WAITING);

    Ended ended =
        start(
            channel.newCall(Echo.SAY, CallOptions.DEFAULT.withDeadlineAfter(-1, TimeUnit.SECONDS)));

    assertThat(ended.status)
        .succeedsWithin(10, TimeUnit.SECONDS)
        .matches(status -> status.getCode() == Status.Code.DEADLINE_EXCEEDED);
    assertThat(quotas.decide(Quotas.REQUEST.withCost(2)).admitted()).isTrue();
  }

  @Test
  void call_cancelledWhileItWaits_takesNothingAndEndsOnce() {
    ClientCall<String, String> call =
        channel(admission, WAITING).newCall(Echo.SAY, CallOptions.DEFAULT);
    Ended ended = start(call);

    call.cancel("not needed", null);
    call.cancel("still not needed", null);
    admission.decideAll();

    assertThat(ended.status)
        .succeedsWithin(10, TimeUnit.SECONDS)
        .matches(status -> status.getCode() == Status.Code.CANCELLED)
        .matches(status -> "not needed".equals(status.getDescription()));
    assertThat(ended.answer).isNotDone();
    assertThat(quotas.decide(Quotas.REQUEST.withCost(2)).admitted()).isTrue();
    assertThat(server.echo.begun).hasValue(0);
  }

  @Test
  void context_cancelledWhileACallWaits_takesNothing() throws Exception {
    try (Context.CancellableContext context = Context.current().withCancellation()) {
      Channel channel = channel(admission, WAITING);
      Ended ended = context.call(() -> start(channel.newCall(Echo.SAY, CallOptions.DEFAULT)));

      context.cancel(null);
      admission.decideAll();

      assertThat(ended.status)
          .succeedsWithin(10, TimeUnit.SECONDS)
          .matches(status -> status.getCode() == Status.Code.CANCELLED);
    }
    assertThat(quotas.decide(Quotas.REQUEST.withCost(2)).admitted()).isTrue();
  }

  @Test
  void messages_sentWhileACallWaits_arriveInOrder() throws Exception {
    Channel channel = channel(admission, WAITING);
    CompletableFuture<String> answer = new CompletableFuture<>();
    StreamObserver<String> messages =
        ClientCalls.asyncClientStreamingCall(
            channel.newCall(Echo.COLLECT, CallOptions.DEFAULT),
            new StreamObserver<>() {
              @Override
              public void onNext(String message) {
                answer.complete(message);
              }

              @Override
              public void onError(Throwable cause) {
                answer.completeExceptionally(cause);
              }

              @Override
              public void onCompleted() {}
            });
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < 1_000; i++) {
      if (i == 500) {
        // Goes on in another thread, so that messages come while others are passed on.
        admission.decideAll();
      }
      messages.onNext("m" + i);
      all.append(i == 0 ? "" : ",").append("m").append(i);
    }
    messages.onCompleted();

    assertThat(answer.get()).isEqualTo(all.toString());
  }

  @Test
  void caller_thatSendsWhenItsCallIsReady_isToldSoAfterTheWait() throws Exception {
    HeldAdmission held = new HeldAdmission(Quotas.perMinute(200));
    for (int round = 0; round < 200; round++) {
      ClientCall<String, String> call =
          channel(held, WAITING).newCall(Echo.COLLECT, CallOptions.DEFAULT);
      Ended ended =
          new Ended() {
            private int sent;

            @Override
            public void onReady() {
              while (sent < 3 && call.isReady()) {
                call.sendMessage("m" + sent++);
                if (sent == 3) {
                  call.halfClose();
                }
              }
            }
          };
      call.start(ended, new Metadata());
      call.request(2);
      assertThat(call.isReady()).isFalse();
      held.decideAll();

      assertThat(ended.answer)
          .as("round %d", round)
          .succeedsWithin(10, TimeUnit.SECONDS)
          .isEqualTo("m0,m1,m2");
    }
  }

  @Test
  void requests_throw_callIsSentOrRefusedAsIsWanted() {
    ClientRequests broken =
        (method, headers, options) -> {
          throw new IllegalStateException("broken");
        };
    Channel open = server.channel(ClientQuotaInterceptor.create(quotas, broken));
    Channel closed =
        server.channel(
            ClientQuotaInterceptor.create(
                quotas, broken, InterceptorOptions.DEFAULTS.withOnFailure(OnFailure.REFUSE)));

    assertThat(Echo.say(open, "hello")).isEqualTo("hello");
    assertThat(
            catchThrowableOfType(StatusRuntimeException.class, () -> Echo.say(closed, "hello"))
                .getStatus()
                .getCode())
        .isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(log.said()).hasSize(2);
  }

  @Test
  void admission_failsLater_callIsSent() {
    Channel channel = channel(new FixedAdmission(null), WAITING);

    assertThat(Echo.say(channel, "hello")).isEqualTo("hello");
  }

  @Test
  void rulesNotKnown_callGoesAsTheDecisionSays() {
    FixedAdmission fixed = new FixedAdmission(new Decision.NotReady(true));
    Channel channel = channel(fixed, InterceptorOptions.DEFAULTS);
    assertThat(Echo.say(channel, "hello")).isEqualTo("hello");

    fixed.decision = new Decision.NotReady(false);
    assertThat(
            catchThrowableOfType(StatusRuntimeException.class, () -> Echo.say(channel, "hello"))
                .getStatus()
                .getCode())
        .isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void request_ofCallOptions_isDecided() {
    CallOptions.Key<String> tenant = CallOptions.Key.create("tenant");
    ClientRequests byTenant =
        (method, headers, options) ->
            Optional.ofNullable(options.getOption(tenant)).map(name -> Request.of("user", name));
    Channel channel = server.channel(ClientQuotaInterceptor.create(Quotas.perMinute(1), byTenant));
    CallOptions acme = CallOptions.DEFAULT.withOption(tenant, "acme");

    Echo.say(channel, "not limited");
    Echo.say(channel, acme, "limited");

    assertThat(
            catchThrowableOfType(
                StatusRuntimeException.class, () -> Echo.say(channel, acme, "over the limit")))
        .isNotNull();
  }

  @Test
  void calls_thatWaitAndAreCancelledAtRandom_allEnd() {
    StandaloneAdmission many = Quotas.perMinute(1_000);
    HeldAdmission held = new HeldAdmission(many);
    Channel channel = channel(held, WAITING);
    List<Ended> calls = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      ClientCall<String, String> call = channel.newCall(Echo.SAY, CallOptions.DEFAULT);
      calls.add(start(call));
      if (i % 2 == 0) {
        CompletableFuture<Void> unused = CompletableFuture.runAsync(held::decideAll);
      }
      if (i % 3 == 0) {
        call.cancel("not needed", null);
      }
    }

    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              held.decideAll();
              return calls.stream().allMatch(call -> call.status.isDone());
            });

    assertThat(calls)
        .allMatch(call -> !call.answer.isCompletedExceptionally())
        .allMatch(
            call ->
                call.status.join().isOk() || call.status.join().getCode() == Status.Code.CANCELLED);
  }
}
