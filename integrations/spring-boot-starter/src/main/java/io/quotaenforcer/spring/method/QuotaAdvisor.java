package io.quotaenforcer.spring.method;

import io.quotaenforcer.spring.Quota;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * Decides calls of methods with {@link Quota}, after method security and before transactions and
 * caches. Safe for use by any number of threads.
 */
public final class QuotaAdvisor extends StaticMethodMatcherPointcutAdvisor {
  private static final long serialVersionUID = 1;

  /** Behind the interceptors of Spring Security, before those without an order. */
  private static final int ORDER = 1000;

  private final transient Map<MethodClassKey, Optional<CallQuota>> quotas =
      new ConcurrentHashMap<>();

  /**
   * An advisor for all beans.
   *
   * @param decider is made at the first call
   */
  public QuotaAdvisor(Supplier<CallDecider> decider) {
    setAdvice(new QuotaInterceptor(this::quota, decider));
    setClassFilter(type -> AnnotationUtils.isCandidateClass(type, Quota.class));
    setOrder(ORDER);
  }

  @Override
  public boolean matches(Method method, Class<?> target) {
    return quota(method, target).isPresent();
  }

  private Optional<CallQuota> quota(Method method, @Nullable Class<?> target) {
    return quotas.computeIfAbsent(
        new MethodClassKey(method, target), key -> CallQuota.of(method, target));
  }
}
