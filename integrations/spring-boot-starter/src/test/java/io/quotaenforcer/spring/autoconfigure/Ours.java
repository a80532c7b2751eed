package io.quotaenforcer.spring.autoconfigure;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.rules.QuotaRules;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.util.ClassUtils;

/** Configurations that the tests of conditions share. */
final class Ours {
  static final String RULES = "quota.standalone.rules=classpath:orders/rules.yaml";

  /** Nobody listens there. */
  static final String[] NO_KAFKA = {
    "spring.kafka.bootstrap-servers=127.0.0.1:9", "quota.client.close.timeout=0"
  };

  private Ours() {}

  static AutoConfigurations all() {
    return AutoConfigurations.of(
        AopAutoConfiguration.class,
        isBoot4() ? Boot4KafkaConnection.class : Boot3KafkaConnection.class,
        QuotaAutoConfiguration.class,
        QuotaGatewayAutoConfiguration.class,
        isBoot4() ? QuotaHealth4AutoConfiguration.class : QuotaHealthAutoConfiguration.class,
        QuotaMethodAutoConfiguration.class,
        QuotaMetricsAutoConfiguration.class,
        QuotaWebAutoConfiguration.class);
  }

  static boolean isBoot4() {
    return isPresent("org.springframework.boot.health.contributor.Health");
  }

  static boolean isPresent(String type) {
    return ClassUtils.isPresent(type, Ours.class.getClassLoader());
  }

  static Admission none() {
    return admission("domain: shop\nrules: []");
  }

  static Admission admission(String rules) {
    return AdmissionClient.standalone(QuotaRules.parse(rules), Clocks.system());
  }
}
