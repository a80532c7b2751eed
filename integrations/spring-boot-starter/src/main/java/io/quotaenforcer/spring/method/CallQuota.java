package io.quotaenforcer.spring.method;

import io.quotaenforcer.spring.Quota;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * Decides the calls of a method. Immutable.
 *
 * @param method as the target's class has it
 * @param rule {@code domain/rule-id}
 */
record CallQuota(Method method, String rule, List<Expression> key, Expression cost) {
  private static final SpelExpressionParser PARSER = new SpelExpressionParser();

  /**
   * The quota of a method: its own annotation, or that of its class if the method is public; empty
   * if there is none.
   *
   * @throws org.springframework.expression.ParseException if an expression is none
   */
  static Optional<CallQuota> of(Method method, @Nullable Class<?> target) {
    if (method.getDeclaringClass() == Object.class) {
      return Optional.empty();
    }
    Method specific = AopUtils.getMostSpecificMethod(method, target);
    Quota quota = annotation(specific);
    return Optional.ofNullable(quota == null ? annotation(method) : quota)
        .map(found -> of(specific, found));
  }

  private static @Nullable Quota annotation(Method method) {
    Quota own = AnnotatedElementUtils.findMergedAnnotation(method, Quota.class);
    return own != null || !Modifier.isPublic(method.getModifiers())
        ? own
        : AnnotatedElementUtils.findMergedAnnotation(method.getDeclaringClass(), Quota.class);
  }

  private static CallQuota of(Method method, Quota quota) {
    return new CallQuota(
        method,
        quota.value(),
        Arrays.stream(quota.key()).<Expression>map(PARSER::parseExpression).toList(),
        PARSER.parseExpression(quota.cost()));
  }
}
