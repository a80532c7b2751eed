package io.quotaenforcer.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.http.HttpQuota;
import io.quotaenforcer.http.QuotaExtractor;
import io.quotaenforcer.servlet.QuotaFilter;
import io.quotaenforcer.spring.HttpQuotaCustomizer;
import io.quotaenforcer.spring.gateway.QuotaRateLimiter;
import io.quotaenforcer.spring.web.QuotaWebFilter;
import io.quotaenforcer.spring.web.ThrottledAdvice;
import io.quotaenforcer.spring.web.ThrottledWebExceptionHandler;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter;
import org.springframework.core.Ordered;

class QuotaWebAutoConfigurationTest {
  private static final QuotaExtractor EXTRACTOR =
      http -> Optional.of(Request.of("ip", http.clientAddress(), "path", http.path()));

  private final WebApplicationContextRunner servlet =
      new WebApplicationContextRunner()
          .withConfiguration(Ours.all())
          .withPropertyValues(Ours.RULES);
  private final ReactiveWebApplicationContextRunner reactive =
      new ReactiveWebApplicationContextRunner()
          .withConfiguration(Ours.all())
          .withPropertyValues(Ours.RULES);

  @Test
  void servlet_withAnExtractor_hasTheFilter_behindAllOthers() {
    servlet
        .withBean(QuotaExtractor.class, () -> EXTRACTOR)
        .run(
            context -> {
              FilterRegistrationBean<?> filter = context.getBean(FilterRegistrationBean.class);
              assertThat(filter.getFilter()).isInstanceOf(QuotaFilter.class);
              assertThat(filter.isAsyncSupported()).isTrue();
              assertThat(filter.getOrder()).isEqualTo(Ordered.LOWEST_PRECEDENCE);
              assertThat(filter.getUrlPatterns()).containsExactly("/*");
              assertThat(context.getBean(HttpQuota.class).waits()).isFalse();
              assertThat(context)
                  .hasSingleBean(ThrottledAdvice.class)
                  .doesNotHaveBean(QuotaWebFilter.class)
                  .doesNotHaveBean(RateLimiter.class);
            });
  }

  @Test
  void servlet_withProperties_hasThem() {
    servlet
        .withBean(QuotaExtractor.class, () -> EXTRACTOR)
        .withPropertyValues(
            "quota.http.order=7",
            "quota.http.url-patterns=/api/*,/login",
            "quota.http.max-wait=250ms",
            "quota.http.client-address=forwarded",
            "quota.http.trusted-hops=2",
            "quota.on-failure=refuse")
        .run(
            context -> {
              FilterRegistrationBean<?> filter = context.getBean(FilterRegistrationBean.class);
              assertThat(filter.getOrder()).isEqualTo(7);
              assertThat(filter.getUrlPatterns()).containsExactly("/api/*", "/login");
              assertThat(context.getBean(HttpQuota.class).waits()).isTrue();
              assertThat(context.getBean(QuotaProperties.class).http().addresses())
                  .hasToString("Forwarded[hops=2, header=Forwarded]");
              assertThat(context.getBean(QuotaProperties.class).onFailure())
                  .isEqualTo(HttpQuota.OnFailure.REFUSE);
            });
  }

  @Test
  void servlet_withoutAnExtractor_orSwitchedOff_hasNoFilter_butAnswersRefusals() {
    servlet.run(
        context ->
            assertThat(context)
                .doesNotHaveBean(FilterRegistrationBean.class)
                .hasSingleBean(ThrottledAdvice.class));
    servlet
        .withBean(QuotaExtractor.class, () -> EXTRACTOR)
        .withPropertyValues("quota.http.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(FilterRegistrationBean.class));
  }

  @Test
  void servlet_withAFilterOfItsOwn_hasOnlyThat() {
    servlet
        .withBean(QuotaExtractor.class, () -> EXTRACTOR)
        .withBean(
            "own",
            QuotaFilter.class,
            () -> new QuotaFilter(HttpQuota.builder(Ours.none(), EXTRACTOR).build()))
        .run(
            context ->
                assertThat(context)
                    .hasSingleBean(QuotaFilter.class)
                    .doesNotHaveBean(FilterRegistrationBean.class));
  }

  @Test
  void customizer_goesAfterTheProperties() {
    servlet
        .withPropertyValues("quota.http.max-wait=0s")
        .withBean(
            HttpQuotaCustomizer.class, () -> builder -> builder.maxWait(Duration.ofSeconds(1)))
        .run(context -> assertThat(context.getBean(HttpQuota.class).waits()).isTrue());
  }

  @Test
  void addresses_ofProxies_needOneProxyAtLeast() {
    servlet
        .withPropertyValues(
            "quota.http.client-address=x-forwarded-for", "quota.http.trusted-hops=0")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessage("must be >= 1: hops=0"));
  }

  @Test
  void reactive_withAnExtractor_hasTheWebFilter() {
    reactive
        .withBean(QuotaExtractor.class, () -> EXTRACTOR)
        .withPropertyValues("quota.http.order=7")
        .run(
            context -> {
              assertThat(context.getBean(QuotaWebFilter.class).getOrder()).isEqualTo(7);
              assertThat(context)
                  .hasSingleBean(ThrottledAdvice.class)
                  .hasSingleBean(ThrottledWebExceptionHandler.class)
                  .doesNotHaveBean(FilterRegistrationBean.class);
            });
  }

  @Test
  void reactive_withoutAnExtractor_orSwitchedOff_hasNoWebFilter() {
    reactive.run(context -> assertThat(context).doesNotHaveBean(QuotaWebFilter.class));
    reactive
        .withBean(QuotaExtractor.class, () -> EXTRACTOR)
        .withPropertyValues("quota.http.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(QuotaWebFilter.class));
  }

  @Test
  void gateway_hasOurLimiter_ifItIsThere() {
    reactive.run(
        context ->
            assertThat(context.getBean(RateLimiter.class)).isInstanceOf(QuotaRateLimiter.class));
    reactive
        .withClassLoader(new FilteredClassLoader("org.springframework.cloud.gateway"))
        .run(context -> assertThat(context).doesNotHaveBean("quotaRateLimiter"));
  }

  @Test
  void noWeb_hasNeither() {
    new ApplicationContextRunner()
        .withConfiguration(Ours.all())
        .withPropertyValues(Ours.RULES)
        .withBean(QuotaExtractor.class, () -> EXTRACTOR)
        .run(context -> assertThat(context).doesNotHaveBean(HttpQuota.class));
  }
}
