package io.quotaenforcer.spring.method;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.http.HttpQuota.OnFailure;
import io.quotaenforcer.http.Incidents;
import java.util.Optional;
import org.aopalliance.intercept.MethodInvocation;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;

/** Decides calls by the rules that their methods name. Safe for use by any number of threads. */
public final class CallDecider {
  private final Admission admission;
  private final OnFailure onFailure;
  private final CallExpressions expressions;
  private final Incidents incidents =
      new Incidents(LoggerFactory.getLogger(CallDecider.class), System::nanoTime);

  /**
   * A decider.
   *
   * @param onFailure what becomes of a call that cannot be decided
   * @param beans that expressions may name
   */
  public CallDecider(Admission admission, OnFailure onFailure, BeanFactory beans) {
    this.admission = admission;
    this.onFailure = onFailure;
    this.expressions = new CallExpressions(beans);
  }

  /** Why a call is not to run; empty if it is. Does not throw. */
  Optional<Decision> refusal(CallQuota quota, MethodInvocation invocation) {
    try {
      CallExpressions.Values values = expressions.of(quota, invocation);
      Decision decision = admission.handle(quota.rule(), values.key()).decide(values.cost());
      return decision.admitted() ? Optional.empty() : Optional.of(decision);
    } catch (RuntimeException e) {
      boolean runs = onFailure == OnFailure.RUN;
      incidents.tell(
          "a call of %s was not decided, and is %s"
              .formatted(invocation.getMethod(), runs ? "run uncounted" : "refused"),
          e);
      return runs ? Optional.empty() : Optional.of(new Decision.NotReady(false));
    }
  }
}
