package io.quotaenforcer.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.quotaenforcer.client.StandaloneAdmission;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Calls that wait at the server. */
@Timeout(60)
class ServerWaitTest {
  private static final InterceptorOptions WAITING =
      InterceptorOptions.DEFAULTS.withMaxWait(Duration.ofSeconds(30));

  @RegisterExtension final CapturedLog log = new CapturedLog(Gate.class);

  private final StandaloneAdmission quotas = Quotas.perMinute(2);
  private final HeldAdmission admission = new HeldAdmission(quotas);
  private final List<String> heard = new CopyOnWriteArrayList<>();
  private InProcess server;

  @AfterEach
  void stop() {
    server.close();
  }

  private Channel serve(ServerInterceptor... interceptors) throws Exception {
    server = new InProcess(interceptors);
    return server.channel();
  }

  private ServerQuotaInterceptor waiting() {
    return ServerQuotaInterceptor.create(admission, Quotas.OF_SERVER, WAITING);
  }

  private CompletableFuture<String> say(Channel channel, CallOptions options, String message) {
    CompletableFuture<String> answer = new CompletableFuture<>();
    ClientCalls.asyncUnaryCall(channel.newCall(Echo.SAY, options), message, into(answer));
    return answer;
  }

  private static StreamObserver<String> into(CompletableFuture<String> answer) {
    return new StreamObserver<>() {
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
    };
  }

  private void awaitHeld(int calls) {
    await().until(() -> admission.held().size() == calls);
  }

  @Test
  void call_waits_andBeginsWhenItsPermitsCome() throws Exception {
    Channel channel = serve(waiting());

    CompletableFuture<String> answer = say(channel, CallOptions.DEFAULT, "hello");
    awaitHeld(1);
    assertThat(server.echo.begun).hasValue(0);
    assertThat(admission.held().get(0).maxWait()).isEqualTo(Duration.ofSeconds(30));
    admission.decideAll();

    assertThat(answer.get()).isEqualTo("hello");
  }

