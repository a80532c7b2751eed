package io.quotaenforcer.spring.autoconfigure;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.spring.health.QuotaHealth;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The health contributor {@code quota}, if Spring Boot 3 has Actuator. */
@AutoConfiguration(
    after = QuotaAutoConfiguration.class,
    beforeName =
        "org.springframework.boot.actuate.autoconfigure.health.HealthContributorAutoConfiguration")
@ConditionalOnQuota
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(Admission.class)
@ConditionalOnEnabledHealthIndicator("quota")
public class QuotaHealthAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean(name = {"quotaHealthIndicator", "quotaHealthContributor"})
  QuotaHealth quotaHealthIndicator(ObjectProvider<Admission> admissions) {
    return new QuotaHealth(Unmetered.of(admissions));
  }
}
