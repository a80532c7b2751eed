package io.quotaenforcer.spring.method;

import io.quotaenforcer.client.ThrottledException;
import io.quotaenforcer.core.Decision;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/** Decides a call before it runs. Safe for use by any number of threads. */
final class QuotaInterceptor implements MethodInterceptor {
  private static final boolean HAS_REACTOR =
      ClassUtils.isPresent("reactor.core.publisher.Mono", QuotaInterceptor.class.getClassLoader());

  private final BiFunction<Method, @Nullable Class<?>, Optional<CallQuota>> quotas;
  private final Supplier<CallDecider> decider;

  /**
   * @param quotas those of methods, by the class of their target
   */
  QuotaInterceptor(
      BiFunction<Method, @Nullable Class<?>, Optional<CallQuota>> quotas,
      Supplier<CallDecider> decider) {
    this.quotas = quotas;
    this.decider = SingletonSupplier.of(decider);
  }

  @Override
  public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    Object target = invocation.getThis();
    Optional<CallQuota> quota =
        quotas.apply(invocation.getMethod(), target == null ? null : target.getClass());
    if (quota.isEmpty()) {
      return invocation.proceed();
    }
    Class<?> type = invocation.getMethod().getReturnType();
    if (HAS_REACTOR && ReactiveCalls.isReactive(type)) {
      return ReactiveCalls.decided(
          invocation, call -> decider.get().refusalAsync(quota.get(), call));
    }
    if (type == CompletableFuture.class || type == CompletionStage.class) {
      return StagedCalls.decided(invocation, decider.get().refusalAsync(quota.get(), invocation));
    }
    Optional<Decision> refusal = decider.get().refusal(quota.get(), invocation);
    if (refusal.isEmpty()) {
      return invocation.proceed();
    }
    ThrottledException throttled = new ThrottledException(refusal.get());
    if (type == Future.class) {
      return CompletableFuture.failedFuture(throttled);
    }
    throw throttled;
  }
}
