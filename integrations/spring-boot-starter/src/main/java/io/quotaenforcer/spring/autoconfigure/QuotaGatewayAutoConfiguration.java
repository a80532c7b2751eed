package io.quotaenforcer.spring.autoconfigure;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.spring.gateway.QuotaRateLimiter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter;
import org.springframework.cloud.gateway.support.ConfigurationService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** A limiter for Spring Cloud Gateway's {@code RequestRateLimiter} filter. */
@AutoConfiguration(
    after = QuotaAutoConfiguration.class,
    beforeName = "org.springframework.cloud.gateway.config.GatewayAutoConfiguration")
@ConditionalOnQuota
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(RateLimiter.class)
@ConditionalOnBean(Admission.class)
public class QuotaGatewayAutoConfiguration {

  /** The filter's default, beside a limiter on Redis as well. */
  @Bean
  @Primary
  @ConditionalOnMissingBean
  QuotaRateLimiter quotaRateLimiter(
      Admission admission,
      QuotaProperties properties,
      ObjectProvider<ConfigurationService> configurations) {
    return new QuotaRateLimiter(
        admission,
        properties.http().maxWait(),
        properties.onFailure(),
        configurations.getIfAvailable());
  }
}
