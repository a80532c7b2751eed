package io.quotaenforcer.spring.autoconfigure;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.spring.method.CallDecider;
import io.quotaenforcer.spring.method.QuotaAdvisor;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;

/** Decides calls of methods with {@link io.quotaenforcer.spring.Quota}. */
@AutoConfiguration(after = QuotaAutoConfiguration.class)
@ConditionalOnQuota
@ConditionalOnClass(MethodInterceptor.class)
@ConditionalOnBean(Admission.class)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public class QuotaMethodAutoConfiguration {

  /** Made before other beans: it asks for what it decides by at the first call. */
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  @ConditionalOnMissingBean
  static QuotaAdvisor quotaAdvisor(
      ObjectProvider<Admission> admission,
      ObjectProvider<QuotaProperties> properties,
      BeanFactory beans) {
    return new QuotaAdvisor(
        () -> {
          QuotaProperties settings = properties.getObject();
          return new CallDecider(
              admission.getObject(), settings.method().maxWait(), settings.onFailure(), beans);
        });
  }
}
