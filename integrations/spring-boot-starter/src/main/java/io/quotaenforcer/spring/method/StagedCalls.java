package io.quotaenforcer.spring.method;

import io.quotaenforcer.client.ThrottledException;
import io.quotaenforcer.core.Decision;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** Calls whose result is a stage. */
final class StagedCalls {
  private StagedCalls() {}

  /**
   * The result of a call: made on this thread if it is decided by now, else on the one that decides
   * it, with what else surrounds the method.
   *
   * @param refusal cancelled if the result is, before the call is made
   */
  static @Nullable Object decided(
      MethodInvocation invocation, CompletableFuture<Optional<Decision>> refusal) throws Throwable {
    if (refusal.isDone()) {
      Optional<Decision> refused = refusal.join();
      return refused.isPresent()
          ? CompletableFuture.failedFuture(new ThrottledException(refused.get()))
          : invocation.proceed();
    }
    // The chain of interceptors that this call is in will be over.
    MethodInvocation later = ((ProxyMethodInvocation) invocation).invocableClone();
    CompletableFuture<Object> result = refusal.thenCompose(refused -> made(later, refused));
    result.whenComplete((made, failure) -> refusal.cancel(false));
    return result;
  }

  private static CompletionStage<Object> made(MethodInvocation call, Optional<Decision> refused) {
    if (refused.isPresent()) {
      return CompletableFuture.failedFuture(new ThrottledException(refused.get()));
    }
    try {
      @SuppressWarnings("unchecked") // What the method returns, whatever completes it.
      CompletionStage<Object> result = (CompletionStage<Object>) call.proceed();
      return result == null ? CompletableFuture.completedFuture(null) : result;
    } catch (Throwable e) {
      throw new CompletionException(e);
    }
  }
}