  @Test
  void call_waitsInVain_isRefused() throws Exception {
    Channel channel = serve(waiting());
    quotas.decide(Quotas.REQUEST.withCost(2));

    CompletableFuture<String> answer = say(channel, CallOptions.DEFAULT, "hello");
    awaitHeld(1);
    admission.decideAll();

    assertThat(answer)
        .failsWithin(10, TimeUnit.SECONDS)
        .withThrowableOfType(ExecutionException.class)
        .havingCause()
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            it -> assertThat(Quotas.quotaFailure(it).getViolationsCount()).isEqualTo(1));
    assertThat(server.echo.begun).hasValue(0);
  }

  @Test
  void wait_isNoLongerThanToTheDeadline() throws Exception {
    Channel channel = serve(waiting());

    CompletableFuture<String> unused =
        say(channel, CallOptions.DEFAULT.withDeadlineAfter(5, TimeUnit.SECONDS), "hello");
    awaitHeld(1);

    assertThat(admission.held().get(0).maxWait()).isBetween(Duration.ZERO, Duration.ofSeconds(5));
  }

  @Test
  void call_cancelledWhileItWaits_takesNothing() throws Exception {
    Channel channel = serve(waiting());
    ClientCall<String, String> call = channel.newCall(Echo.SAY, CallOptions.DEFAULT);
    ClientCalls.asyncUnaryCall(call, "hello", into(new CompletableFuture<>()));
    awaitHeld(1);

    call.cancel("not needed any more", null);
    await().until(() -> admission.held().get(0).future().isCancelled());
    admission.decideAll();

    assertThat(quotas.decide(Quotas.REQUEST.withCost(2)).admitted()).isTrue();
    assertThat(server.echo.begun).hasValue(0);
  }

  @Test
  void call_whoseDeadlinePassesWhileItWaits_takesNothing() throws Exception {
    Channel channel = serve(waiting());

    CompletableFuture<String> answer =
        say(channel, CallOptions.DEFAULT.withDeadlineAfter(200, TimeUnit.MILLISECONDS), "hello");
    awaitHeld(1);
    await().until(() -> admission.held().get(0).future().isCancelled());

    assertThat(answer)
        .failsWithin(10, TimeUnit.SECONDS)
        .withThrowableOfType(ExecutionException.class)
        .withMessageContaining("DEADLINE_EXCEEDED");
    assertThat(quotas.decide(Quotas.REQUEST.withCost(2)).admitted()).isTrue();
  }

  @Test
  void messages_thatComeWhileACallWaits_arriveInOrder() throws Exception {
    // Asks for messages before there is a handler, as no handler could.
    Channel channel = serve(asksForMessages(), waiting());
    CompletableFuture<String> answer = new CompletableFuture<>();

    StreamObserver<String> messages =
        ClientCalls.asyncClientStreamingCall(
            channel.newCall(Echo.COLLECT, CallOptions.DEFAULT), into(answer));
    for (int i = 0; i < 50; i++) {
      messages.onNext("m" + i);
    }
    await().until(() -> heard.size() >= 50);
    admission.decideAll();
    StringBuilder all = new StringBuilder("m0");
    for (int i = 50; i < 100; i++) {
      messages.onNext("m" + i);
    }
    messages.onCompleted();

    for (int i = 1; i < 100; i++) {
      all.append(",m").append(i);
    }
    assertThat(answer.get()).isEqualTo(all.toString());
  }

  private ServerInterceptor asksForMessages() {
    return new ServerInterceptor() {
      @Override
      public <Q, A> ServerCall.Listener<Q> interceptCall(
          ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        ServerCall.Listener<Q> listener = next.startCall(call, headers);
        call.request(50);
        return new io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener<>(
            listener) {
          @Override
          public void onMessage(Q message) {
            heard.add(message.toString());
            super.onMessage(message);
          }
        };
      }
    };
  }

  @Test
  void handler_begunAfterAWait_hasItsContextAndItsErrorsAreItsOwn() throws Exception {
    Context.Key<String> tenant = Context.key("tenant");
    ServerInterceptor outer =
        new ServerInterceptor() {
          @Override
          public <Q, A> ServerCall.Listener<Q> interceptCall(
              ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            return Contexts.interceptCall(
                Context.current().withValue(tenant, "acme"), call, headers, next);
          }
        };
    ServerInterceptor inner =
        new ServerInterceptor() {
          @Override
          public <Q, A> ServerCall.Listener<Q> interceptCall(
              ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            heard.add(String.valueOf(tenant.get()));
            return next.startCall(call, headers);
          }
        };
    Channel channel = serve(outer, waiting(), inner);

    CompletableFuture<String> answer = say(channel, CallOptions.DEFAULT, "throw");
    awaitHeld(1);
    admission.decideAll();

    assertThat(answer)
        .failsWithin(10, TimeUnit.SECONDS)
        .withThrowableOfType(ExecutionException.class)
        .withMessageContaining("UNKNOWN: Application error processing RPC");
    assertThat(heard).containsExactly("acme");
  }

  @Test
  void admission_failsLater_callGoesOnAndItIsLogged() throws Exception {
    Channel channel = serve(waiting());

    CompletableFuture<String> answer = say(channel, CallOptions.DEFAULT, "hello");
    awaitHeld(1);
    admission.held().get(0).future().completeExceptionally(new CancellationException("closed"));

    assertThat(answer.get()).isEqualTo("hello");
    assertThat(log.said()).hasSize(1);
  }

  @Test
  void executor_rejects_callIsAnsweredAllTheSame() throws Exception {
    Channel channel =
        serve(
            ServerQuotaInterceptor.create(
                admission,
                (method, headers, attributes) -> Optional.of(Quotas.REQUEST),
                WAITING.withExecutor(
                    work -> {
                      throw new RejectedExecutionException("closed");
                    })));

    CompletableFuture<String> answer = say(channel, CallOptions.DEFAULT, "hello");
    awaitHeld(1);
    admission.decideAll();

    assertThat(answer.get()).isEqualTo("hello");
  }

  @Test
  void calls_thatWaitAndAreCancelledAtRandom_takeWhatTheyRunWith() throws Exception {
    StandaloneAdmission many = Quotas.perMinute(1_000);
    HeldAdmission held = new HeldAdmission(many);
    Channel channel = serve(ServerQuotaInterceptor.create(held, Quotas.OF_SERVER, WAITING));
    List<CompletableFuture<String>> answers = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 500; i++) {
      CompletableFuture<String> answer = new CompletableFuture<>();
      ClientCall<String, String> call = channel.newCall(Echo.SAY, CallOptions.DEFAULT);
      ClientCalls.asyncUnaryCall(call, "hello", into(answer));
      answers.add(answer);
      if (i % 3 == 0) {
        call.cancel("not needed", null);
      } else if (i % 7 == 0) {
        held.decideAll();
      }
    }

    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              held.decideAll();
              return answers.stream().allMatch(CompletableFuture::isDone);
            });

    long run = answers.stream().filter(answer -> !answer.isCompletedExceptionally()).count();
    assertThat(run).isBetween(333L, 500L);
    assertThat(answers)
        .filteredOn(CompletableFuture::isCompletedExceptionally)
        .allSatisfy(
            answer ->
                assertThat(answer)
                    .failsWithin(1, TimeUnit.SECONDS)
                    .withThrowableOfType(ExecutionException.class)
                    .havingCause()
                    .matches(
                        cause -> Status.fromThrowable(cause).getCode() == Status.Code.CANCELLED));
    await()
        .untilAsserted(() -> assertThat(server.echo.begun.get()).isGreaterThanOrEqualTo((int) run));
  }
}
