package io.quotaenforcer.spring.method;

import io.quotaenforcer.client.ThrottledException;
import io.quotaenforcer.core.Decision;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInvocation;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Calls whose result is subscribed to. */
final class ReactiveCalls {
  private ReactiveCalls() {}

  static boolean isReactive(Class<?> type) {
    return type == Mono.class || type == Flux.class;
  }

  /** The result of a call that is decided, and made, for each subscriber. */
  static Publisher<?> decided(
      MethodInvocation invocation,
      Function<MethodInvocation, CompletableFuture<Optional<Decision>>> refusal) {
    // One that has proceeded cannot do so again.
    return invocation.getMethod().getReturnType() == Mono.class
        ? Mono.defer(
            () -> decidedMono(((ProxyMethodInvocation) invocation).invocableClone(), refusal))
        : Flux.defer(
            () -> decidedFlux(((ProxyMethodInvocation) invocation).invocableClone(), refusal));
  }

  private static Mono<?> decidedMono(
      MethodInvocation call,
      Function<MethodInvocation, CompletableFuture<Optional<Decision>>> refusal) {
    return Mono.fromFuture(refusal.apply(call)).flatMap(refused -> Mono.from(made(call, refused)));
  }

  private static Flux<?> decidedFlux(
      MethodInvocation call,
      Function<MethodInvocation, CompletableFuture<Optional<Decision>>> refusal) {
    return Mono.fromFuture(refusal.apply(call)).flatMapMany(refused -> made(call, refused));
  }

  private static Publisher<?> made(MethodInvocation call, Optional<Decision> refused) {
    if (refused.isPresent()) {
      return Mono.error(new ThrottledException(refused.get()));
    }
    try {
      Object result = call.proceed();
      return result instanceof Publisher<?> publisher ? publisher : Mono.empty();
    } catch (Throwable e) {
      return Mono.error(e);
    }
  }
}
