package io.quotaenforcer.spring.method;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.QuotaHandle;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.http.HttpQuota.OnFailure;
import io.quotaenforcer.http.Incidents;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.aopalliance.intercept.MethodInvocation;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;

/** Decides calls by the rules that their methods name. Safe for use by any number of threads. */
public final class CallDecider {
  private final Admission admission;
  private final Duration maxWait;
  private final OnFailure onFailure;
  private final CallExpressions expressions;
  private final Incidents incidents =
      new Incidents(LoggerFactory.getLogger(CallDecider.class), System::nanoTime);

  /**
   * A decider.
   *
   * @param maxWait how long a call may wait for its permits
   * @param onFailure what becomes of a call that cannot be decided
   * @param beans that expressions may name
   */
  public CallDecider(
      Admission admission, Duration maxWait, OnFailure onFailure, BeanFactory beans) {
    this.admission = admission;
    this.maxWait = maxWait;
    this.onFailure = onFailure;
    this.expressions = new CallExpressions(beans);
  }

  /**
   * Why a call is not to run; empty if it is. Waits on the calling thread; one that is interrupted
   * meanwhile refuses the call. Does not throw.
   */
  Optional<Decision> refusal(CallQuota quota, MethodInvocation invocation) {
    CompletableFuture<Optional<Decision>> refusal = refusalAsync(quota, invocation);
    try {
      return refusal.get();
    } catch (InterruptedException e) {
      refusal.cancel(false);
      Thread.currentThread().interrupt();
      return Optional.of(new Decision.NotReady(false));
    } catch (ExecutionException e) {
      return undecided(invocation, e);
    }
  }

  /** Like {@link #refusal}, while no thread waits. Takes nothing once it is cancelled. */
  CompletableFuture<Optional<Decision>> refusalAsync(CallQuota quota, MethodInvocation invocation) {
    CompletableFuture<Decision> decided;
    try {
      CallExpressions.Values values = expressions.of(quota, invocation);
      QuotaHandle handle = admission.handle(quota.rule(), values.key());
      decided =
          maxWait.isZero()
              ? CompletableFuture.completedFuture(handle.decide(values.cost()))
              : handle.decideAsync(values.cost(), maxWait);
    } catch (RuntimeException e) {
      return CompletableFuture.completedFuture(undecided(invocation, e));
    }
    CompletableFuture<Optional<Decision>> refusal =
        decided.handle(
            (decision, failure) ->
                failure != null
                    ? undecided(invocation, failure)
                    : decision.admitted() ? Optional.empty() : Optional.of(decision));
    refusal.whenComplete((made, failure) -> decided.cancel(false));
    return refusal;
  }

  private Optional<Decision> undecided(MethodInvocation invocation, Throwable failure) {
    boolean runs = onFailure == OnFailure.RUN;
    incidents.tell(
        "a call of %s was not decided, and is %s"
            .formatted(invocation.getMethod(), runs ? "run uncounted" : "refused"),
        failure);
    return runs ? Optional.empty() : Optional.of(new Decision.NotReady(false));
  }
}
