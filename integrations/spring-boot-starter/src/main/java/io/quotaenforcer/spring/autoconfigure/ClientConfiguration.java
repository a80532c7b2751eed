package io.quotaenforcer.spring.autoconfigure;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.AdmissionClientBuilder;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.spring.AdmissionClientCustomizer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** By the rules that the enforcer publishes, for all instances together. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean(Admission.class)
class ClientConfiguration {
  private static final Logger log = LoggerFactory.getLogger(ClientConfiguration.class);

  @Bean
  AdmissionClient quotaAdmission(
      QuotaProperties properties,
      Environment environment,
      ObjectProvider<SslBundles> bundles,
      ObjectProvider<FoundConnection> found,
      ObjectProvider<ClientTelemetry> telemetry,
      ObjectProvider<AdmissionClientCustomizer> customizers)
      throws InterruptedException {
    Map<String, Object> connection = new HashMap<>();
    found.forEach(each -> connection.putAll(each.settings()));
    AdmissionClientBuilder builder =
        AdmissionClient.builder()
            .properties(
                ClientSettings.of(
                    environment,
                    name -> bundles.getObject().getBundle(name),
                    connection,
                    properties.client()));
    telemetry.ifUnique(builder::telemetry);
    customizers.orderedStream().forEach(each -> each.customize(builder));
    AdmissionClient client = builder.build();
    awaitRules(client, properties.awaitRules());
    return client;
  }

  private static void awaitRules(AdmissionClient client, Duration atMost)
      throws InterruptedException {
    try {
      if (atMost.compareTo(Duration.ZERO) > 0 && !client.awaitRules(atMost)) {
        log.warn("starting without rules after {}: {}", atMost, client.readiness());
      }
    } catch (InterruptedException e) {
      client.close();
      throw e;
    }
  }
}
