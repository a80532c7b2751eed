package io.quotaenforcer.spring.autoconfigure;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.StandaloneAdmission;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.rules.QuotaRules;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.Resource;
import org.springframework.util.ClassUtils;

/** By the rules of a file, in this process alone. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("quota.standalone.rules")
@ConditionalOnMissingBean(Admission.class)
class StandaloneConfiguration {

  @Bean
  StandaloneAdmission quotaAdmission(
      QuotaProperties properties, ObjectProvider<ClientTelemetry> telemetry) {
    if (!ClassUtils.isPresent("io.quotaenforcer.rules.QuotaRules", null)) {
      throw new IllegalStateException(
          "must be on the class path for quota.standalone.rules: io.quotaenforcer:quota-rules");
    }
    return AdmissionClient.standalone(
        QuotaRules.parse(text(properties.standalone().rules())),
        Clocks.system(),
        telemetry.getIfUnique(() -> ClientTelemetry.NONE));
  }

  private static String text(@Nullable Resource rules) {
    if (rules == null) {
      throw new IllegalArgumentException("must be a rule file: quota.standalone.rules");
    }
    try {
      return rules.getContentAsString(StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalArgumentException("must be a rule file: quota.standalone.rules=" + rules, e);
    }
  }
}
