package io.quotaenforcer.spring.autoconfigure;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.spring.health.QuotaHealth4;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The health contributor {@code quota}, if Spring Boot 4 has Actuator. */
@AutoConfiguration(
    after = QuotaAutoConfiguration.class,
    beforeName =
        "org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration")
@ConditionalOnQuota
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(Admission.class)
@ConditionalOnEnabledHealthIndicator("quota")
public class QuotaHealth4AutoConfiguration {

  @Bean
  @ConditionalOnMissingBean(name = {"quotaHealthIndicator", "quotaHealthContributor"})
  QuotaHealth4 quotaHealthIndicator(ObjectProvider<Admission> admissions) {
    return new QuotaHealth4(Unmetered.of(admissions));
  }
}
