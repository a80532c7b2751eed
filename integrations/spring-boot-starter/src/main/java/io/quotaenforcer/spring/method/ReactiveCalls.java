package io.quotaenforcer.spring.method;

import io.quotaenforcer.client.ThrottledException;
import io.quotaenforcer.core.Decision;
import java.util.Optional;
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
      MethodInvocation invocation, Function<MethodInvocation, Optional<Decision>> refusal) {
    return invocation.getMethod().getReturnType() == Mono.class
        ? Mono.defer(() -> Mono.from(decidedNow(invocation, refusal)))
        : Flux.defer(() -> decidedNow(invocation, refusal));
  }

  private static Publisher<?> decidedNow(
      MethodInvocation invocation, Function<MethodInvocation, Optional<Decision>> refusal) {
    // One that has proceeded cannot do so again.
    MethodInvocation call = ((ProxyMethodInvocation) invocation).invocableClone();
    Optional<Decision> refused = refusal.apply(call);
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
