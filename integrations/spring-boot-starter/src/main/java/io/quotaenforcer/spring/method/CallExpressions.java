package io.quotaenforcer.spring.method;

import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;

/** The values of a call's expressions. Safe for use by any number of threads. */
final class CallExpressions {
  private final ParameterNameDiscoverer names = new DefaultParameterNameDiscoverer();
  private final BeanFactoryResolver beans;

  /**
   * The root object of expressions.
   *
   * @param target the bean; null for a static method
   */
  @SuppressWarnings("ArrayRecordComponent") // As Spring's own expressions have it.
  public record Root(Method method, Object[] args, @Nullable Object target) {}

  /**
   * The permits that a call takes.
   *
   * @param key values of key attributes, in the rule's order
   * @param cost in permits
   */
  @SuppressWarnings("ArrayRecordComponent") // Is handed on at once, and compared by nobody.
  record Values(String[] key, long cost) {}

  CallExpressions(BeanFactory beans) {
    this.beans = new BeanFactoryResolver(beans);
  }

  /**
   * Evaluates the expressions of a call.
   *
   * @throws RuntimeException if one fails, or the cost is no number
   */
  Values of(CallQuota quota, MethodInvocation invocation) {
    Object[] arguments = invocation.getArguments();
    MethodBasedEvaluationContext context =
        new MethodBasedEvaluationContext(
            new Root(quota.method(), arguments, invocation.getThis()),
            quota.method(),
            arguments,
            names);
    context.setBeanResolver(beans);
    String[] key = new String[quota.key().size()];
    for (int i = 0; i < key.length; i++) {
      key[i] = text(quota.key().get(i), context);
    }
    Long cost = quota.cost().getValue(context, Long.class);
    if (cost == null) {
      throw new IllegalArgumentException(
          "must be a number: cost=" + quota.cost().getExpressionString());
    }
    return new Values(key, cost);
  }

  private static String text(Expression expression, EvaluationContext context) {
    Object value = expression.getValue(context);
    return value == null ? "" : value.toString();
  }
}
