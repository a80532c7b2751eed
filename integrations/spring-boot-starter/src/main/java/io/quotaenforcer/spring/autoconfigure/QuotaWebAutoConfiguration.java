package io.quotaenforcer.spring.autoconfigure;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.http.HttpQuota;
import io.quotaenforcer.http.QuotaExtractor;
import io.quotaenforcer.servlet.QuotaFilter;
import io.quotaenforcer.spring.HttpQuotaCustomizer;
import io.quotaenforcer.spring.web.QuotaWebFilter;
import io.quotaenforcer.spring.web.ThrottledAdvice;
import io.quotaenforcer.spring.web.ThrottledWebExceptionHandler;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.server.WebFilter;

/**
 * A filter that decides each HTTP request, if the service has a {@link QuotaExtractor}; and answers
 * to {@link io.quotaenforcer.client.ThrottledException}s that controllers let escape.
 */
@AutoConfiguration(after = QuotaAutoConfiguration.class)
@ConditionalOnQuota
@ConditionalOnWebApplication
@ConditionalOnClass(ControllerAdvice.class)
@ConditionalOnBean(Admission.class)
public class QuotaWebAutoConfiguration {
  private static final Logger log = LoggerFactory.getLogger(QuotaWebAutoConfiguration.class);

  @Bean
  @ConditionalOnMissingBean
  HttpQuota httpQuota(
      Admission admission,
      QuotaProperties properties,
      ObjectProvider<QuotaExtractor> extractor,
      ObjectProvider<HttpQuotaCustomizer> customizers) {
    HttpQuota.Builder builder =
        HttpQuota.builder(admission, extractor.getIfAvailable(() -> http -> Optional.empty()))
            .maxWait(properties.http().maxWait())
            .clientAddress(properties.http().addresses())
            .onFailure(properties.onFailure());
    customizers.orderedStream().forEach(each -> each.customize(builder));
    return builder.build();
  }

  @Bean
  @ConditionalOnMissingBean
  ThrottledAdvice quotaThrottledAdvice(HttpQuota quota) {
    return new ThrottledAdvice(quota);
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  @ConditionalOnClass(Filter.class)
  static class Servlet {

    /** The last one: filters behind it would not see a request that has waited for its permits. */
    @Bean
    @ConditionalOnBean(QuotaExtractor.class)
    @ConditionalOnProperty(name = "quota.http.enabled", matchIfMissing = true)
    @ConditionalOnMissingBean(
        value = QuotaFilter.class,
        parameterizedContainer = FilterRegistrationBean.class)
    FilterRegistrationBean<QuotaFilter> quotaFilter(HttpQuota quota, QuotaProperties properties) {
      if (quota.waits() && properties.http().order() != Ordered.LOWEST_PRECEDENCE) {
        log.warn(
            "filters behind quota.http.order={} may not see requests that wait for their permits:"
                + " leave it out, or quota.http.max-wait",
            properties.http().order());
      }
      FilterRegistrationBean<QuotaFilter> filter =
          new FilterRegistrationBean<>(new QuotaFilter(quota));
      filter.setName("quotaFilter");
      filter.setAsyncSupported(true);
      filter.setDispatcherTypes(DispatcherType.REQUEST);
      filter.setUrlPatterns(properties.http().urlPatterns());
      filter.setOrder(properties.http().order());
      return filter;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
  @ConditionalOnClass(WebFilter.class)
  static class Reactive {

    @Bean
    @ConditionalOnBean(QuotaExtractor.class)
    @ConditionalOnProperty(name = "quota.http.enabled", matchIfMissing = true)
    @ConditionalOnMissingBean
    QuotaWebFilter quotaWebFilter(HttpQuota quota, QuotaProperties properties) {
      return new QuotaWebFilter(quota, properties.http().order());
    }

    @Bean
    @ConditionalOnMissingBean
    ThrottledWebExceptionHandler quotaThrottledWebExceptionHandler(HttpQuota quota) {
      return new ThrottledWebExceptionHandler(quota);
    }
  }
}
