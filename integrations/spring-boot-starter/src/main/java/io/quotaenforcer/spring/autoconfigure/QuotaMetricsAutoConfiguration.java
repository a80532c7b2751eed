package io.quotaenforcer.spring.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;
import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.micrometer.ClientMetrics;
import io.quotaenforcer.micrometer.LimitMetrics;
import io.quotaenforcer.micrometer.MeteredAdmission;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/**
 * Meters in the service's registry, where {@code quota-micrometer} is on the class path: of an
 * admission client, and of decisions of our own admission. One that the service made itself is its
 * own to meter.
 */
@AutoConfiguration(
    after = QuotaAutoConfiguration.class,
    before = {
      QuotaGatewayAutoConfiguration.class,
      QuotaMethodAutoConfiguration.class,
      QuotaWebAutoConfiguration.class
    },
    afterName = {
      "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
    })
@ConditionalOnQuota
@ConditionalOnClass({MeterRegistry.class, MeteredAdmission.class})
@ConditionalOnSingleCandidate(MeterRegistry.class)
public class QuotaMetricsAutoConfiguration {
  private static final String OURS = "quotaAdmission";

  /** Goes before ours, which is closed as the bean that it is. */
  @Bean(destroyMethod = "")
  @Primary
  @ConditionalOnBean(name = OURS)
  MeteredAdmission quotaMeteredAdmission(
      @Qualifier(OURS) Admission admission, MeterRegistry registry) {
    return new MeteredAdmission(admission, registry);
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnSingleCandidate(AdmissionClient.class)
  ClientMetrics quotaClientMetrics(AdmissionClient client) {
    return new ClientMetrics(client);
  }

  @Bean
  @ConditionalOnMissingBean(ClientTelemetry.class)
  LimitMetrics quotaLimitMetrics(MeterRegistry registry) {
    return new LimitMetrics(registry);
  }
}
