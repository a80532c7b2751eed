package io.quotaenforcer.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.QuotaHandle;
import io.quotaenforcer.client.ThrottledException;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.spring.Quota;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Calls whose permits are on their way. */
@Timeout(60)
class QuotaMethodWaitTest {
  private static final Duration MAX_WAIT = Duration.ofMillis(1_500);

  /** The decision that the newest call waits for. */
  private final AtomicReference<CompletableFuture<Decision>> asked = new AtomicReference<>();

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(Ours.all())
          .withBean(Admission.class, this::held)
          .withBean(Orders.class)
          .withPropertyValues("quota.method.max-wait=" + MAX_WAIT.toMillis() + "ms");

  static class Orders {
    private final AtomicInteger runs = new AtomicInteger();

    int runs() {
      return runs.get();
    }

    @Quota("shop/orders")
    public int place() {
      return runs.incrementAndGet();
    }

    @Quota("shop/orders")
    public CompletionStage<Integer> later() {
      return CompletableFuture.completedFuture(runs.incrementAndGet());
    }

    @Quota("shop/orders")
    public Mono<Integer> mono() {
      return Mono.just(runs.incrementAndGet());
    }

    @Quota("shop/orders")
    public Flux<Integer> flux() {
      return Flux.just(runs.incrementAndGet());
    }
  }

  /** Decides nothing by itself. */
  private final class HeldHandle implements QuotaHandle {
    @Override
    public boolean tryAcquire(long permits) {
      throw new AssertionError("must wait");
    }

    @Override
    public Decision decide(long permits) {
      throw new AssertionError("must wait");
    }

    @Override
    public CompletableFuture<Decision> decideAsync(long permits, Duration maxWait) {
      assertThat(maxWait).isEqualTo(MAX_WAIT);
      CompletableFuture<Decision> decision = new CompletableFuture<>();
      asked.set(decision);
      return decision;
    }

    @Override
    public RuleId rule() {
      return RuleId.parse("shop/orders");
    }

    @Override
    public Optional<QuotaKey> quotaKey() {
      return Optional.empty();
    }
  }

  private Admission held() {
    Admission inner = Ours.none();
    return (Admission)
        Proxy.newProxyInstance(
            Admission.class.getClassLoader(),
            new Class<?>[] {Admission.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("handle")) {
                return new HeldHandle();
              }
              try {
                return method.invoke(inner, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private CompletableFuture<Decision> asked() {
    return await().until(() -> asked.getAndSet(null), decision -> decision != null);
  }

  private static final Decision ADMITTED = new Decision.NotReady(true);
  private static final Decision REFUSED = new Decision.NotReady(false);

  private void with(Consumer<Orders> test) {
    runner.run(context -> test.accept(context.getBean(Orders.class)));
  }

  @Test
  void call_waitsOnItsThread() {
    with(
        orders -> {
          CompletableFuture<Integer> call = CompletableFuture.supplyAsync(orders::place);
          CompletableFuture<Decision> decision = asked();
          assertThat(call).isNotDone();
          decision.complete(ADMITTED);
          assertThat(call.join()).isEqualTo(1);

          call = CompletableFuture.supplyAsync(orders::place);
          asked().complete(REFUSED);
          assertThat(call)
              .failsWithin(Duration.ofSeconds(10))
              .withThrowableThat()
              .withCauseInstanceOf(ThrottledException.class);
          assertThat(orders.runs()).isEqualTo(1);
        });
  }

  @Test
  void call_interrupted_isRefused_andTakesNothing() {
    with(
        orders -> {
          AtomicReference<Throwable> thrown = new AtomicReference<>();
          Thread thread =
              new Thread(
                  () -> {
                    try {
                      orders.place();
                    } catch (ThrottledException e) {
                      thrown.set(Thread.currentThread().isInterrupted() ? e : null);
                    }
                  });
          thread.start();
          CompletableFuture<Decision> decision = asked();
          thread.interrupt();
          await().until(() -> thrown.get() != null);
          assertThat(decision).isCancelled();
          assertThat(orders.runs()).isZero();
        });
  }

  @Test
  void stage_waitsWithoutAThread() {
    with(
        orders -> {
          CompletableFuture<Integer> stage = orders.later().toCompletableFuture();
          assertThat(stage).isNotDone();
          asked().complete(ADMITTED);
          assertThat(stage).isCompletedWithValue(1);

          stage = orders.later().toCompletableFuture();
          asked().complete(REFUSED);
          assertThatThrownBy(stage::join).hasCauseInstanceOf(ThrottledException.class);

          stage = orders.later().toCompletableFuture();
          stage.cancel(false);
          assertThat(asked()).isCancelled();
          assertThat(orders.runs()).isEqualTo(1);
        });
  }

  @Test
  void publisher_waitsWithoutAThread_oncePerSubscriber() {
    with(
        orders -> {
          CompletableFuture<Integer> mono = orders.mono().toFuture();
          assertThat(mono).isNotDone();
          asked().complete(ADMITTED);
          assertThat(mono).isCompletedWithValue(1);

          CompletableFuture<Integer> flux = orders.flux().next().toFuture();
          asked().complete(REFUSED);
          assertThatThrownBy(flux::join).hasCauseInstanceOf(ThrottledException.class);

          Disposable subscriber = orders.flux().subscribe();
          subscriber.dispose();
          assertThat(asked()).isCancelled();
          assertThat(orders.runs()).isEqualTo(1);
        });
  }
}
